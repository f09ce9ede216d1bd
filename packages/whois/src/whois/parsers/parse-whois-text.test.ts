import { describe, expect, test } from 'vitest';
import { listOf } from '../../../../../test/list-of.ts';
import { fixtureOf, fixturePaths, readingAsIn, textOf } from '../../../test/whois-fixtures.ts';
import { parseWhoisText } from './parse-whois-text.ts';
import type { WhoisHints } from './parse-whois-text.ts';

describe("a date below the heading of a person is not the domain's", () => {
  test.each([
    "Registrant's address",
    "Registrar's address",
    ...listOf(`
      Registrant | Registrant details | Registrant contact details | Registrant address | Holder |
      Administrative contact | Billing contact | Domain owner
    `),
  ])('%s', (heading) => {
    const text = `Domain name: umi.example\n\n${heading}:\n    Name: Hoshi\n    Created: 2011-11-12\n\nName servers:\n    ns1.umi.example\n`;
    const { parsed } = parseWhoisText(text, { domain: 'umi.example' });
    expect([parsed.creationDate, parsed.nameServers]).toEqual([null, ['ns1.umi.example']]);
  });
});

describe('answers of registries, one quirk each', () => {
  const readAsIn = (path: string, text: string, hints?: WhoisHints) =>
    readingAsIn(fixtureOf(path), parseWhoisText(text, hints));

  test.each(fixturePaths())('%s, also without server and name, and with CRLF line ends', (path) => {
    const [{ server, domain, expected }, text] = [fixtureOf(path), textOf(path)];
    expect(readAsIn(path, text, { server, domain })).toEqual(expected);
    expect(readAsIn(path, text)).toEqual(expected);
    expect(readAsIn(path, text.replaceAll(/\r?\n/g, '\r\n'))).toEqual(expected);
    const { evidence } = parseWhoisText(text, { server, domain });
    expect(evidence === null).toBe(expected.state === 'broken');
  });
});

describe('fields that an answer does not state', () => {
  test('the requested name is never echoed', () => {
    const answer = 'Registrar: Example\nCreation Date: 2020-01-02\n';
    expect(parseWhoisText(answer, { domain: 'asked.example' }).parsed.domainName).toBeNull();
  });

  test('of several names the requested one is read', () => {
    const answer = ['one.example', 'two.example']
      .map((name) => `Domain Name: ${name}\nName Server: ns.${name}\n`)
      .join('\n');
    expect(parseWhoisText(answer, { domain: 'two.example' }).parsed.nameServers).toEqual(['ns.two.example']);
    expect(parseWhoisText(answer).parsed.domainName).toBe('one.example');
  });

  test('a name that is not registered has no registrar, date, server or status', () => {
    const answer = 'Domain Name: free.example\nStatus: free\nRegistrar: none\nLast Update: 2020-01-02\n';
    expect(parseWhoisText(answer)).toMatchObject({
      state: 'not_registered',
      parsed: { registrar: null, updatedDate: null, nameServers: [], status: [] },
    });
  });

  test.each(
    listOf(`
      404 | 200 OK | success | busy | try again | maintenance | failed to connect to backend | no data |
      pending review | unknown | error
    `).map((status) => `Domain Name: hoshi.example\nStatus: ${status}\n`),
  )('a status without a registration is a denial: %j', (answer) => {
    expect(parseWhoisText(answer, { domain: 'hoshi.example' })).toMatchObject({
      state: 'broken',
      parsed: { status: [] },
    });
  });

  test.each(['ok', 'ACTIVE', 'not delegated', '200 Active', 'clientHold', 'Registered until expiry date.'])(
    'a status of a registration means registered: %s',
    (status) => expect(parseWhoisText(`Domain: hoshi.example\nStatus: ${status}\n`).state).toBe('registered'),
  );

  test("the registry's own record is no registration of a name missing in the text", () => {
    const answer =
      'Welcome to our registry.\nRegistrar: any company that we accredit\nRegistered on 1996-04-05 as a company.\n';
    expect(parseWhoisText(answer, { domain: 'hoshi.example' }).state).toBe('broken');
  });

  test('a denial of another name is not one of the requested name', () => {
    for (const answer of ['hoshi.example free\n', 'Domain: hoshi.example\nStatus: free\n']) {
      expect(parseWhoisText(answer, { domain: 'hoshi.example' }).state).toBe('not_registered');
      expect(parseWhoisText(answer, { domain: 'umi.example' }).state).toBe('broken');
    }
  });
});
