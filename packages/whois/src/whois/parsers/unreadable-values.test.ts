import { describe, expect, test } from 'vitest';
import { parseWhoisText } from './parse-whois-text.ts';

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
