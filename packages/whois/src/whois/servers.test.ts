import { describe, expect, it } from 'vitest';
import { listOf } from '../../../../test/list-of.ts';
import { queryFor, spacingOf, isPublicHostName, readReferral, readServerAddress } from './servers.ts';

describe('the query form of a server', () => {
  it.each([
    ['whois.verisign-grs.com', 'domain example.com'],
    ['ccwhois.verisign-grs.com', 'domain example.com'],
    ['whois.denic.de', '-T dn,ace example.com'],
    ['whois.punktum.dk', '--show-handles --charset=utf-8 example.com'],
    ['whois.jprs.jp', 'example.com/e'],
    ['whois.nic.name', 'domain=example.com'],
    ['whois.norid.no', '-c utf-8 example.com'],
    ['whois.museum', '-C UTF-8 example.com'],
    ['whois.nic.example', 'example.com'],
  ])('%s: %s', (server, query) => {
    expect(queryFor(server, 'example.com')).toBe(query);
  });

  it('a registry with a stated limit is queried no faster', () => {
    expect(spacingOf('whois.domain-registry.nl')).toBe(1_000);
    expect(spacingOf('whois.hkirc.hk')).toBe(10_000);
    expect(spacingOf('whois.nic.example')).toBeUndefined();
  });
});

const IANA_BLANK =
  '% returned 1 object\n\nrefer:        \n\ndomain:       LIVE\n\nwhois:        \n\nstatus: ACTIVE\n';

describe('the server that an answer refers to', () => {
  it.each([
    ['refer:        whois.nic.example', 'whois.nic.example', 43],
    ['refer: WHOIS.NIC.EXAMPLE.', 'whois.nic.example', 43],
    ['% head\r\n\r\nrefer:\twhois.nic.example\r\n\r\ndomain: X\r\n', 'whois.nic.example', 43],
    ['domain: X\rwhois: whois.nic.example\r', 'whois.nic.example', 43],
    ['domain: X\nwhois:        whois.nic.example\n', 'whois.nic.example', 43],
    ['refer:\nwhois: whois.nic.example\n', 'whois.nic.example', 43],
    ['refer: whois.nic.example:43', 'whois.nic.example', 43],
    ['refer: whois://whois.nic.example', 'whois.nic.example', 43],
    ['refer: whois.nic.example/', 'whois.nic.example', 43],
    ['refer: http://whois.nic.example', 'whois.nic.example', 43],
    ['ReferralServer: whois://whois.other.example', 'whois.other.example', 43],
    ['ReferralServer:  rwhois://rwhois.other.example:4321', 'rwhois.other.example', 4321],
    ['%referral rwhois://root.other.example:4321/auth-area=.', 'root.other.example', 4321],
    ['whois: whois.second.example\nrefer: whois.first.example', 'whois.first.example', 43],
    ['refer: not a host name\nwhois: whois.second.example', 'whois.second.example', 43],
  ])('%j leads to %s:%i', (text, host, port) => {
    expect(readReferral(text)?.endpoint).toEqual({ host, port });
  });

  it.each([
    ['a blank value, whatever the next line says', IANA_BLANK],
    ['an empty text', ''],
    ['a registrar', 'Registrar WHOIS Server: whois.registrar.example\n'],
    ['a label inside a sentence', 'please note that we refer: nobody\n'.padStart(200, 'x')],
    ['a line of 300 kB', `refer: ${'a'.repeat(300_000)}.example`],
  ])('%s contains no referral', (_, text) => {
    expect(readReferral(text)).toBeUndefined();
  });

  it('an invalid server is distinguished from no referral', () => {
    expect(readReferral('refer: 127.0.0.1\n')).toEqual({ endpoint: undefined, stated: '127.0.0.1' });
  });
});

describe('the WHOIS server that a registrar states', () => {
  it.each([
    ['whois.godaddy.example', 'whois.godaddy.example'],
    ['whois.registrar.example/', 'whois.registrar.example'],
    ['http://whois.registrar.example', 'whois.registrar.example'],
    ['https://whois.registrar.example/', 'whois.registrar.example'],
    [' whois.registrar.example ', 'whois.registrar.example'],
    ['whois.xn--bcher-kva.example', 'whois.xn--bcher-kva.example'],
  ])('%j is a server', (stated, host) => {
    expect(readServerAddress(stated)).toEqual({ host, port: 43 });
  });

  it.each([
    '',
    'whois.registrar.example\r\nrefer: evil.example',
    '\u2460\u2461.example',
    `${'a'.repeat(64)}.example`,
    `${'a.'.repeat(130)}example`,
    ...listOf(`
      This information is subject to an Acceptable Use Policy. | not defined | None | @ CoCCA |
      https://registrar.example/whois | https://www.registrar.example/whois?spm=1.2 |
      www.registrar.example/domains/whois | https://www.registrar.example | whois.registrar.example:25 |
      whois.registrar.example:80 | whois.registrar.example:65536 | whois.registrar.example:0 |
      whois.registrar.example%0d%0aevil | user@whois.registrar.example | file:///etc/passwd |
      gopher://whois.registrar.example | -whois.registrar.example | localhost | whois.localhost | intranet |
      10.0.0.1 | 0x7f.0.0.1 | 127.1 | 2130706433 | [::1] | ::1 | whois.registrar.0x7f | １２７.0.0.1
    `),
  ])('%j is not', (stated) => {
    expect(readServerAddress(stated)).toBeUndefined();
  });

  it('a host name has a dot and letters in its last label', () => {
    expect(isPublicHostName('whois.nic.example')).toBe(true);
    expect(isPublicHostName('whois')).toBe(false);
    expect(isPublicHostName('whois.nic.1')).toBe(false);
  });
});
