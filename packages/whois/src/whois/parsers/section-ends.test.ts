import { describe, expect, test } from 'vitest';
import { parseWhoisText } from './parse-whois-text.ts';
import { TextLines } from './lines.ts';
import { RecordReader } from './read-records.ts';

const DOMAIN = 'umi.example';
const HEAD = `Domain Name: ${DOMAIN}\nCreation Date: 2020-01-02\n`;
const read = (text: string) => parseWhoisText(text, { domain: DOMAIN }).parsed;

describe('a section of name servers', () => {
  test.each([
    ['below its heading', 'Name Servers:\n  ns1.umi.example\n  ns2.umi.example\n'],
    ['at the indentation of its heading', 'Name Servers:\nns1.umi.example\nns2.umi.example\n'],
    ['after an empty line', 'Name Servers:\n\n  ns1.umi.example\n\n  ns2.umi.example\n'],
    ['below a ruler', 'Name Servers\n------------\nns1.umi.example\nns2.umi.example\n'],
    ['on further lines of a value', 'Name Server: ns1.umi.example\n             ns2.umi.example\n'],
    ['below a value of an uncertain label', 'Host Name: ns1.umi.example\n           ns2.umi.example\n'],
    ['below an uncertain label', 'Host Name:\n  ns1.umi.example\n\n  ns2.umi.example\n'],
    ['below a value, not deeper', 'Name Server: ns1.umi.example\nns2.umi.example\n'],
    ['with addresses', 'Name Servers:\n  ns1.umi.example 192.0.2.1\n  ns2.umi.example [2001:db8::1]\n'],
    ['with labels', 'Name Servers:\n  Primary: ns1.umi.example\n  Secondary: ns2.umi.example\n'],
    [
      'of a zone file',
      'Name Servers:\n  umi.example. 86400 IN NS ns1.umi.example.\n  umi.example. NS ns2.umi.example.\n',
    ],
  ])('has hosts %s', (_, lines) => {
    expect(read(HEAD + lines).nameServers).toEqual(['ns1.umi.example', 'ns2.umi.example']);
  });

  test.each([
    ['a ruler', 'Name Servers:\n  ns1.umi.example\n-----\nns2.umi.example\n'],
    ['an unknown label', 'Name Servers:\n  ns1.umi.example\nNote: see below\nns2.umi.example\n'],
    [
      'an unknown label, if the hosts are not deeper',
      'Name Servers:\nns1.umi.example\nNote: see\nns2.umi.example\n',
    ],
    ['another heading', 'Name Servers:\n  ns1.umi.example\nRegistrant:\n  ns2.umi.example\n'],
    ['an empty line below a value', 'Name Server: ns1.umi.example\n\n  ns2.umi.example\n'],
    ['the end of the indentation', 'Name Servers:\n  ns1.umi.example\nns2.umi.example\n'],
  ])('ends at %s', (_, lines) => {
    expect(read(HEAD + lines).nameServers).toEqual(['ns1.umi.example']);
  });
});

test('hosts below an uncertain label give way to those of a certain one', () => {
  const lines = 'Host Name:\n  ns.yoru.example\n\nName Servers:\n  ns1.umi.example\n';
  expect(read(HEAD + lines).nameServers).toEqual(['ns1.umi.example']);
});

describe('a registrar', () => {
  test.each([
    ['on the line below its label', 'Registrar:\n  Kamome Names\n'],
    ['on the line below its label, not deeper', 'Registrar:\nKamome Names\n'],
    ['under a label of its section', 'Registrar:\n  Name: Kamome Names\n  Phone: 1\n'],
    ['below a heading without a colon', 'Registrar\n\n  Name: Kamome Names\n'],
    ['after an empty line', 'Registrar:\n\n   Kamome Names\n'],
    ['under a label without a colon', 'Domain Managers\nName\nKamome Names\n'],
  ])('is stated %s', (_, lines) => {
    expect(read(HEAD + lines).registrar).toBe('Kamome Names');
  });

  test('is not the organisation of a later object', () => {
    expect(read(`${HEAD}Registrar:\n  Phone: 1\n\nOrganization: Umi\n`).registrar).toBeNull();
    expect(read(`${HEAD}Registrar:\n\nRegistrant:\n  Name: Umi\n`).registrar).toBeNull();
  });

  test('has its own dates and statuses, which are not the domain’s', () => {
    const { updatedDate, status, registrar } = read(
      `${HEAD}Registrar:\n  Name: Kamome Names\n  Last Updated: 2021-01-02\n  Status: ok\n`,
    );
    expect([registrar, updatedDate, status]).toEqual(['Kamome Names', null, []]);
  });

  test.each(['  ', ''])(
    'does not keep the next heading of the domain from being read, below "%s"',
    (indent) => {
      const lines = `Registrar:\n${indent}Name: Kamome Names\nStatus:\n  ok\nName Servers:\n  ns1.umi.example\n`;
      expect(read(HEAD + lines)).toMatchObject({ status: ['ok'], nameServers: ['ns1.umi.example'] });
    },
  );
});

