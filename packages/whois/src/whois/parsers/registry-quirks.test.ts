import { expect, test } from 'vitest';
import { parseWhoisText } from './parse-whois-text.ts';

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
