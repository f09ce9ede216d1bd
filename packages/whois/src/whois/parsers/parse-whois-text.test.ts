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
  )('a status of neither a registration nor a denial is unreadable: %j', (answer) => {
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

const read = (domain: string, lines: string[]) =>
  parseWhoisText(['Domain Name: ' + domain, ...lines, ''].join('\n'), { domain }).parsed;

test('JPRS and the former .ua software state the expiration in a status', () => {
  expect(read('umi.co.jp', ['[State] Connected (2027/03/31)']).expirationDate).toBe('2027-03-31');
  expect(read('umi.co.jp', ['[State] Registered (2027/03/31)']).expirationDate).toBe('2027-03-31');
  expect(read('umi.ua', ['status: OK-UNTIL 20270331121852']).expirationDate).toMatch(/^2027-03-31/);
});

test('a status is no expiration of other registries, of other words, or beside a stated date', () => {
  const lines = ['Registrar: Kamome', 'Status: Connected (2027/03/31)', 'Status: OK-UNTIL 20270331121852'];
  expect(read('umi.example', lines).expirationDate).toBeNull();
  for (const status of ['Connected (2027/03/31) x', 'x Connected (2027/03/31)', 'Deleted (2027/03/31)']) {
    expect(read('umi.jp', ['Registrar: Kamome', `Status: ${status}`]).expirationDate).toBeNull();
  }
  for (const status of [
    'OK-UNTIL 202703311218',
    'OK-UNTIL 20270331121852 x',
    'NOT OK-UNTIL 20270331121852',
  ]) {
    expect(read('umi.ua', ['Registrar: Kamome', `Status: ${status}`]).expirationDate).toBeNull();
  }
  const both = ['Expires: 2028-01-02', 'Status: Connected (2027/03/31)'];
  expect(read('umi.jp', both).expirationDate).toBe('2028-01-02');
});

test('the codes of hosts of MYNIC are no name servers; at other registries such a host is one', () => {
  const lines = ['Name Server: NS1EXMP0.SER', 'Name Server: ns1.umi.example'];
  expect(read('umi.my', lines).nameServers).toEqual(['ns1.umi.example']);
  expect(read('umi.example', lines).nameServers).toEqual(['ns1exmp0.ser', 'ns1.umi.example']);
});

describe('a field that is stated and cannot be read is incomplete, a placeholder is not', () => {
  const read = (lines: string) => {
    const text = `Domain Name: umi.example\nRegistrar: Kamome\nStatus: active\n${lines}\n`;
    const { parsed, incomplete } = parseWhoisText(text, { domain: 'umi.example' });
    return { parsed, incomplete };
  };

  test.each([
    ['Expires: soon', ['expirationDate']],
    ['Expires: 2031', ['expirationDate']],
    ['Expires: 1/2/2031', ['expirationDate']],
    ['Expires: 2031-13-41', ['expirationDate']],
    ['Created: before Aug-1996', ['creationDate']],
    ['Created:\n  before 1 January 1996', ['creationDate']],
    ['Expires: renewed 2030-01-31, expiry 2031-01-31', ['expirationDate']],
    ['Delete date: in spring', ['deletionDate']],
    ['Name Server: ns1', ['nameServers']],
    ['DNSSEC: perhaps', ['dnssec']],
    ['DNSSEC DS Data: 12345 8 ABC', ['dnssec']],
  ])('%s', (line, fields) => {
    expect(read(line).incomplete).toEqual(fields);
  });

  test.each([
    ...['N/A', 'not applicable', '', '-', 'none', 'never', '0000-00-00', '0001-01-01T00:00:00Z', 'REDACTED'],
    ...['see at www.registry.example', 'No date', 'unknown', '2031-01-02', '2031-01-02 03:04'],
  ])('Expires: %s', (value) => {
    expect(read(`Expires: ${value}`).incomplete).toEqual([]);
  });

  test.each([
    'DNSSEC: notApplicable',
    'DNSSEC: N',
    'DNSSEC: signedDelegation',
    'DNSSEC: -',
    'Name Server: none',
    'Name Server: not.defined',
  ])('%s', (line) => {
    expect(read(line).incomplete).toEqual([]);
  });

  test('is a value if another line states it', () => {
    const { parsed, incomplete } = read('Expires: soon\nExpiration Date: 2031-01-02');
    expect([parsed.expirationDate, incomplete]).toEqual(['2031-01-02', []]);
  });

  test('a DNSKEY shows a signature', () => {
    const { parsed, incomplete } = read('Dnskey: 257 3 8 AwEAAb');
    expect([parsed.dnssec, incomplete]).toEqual([{ signed: true, ds: [] }, []]);
  });
});
