import { describe, expect, it } from 'vitest';
import { record } from '../../test/loopback-world.ts';
import type { WhoisReply } from '../../test/loopback-world.ts';
import { NIC, errorOf, openRegistry } from '../../test/opened-world.ts';
import type { LookUpError } from './look-up-error.ts';
import { DOMAIN } from '../../test/rdap-record.ts';
import { openRdap } from '../../test/rdap-world.ts';

const settings = { withTexts: false };
const PERSON = 'Hoshi Hana';

const world = (answer: WhoisReply, whois: Record<string, WhoisReply> = {}) =>
  openRegistry(answer, { whois, settings });

describe('without the texts of registries', () => {
  it('a registration has its fields and the line that decided', async () => {
    const { lookUp } = await world(record('example.test', [`Registrant Name: ${PERSON}`]));
    const result = await lookUp('example.test');
    expect(result).toMatchObject({
      raw: '',
      parsed: { registrar: 'Sample Registrar' },
      evidence: { kind: 'record', line: 'Registrar: Sample Registrar' },
    });
    expect(JSON.stringify(result)).not.toContain(PERSON);
  });

  it.each([
    [`Registrant Name: ${PERSON}`],
    [`Name Server: ns1.hosting.example ${PERSON}`],
    [`Status: active (${PERSON})`],
  ])('the line %j is left out of the evidence', async (line) => {
    const { lookUp } = await world(`Domain Name: example.test\r\n${line}\r\n`);
    const result = await lookUp('example.test').catch((error: unknown) => (error as LookUpError).details);
    expect(JSON.stringify(result, undefined, 1)).not.toContain(PERSON);
  });

  it('the answers of the registrar and of the registry are both empty', async () => {
    const registrar = 'whois.registrar.test';
    const { lookUp } = await world(record('example.test', [`Registrar WHOIS Server: ${registrar}`]), {
      [registrar]: record('example.test', [`Registrant Name: ${PERSON}`]),
    });
    expect(await lookUp('example.test', 'registrar')).toMatchObject({
      whoisServer: registrar,
      raw: '',
      registry: { whoisServer: NIC, raw: '' },
    });
  });

  it.each([
    'No match!!',
    'The queried object does not exist: previous registration D1234567-CNIC was purged on 2029-12-30T23:18:42.0Z (DOMAIN NOT FOUND)',
  ])('a denial has the known sentence that decided, with its date: %s', async (line) => {
    const { lookUp } = await world(`${line}\r\n`);
    const { details } = await errorOf(lookUp('free.test'));
    expect(details).toMatchObject({ raw: '', evidence: { kind: 'sentence', line } });
  });

  it('a denial by RDAP has the status, not words that no table knows', async () => {
    const body = { errorCode: 404, title: `Ask ${PERSON}` };
    const { lookUp } = await openRdap((_, response) => response.writeHead(404).end(JSON.stringify(body)), {
      settings,
    });
    const { details } = await errorOf(lookUp('free.test'));
    expect(details).toMatchObject({ raw: '', evidence: { kind: 'rdap', line: 'HTTP 404' } });
  });

  it('an unreadable answer has no line of it', async () => {
    const { lookUp } = await world(`Quux zarbl ${PERSON}\r\n`);
    const { code, details } = await errorOf(lookUp('free.test'));
    expect(code).toBe('registry_unavailable');
    expect(details).toMatchObject({ raw: '', whoisServer: NIC });
    expect(JSON.stringify(details)).not.toContain(PERSON);
  });

  it.each([
    `Reserved for ${PERSON}`,
    `Access denied for ${PERSON}`,
    `Invalid domain name, ask ${PERSON}`,
    'Reserved for hana@hoshi.example',
    'Reserved for +81 3 5550 1234',
    'Reserved for 03 (5550) 1234',
    'Reserved by https://hana.example/',
  ])('a sentence that no table knows is left out of the evidence: %s', async (sentence) => {
    const whois = await world(`${sentence}\r\n`);
    const body = JSON.stringify({ errorCode: 404, title: sentence });
    const rdap = await openRdap((_, response) => response.writeHead(404).end(body), { settings });
    for (const { lookUp } of [whois, rdap]) {
      const result = await lookUp('free.test').catch((error: unknown) => (error as LookUpError).details);
      expect(JSON.stringify(result)).toContain('left out');
      expect(JSON.stringify(result)).not.toMatch(/hana|5550/i);
    }
  });

  it('a registration by RDAP has the name that decided', async () => {
    const { lookUp } = await openRdap((_, response) => response.end(JSON.stringify(DOMAIN)), { settings });
    expect((await lookUp('example.test')).evidence).toEqual({ kind: 'rdap', line: 'ldhName: example.test' });
  });

  it("a rejection of the name has the registry's sentence", async () => {
    const { lookUp } = await world('Invalid domain name\r\n');
    expect((await errorOf(lookUp('free.test'))).details).toMatchObject([
      { raw: '', evidence: { line: 'Invalid domain name' } },
    ]);
  });
});