describe('a contact', () => {
  test.each([
    ['below a heading', 'Registrant:\n  Umi\n  Status: ok\n  Expires: 2030-01-02\n'],
    ['in an object', 'person: Umi\nstatus: ok\nexpires: 2030-01-02\n'.replace(/^/, '\n')],
    [
      'below a heading with fields of the domain',
      'Admin Contact:\n  Status: ok\n  Expiration Date: 2030-01-02\n',
    ],
  ])('%s gives the domain nothing', (_, lines) => {
    const { status, expirationDate } = read(HEAD + lines);
    expect([status, expirationDate]).toEqual([[], null]);
  });

  test('ends at a certain label of the domain at its indentation, not at an uncertain one', () => {
    expect(read(`${HEAD}Registrant:\n  Umi\nExpiration Date: 2030-01-02\n`).expirationDate).toBe(
      '2030-01-02',
    );
    expect(read(`${HEAD}Registrant:\nUmi\nExpires: 2030-01-02\n`).expirationDate).toBeNull();
  });

  test('in an object ends at name servers and at an empty line', () => {
    const text = `${HEAD}\nperson: Umi\nnserver: ns1.umi.example\n\nexpires: 2030-01-02\n`;
    expect(read(text)).toMatchObject({ nameServers: ['ns1.umi.example'], expirationDate: '2030-01-02' });
  });
});

test.each(['Server Name: ns.umi.example', 'Host: ns.umi.example'])(
  'a host record gives the domain nothing: %s',
  (line) => {
    const text = `${HEAD}\n${line}\nRegistrar: Iruka\nStatus: ok\n`;
    expect(read(text)).toMatchObject({ registrar: null, status: [] });
  },
);

test('the flags of a key are no status', () => {
  const key = 'flags:KSK protocol:3 algorithm:ED25519 pubKey:l02Woi0iS8Aa25FQkUd9RMzZHJpBoRQwAQEX1SxZJA4=';
  const { parsed, incomplete } = parseWhoisText(`${HEAD}\nKeys:\n        ${key}\n`, { domain: DOMAIN });
  expect([parsed.status, incomplete]).toEqual([[], []]);
});

describe('statuses', () => {
  test.each([
    ['on further lines', 'Status:\n  ok\n  inactive\n'],
    ['on further lines of a value', 'Status: ok\n        inactive\n'],
    ['under repeated labels', 'Status: ok\nStatus: inactive\n'],
    ['above advice', 'Status:\n  ok\n  Please visit the page\n  inactive\n'],
  ])('are read %s', (_, lines) => {
    expect(read(HEAD + lines).status).toEqual(['ok', 'inactive']);
  });
});

describe('labels without a colon', () => {
  test.each([
    ['Record expires on 2030-01-31', { expirationDate: '2030-01-31' }],
    ['Expires on 2030-01-31', { expirationDate: '2030-01-31' }],
    ['Record last updated on\t2021-01-31', { updatedDate: '2021-01-31' }],
    ['Registered on 2019-01-31', { creationDate: '2019-01-31' }],
  ])('%s', (line, expected) => {
    const text = `Domain Name: ${DOMAIN}\nRegistrar: Kamome\nName Server: ns1.umi.example\n\n${line}\n`;
    expect(read(text)).toMatchObject(expected);
  });

  test('state a name with its status', () => {
    expect(read('Domain UMI.EXAMPLE (ACTIVE)\nRegistrar: Kamome\n')).toMatchObject({
      domainName: DOMAIN,
      status: ['ACTIVE'],
    });
    const [record] = new RecordReader(null).read(new TextLines('Domain umi.example is for sale\n'));
    expect(record?.domain).toBeNull();
  });

  test('are no labels inside a sentence', () => {
    expect(read(`${HEAD}The record expires on 2030-01-31\n`).expirationDate).toBeNull();
    expect(read(`${HEAD}Expires once 2030-01-31\n`).expirationDate).toBeNull();
  });
});

