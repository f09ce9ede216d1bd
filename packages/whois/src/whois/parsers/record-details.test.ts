import { expect, it } from 'vitest';
import { parseWhoisText } from './parse-whois-text.ts';

const registrantOf = (country: string, organization: string) => {
  const text = [
    'Domain Name: HOSHIZORA.EXAMPLE',
    'Registrar: Sample Registrar',
    'Creation Date: 2020-01-01T00:00:00Z',
    `Registrant Organization: ${organization}`,
    `Registrant Country: ${country}`,
  ].join('\n');
  return parseWhoisText(text, { domain: 'hoshizora.example' }).parsed.registrant;
};

it.each([
  'REDACTED FOR PRIVACY',
  'Redacted',
  'Not Disclosed',
  'Data withheld',
  'undisclosed',
  'Private Person',
])('a registrant that the registry withholds is not published: %s', (withheld) => {
  expect(registrantOf(withheld, withheld)).toBeNull();
  expect(registrantOf('JP', withheld)).toMatchObject({ organization: null, country: 'JP' });
  expect(registrantOf(withheld, 'Hoshizora Bunko')).toMatchObject({
    organization: 'Hoshizora Bunko',
    country: null,
  });
});

it.each([
  ['Gaivota Hosting', 'Gaivota Hosting'],
  ['REDACTED FOR PRIVACY', null],
  ['Not Available', null],
])('a reseller is published, a placeholder in its place is not: %s', (stated, reseller) => {
  const text = `Domain Name: umi.example\nRegistrar: Kamome\nCreation Date: 2020-01-01\nReseller: ${stated}\n`;
  expect(parseWhoisText(text, { domain: 'umi.example' }).parsed.reseller).toBe(reseller);
});

it.each<[boolean | null | 'unread', string[]]>([
  [false, ['unsigned', 'No', 'N', 'not signed', 'Inactive', 'Unsigned delegation, no records']],
  [true, ['signedDelegation', 'Yes', 'Active', 'signed (2 keys)', 'Signed - by the registry']],
  [null, ['N/A', 'n/a', 'signed?', 'No info']],
  ['unread', ['Signed delegation: no', 'true/false', 'no longer signed', '1']],
])('whether a name is signed is stated by whole words: %s', (expected, values) => {
  for (const value of values) {
    const text = `Domain Name: umi.example\nRegistrar: Kamome\nCreation Date: 2020-01-01\nDNSSEC: ${value}\n`;
    const { parsed, incomplete } = parseWhoisText(text, { domain: 'umi.example' });
    const signed = incomplete.includes('dnssec') ? 'unread' : (parsed.dnssec?.signed ?? null);
    expect([value, signed]).toEqual([value, expected]);
  }
});

it('an organisation below a heading is that one’s, unless the name of the domain follows the heading', () => {
  const organizationIn = (text: string) => parseWhoisText(text).parsed.registrant?.organization;
  const domain = 'Domain Name: umi.example\nCreated: 2020-01-02\n';
  for (const heading of ['Privacy Service:', 'Privacy Service'])
    for (const text of [`${domain}\n${heading}\n`, `${heading}\n`])
      expect(organizationIn(`${text}Organization: Kamome\n\n${domain}`)).toBeUndefined();
  expect(organizationIn(`${domain}Privacy Service:\n  Organization: Kamome\n`)).toBeUndefined();
  for (const line of ['A remark', 'Error: none'])
    expect(organizationIn(`${domain}${line}\nOrganization: Kamome\n`)).toBe('Kamome');
  expect(organizationIn(`About it:\n${domain}Organization: Kamome\n`)).toBe('Kamome');
  expect(organizationIn(`${domain}\nOrganization: Kamome\n`)).toBe('Kamome');
});

