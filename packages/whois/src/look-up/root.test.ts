import { describe, expect, it } from 'vitest';
import { rootObject } from '../../test/loopback-world.ts';
import { ServerFault } from '../net/server-fault.ts';
import { createGate } from './gate.ts';
import { LookUpContext } from './hops.ts';
import { RegistryGate } from './gate.ts';
import { createRoot, readRootAnswer } from './root.ts';

const OBJECT = 'domain:       TEST\n\nstatus:       ACTIVE\n';
const REFERRAL = `refer:        whois.nic.test\n\n${OBJECT}`;
const LAST_LINE = 'source:       IANA\n';
const websiteOf = (line: string) => readRootAnswer(`${OBJECT}${line}\n${LAST_LINE}`, 'test').website;

function faultOf(raw: string): ServerFault {
  try {
    readRootAnswer(raw, 'test');
  } catch (error) {
    if (error instanceof ServerFault) return error;
  }
  throw new Error('no fault');
}

describe('the answer of the root', () => {
  it('is a referral, no referral, or an unknown domain', () => {
    expect(readRootAnswer(REFERRAL, 'test')).toEqual({
      outcome: 'referral',
      endpoint: { host: 'whois.nic.test', port: 43 },
      website: undefined,
    });
    expect(readRootAnswer(OBJECT + LAST_LINE, 'test')).toEqual({
      outcome: 'no_referral',
      endpoint: undefined,
      website: undefined,
    });
    expect(
      readRootAnswer(`${OBJECT}remarks: % This query returned 0 objects.\n${LAST_LINE}`, 'test').outcome,
    ).toBe('no_referral');
    expect(readRootAnswer('% IANA WHOIS server\r\n% This query returned 0 objects.\r\n', 'test')).toEqual({
      outcome: 'unknown_tld',
      endpoint: undefined,
      website: undefined,
    });
  });

  it.each([
    '',
    'subdomain:    TEST\nsource: IANA\n',
    'The domain: TEST\nsource: IANA\n',
    '<html>domain</html>',
    'Try again later.\n',
    '<html>This query returned 0 objects.</html>',
    '% Rate limit exceeded: this query returned 0 objects.\n',
    '% This query returned 0 objects before it timed out.\n',
    // Cut off, perhaps before the line with the server.
    OBJECT,
  ])('is none of these for %j', (raw) => {
    expect(faultOf(raw)).toMatchObject({
      reason: 'bad_answer',
      message: `${raw.length} characters that are not a root's answer`,
    });
  });

  it('is rejected if it is about another domain, which may have other servers', () => {
    expect(faultOf(`refer: whois.nic.example\n\ndomain: EXAMPLE\n${LAST_LINE}`).message).toBe(
      'is about example',
    );
    const inBothForms = 'domain: 例え\ndomain-ace: XN--R8JZ45G\n';
    expect(readRootAnswer(inBothForms + LAST_LINE, 'xn--r8jz45g').outcome).toBe('no_referral');
  });

  it('is rejected if it refers to anything but a public server, with the beginning of the referral', () => {
    const { reason, message } = faultOf(`refer:        ${'x'.repeat(200)}\n\n${OBJECT}`);
    expect([reason, message]).toEqual(['bad_answer', `refers to ${'x'.repeat(100)}`]);
    expect(faultOf(`refer:        127.0.0.1\n\n${OBJECT}`).message).toBe('refers to 127.0.0.1');
  });
});

describe('the web page of a registry', () => {
  it.each([
    ['remarks:      Registration information: https://nic.example/', 'https://nic.example/'],
    ['remarks:Registration information:http://nic.example', 'http://nic.example'],
    ['REMARKS:\tregistration information:\thttps://nic.example/?a=1', 'https://nic.example/?a=1'],
    [`remarks: Registration information: https://${'x'.repeat(200)}`, `https://${'x'.repeat(200)}`],
  ])('%j', (line, website) => {
    expect(websiteOf(line)).toBe(website);
  });

  it.each([
    'see remarks: Registration information: https://nic.example/',
    'remarks:      Registration information: https://nic.example/ and more',
    'remarks:      Registration information: nic.example',
    'remarks:      Registration information: ftp://nic.example/',
    'remarks:      Registration information: https://',
    'remarks:      Registration information: https://nic.example/">',
    `remarks:      Registration information: https://${'x'.repeat(201)}`,
    `remarks:${' '.repeat(21)}Registration information: https://nic.example/`,
    `remarks: Registration information:${' '.repeat(21)}https://nic.example/`,
  ])('is absent in %j', (line) => {
    expect(websiteOf(line)).toBeUndefined();
  });
});

it("the root's answers for all TLDs fit into memory at once", async () => {
  const clock = { now: () => 0, monotonic: () => 0 };
  const moreThanThereAre = 2_000;
  const requests: string[] = [];
  const limits = { concurrentPerRegistry: 1, perSecondPerRegistry: 0, burstPerRegistry: 1 };
  const root = createRoot({
    clock,
    gate: new RegistryGate(createGate(limits, clock), clock),
    queryWhois: (_endpoint, tld) => {
      requests.push(tld);
      return Promise.resolve(Buffer.from(rootObject(tld, 'whois.nic.test')));
    },
    endpoint: { host: 'whois.iana.org', port: 43 },
  });
  for (let i = 0; i < 2 * moreThanThereAre; i++) {
    const context = new LookUpContext({
      clock,
      log: () => undefined,
      name: 'example',
      timeoutMs: 1_000,
      observeHop: () => undefined,
    });
    await root.find(`tld${i % moreThanThereAre}`, context);
  }
  expect(requests).toHaveLength(moreThanThereAre);
});