test('a name with its state opens a record, and only the first', () => {
  const [record] = new RecordReader(null).read(new TextLines('UMI.EXAMPLE Active\nYORU.EXAMPLE Free\n'));
  expect([record?.domain, record?.status]).toEqual([DOMAIN, ['Active']]);
  expect(new RecordReader(null).read(new TextLines('UMI.EXAMPLE quite active\n'))[0]?.domain).toBeNull();
});

test('a name as the heading of a record is its name, a server’s name is not', () => {
  expect(read('umi.example:\n  Registrar: Kamome\n').domainName).toBe(DOMAIN);
  for (const server of ['whois.nic.example', 'WWW.nic.example']) {
    expect(
      new RecordReader(null).read(new TextLines(`${server}:\nRegistrar: Kamome\n`))[0]?.domain,
    ).toBeNull();
  }
});

test('two fields on one line are both read', () => {
  expect(read(`Domain Name: ${DOMAIN}\tStatus: Active\nRegistrar: Kamome\n`)).toMatchObject({
    domainName: DOMAIN,
    status: ['Active'],
  });
  expect(read(`${HEAD}Registrar: Kamome\tNote: Umi\n`).registrar).toBe('Kamome Note: Umi');
});

describe('the registrant', () => {
  const registrantOf = (line: string) =>
    new RecordReader(null).read(new TextLines(`domain: ${DOMAIN}\n${line}\n`))[0]?.registrant;

  test.each([
    ['Registrant: Umi K.K.', 'Umi K.K.'],
    ['owner: Hoshi Hana', 'Hoshi Hana'],
    ['Registrant: none', null],
    ['Registrant: your name', null],
    ['Registrant: a holder', null],
    ['Admin Contact: Umi K.K.', null],
    ['Registrant: Umi\nRegistrant: Hoshi', 'Umi'],
  ])('of %j is %j', (line, registrant) => {
    expect(registrantOf(line)).toBe(registrant);
  });
});

describe('details of registrar and registrant', () => {
  test('are read under their own labels', () => {
    const text = `${HEAD}Registrar: Kamome
Registrar IANA ID: 9999
Registrar URL: https://kamome.example
Registrar Abuse Contact Email: abuse@kamome.example
Registrar Abuse Contact Phone: +1.5555550100
Registrant Organization: Umi K.K.
Registrant Country: JP
Reseller: Iruka
DNSSEC: signedDelegation
DS Data: 12345 8 2 ABCDEF0123456789
`;
    expect(read(text)).toMatchObject({
      registrarDetails: {
        ianaId: '9999',
        url: 'https://kamome.example',
        abuseEmail: 'abuse@kamome.example',
        abusePhone: '+1.5555550100',
      },
      registrant: { organization: 'Umi K.K.', country: 'JP' },
      reseller: 'Iruka',
      dnssec: {
        signed: true,
        ds: [{ keyTag: 12345, algorithm: 8, digestType: 2, digest: 'ABCDEF0123456789' }],
      },
    });
  });

  test('are read under short labels of their sections only', () => {
    const lines = '  Name: Kamome\n  IANA ID: 9999\n  Website: kamome.example\n  Country: JP\n';
    expect(read(`${HEAD}Registrar:\n${lines}`)).toMatchObject({
      registrarDetails: { ianaId: '9999', url: 'kamome.example', abuseEmail: null, abusePhone: null },
      registrant: null,
    });
    expect(read(`${HEAD}Registrant:\n  Organization: Umi\n  Country: JP\n`)).toMatchObject({
      registrant: { organization: 'Umi', country: 'JP' },
      registrarDetails: null,
    });
    expect(read(`${HEAD}Admin Contact:\n  Organization: Umi\n  Country: JP\n`).registrant).toBeNull();
  });

  test('of invalid form are dropped', () => {
    const text = `${HEAD}Registrar: Kamome
Registrar IANA ID: none
Registrar URL: not a page
Registrar Abuse Contact Email: abuse at kamome
Registrar Abuse Contact Phone: 1
Registrant Country: 1
Registrant Organization: --
DNSSEC: perhaps
DS Data: 12345 8 ABC
`;
    expect(read(text)).toMatchObject({ registrarDetails: null, registrant: null, dnssec: null });
  });

  test.each([
    ['unsigned', false],
    ['no', false],
    ['Inactive', false],
    ['Signed delegation', true],
    ['yes', true],
    ['signedness', null],
    ['not signed yet', false],
  ])('DNSSEC: %s', (value, signed) => {
    expect(read(`${HEAD}Registrar: Kamome\nDNSSEC: ${value}\n`).dnssec?.signed ?? null).toBe(signed);
  });
});