it('of several statements of a detail the first counts, also in a joined answer, which adds what is missing', () => {
  const registry = `Domain Name: umi.example
Registrar: Kamome
Creation Date: 2020-01-01
Registrar IANA ID: none
Registrar IANA ID: 9999
Registrar IANA ID: 8888
DNSSEC: unsigned
DS Data: 1 8 2 ABCDEF01
DS Data: 2 8 2 abcdef02 ef03
`;
  const registrar = `Domain Name: umi.example
Registrar: Kamome
Registrar IANA ID: 7777
Registrar URL: https://kamome.example
DNSSEC: unsigned
DS Data: 3 8 2 ABCDEF03
`;
  const { registrarDetails, dnssec } = parseWhoisText(`${registry}\n${registrar}`, {
    domain: 'umi.example',
  }).parsed;
  expect(registrarDetails).toMatchObject({ ianaId: '9999', url: 'https://kamome.example' });
  expect(dnssec?.signed).toBe(true);
  expect(dnssec?.ds.map(({ keyTag, digest }) => [keyTag, digest])).toEqual([
    [1, 'ABCDEF01'],
    [2, 'ABCDEF02EF03'],
  ]);
});

it('a DS record that cannot be read is unknown, a key is none', () => {
  const dnssecOf = (...lines: string[]) => {
    const { parsed, incomplete } = parseWhoisText(['Domain Name: umi.example', ...lines].join('\n'));
    return [parsed.dnssec, incomplete];
  };
  const unlisted = { signed: true, ds: [] };
  for (const value of ['1 8 2 (', '1 8 2 ABCDEF', '1 8 2 AB...EF01', `1 8 2 ${'A'.repeat(129)}`])
    expect(dnssecOf('Created: 2020-01-02', `DS Data: ${value}`)).toEqual([unlisted, ['dnssec']]);
  expect(dnssecOf('Created: 2020-01-02', 'DNSKEY: 257 3 8 AwEAAa6e')).toEqual([unlisted, []]);
});

it('a registrar is read as in RDAP', () => {
  const registrarOf = (registrar: string) => {
    const text = `Domain Name: umi.example\nCreated: 2020-01-02\nRegistrar: ${registrar}\n`;
    const { parsed, incomplete } = parseWhoisText(text);
    return [parsed.registrar, incomplete];
  };
  expect(registrarOf('"Kamome  Names" (http://kamome.example)')).toEqual(['Kamome Names', []]);
  expect(registrarOf('REDACTED FOR PRIVACY')).toEqual([null, []]);
  expect(registrarOf('x'.repeat(201))).toEqual([null, ['registrar']]);
});

it('a list that is longer than any is cut, and known to be', () => {
  const listed = (hosts: number, statuses: number) => {
    const lines = [
      ...Array.from({ length: hosts }, (_, at) => `Name Server: ns${at}.umi.example`),
      ...Array.from({ length: statuses }, (_, at) => `Status: s${at}`),
    ];
    const { parsed, incomplete } = parseWhoisText(`Domain Name: umi.example\n${lines.join('\n')}`);
    return [parsed.nameServers.length, parsed.status.length, incomplete];
  };
  expect(listed(64, 40)).toEqual([64, 40, []]);
  expect(listed(65, 41)).toEqual([64, 40, ['nameServers', 'status']]);
});

it('a detail is at most 200 characters, and a delegation has at most 16 signers', () => {
  const text = (length: number) => `Domain Name: umi.example
Creation Date: 2020-01-01
Registrant Organization: ${'Umi '.repeat(length / 4).trimEnd()}K
${Array.from({ length: 20 }, (_, at) => `DS Data: ${at} 8 2 ABCDEF01`).join('\n')}
`;
  expect(parseWhoisText(text(200)).parsed.registrant?.organization).toHaveLength(200);
  expect(parseWhoisText(text(204)).parsed.registrant).toBeNull();
  const { parsed, incomplete } = parseWhoisText(text(200));
  expect([parsed.dnssec?.ds.length, incomplete]).toEqual([16, ['dnssec']]);
});
