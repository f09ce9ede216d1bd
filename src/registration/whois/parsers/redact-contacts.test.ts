import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { redactContacts } from './redact-contacts.ts';

const HEAD = 'Domain Name: umi.example\n';
const redacted = (lines: string) => {
  const text = redactContacts(HEAD + lines, { domain: 'umi.example' });
  expect(text.startsWith(HEAD)).toBe(true);
  return text.slice(HEAD.length);
};
const GONE = '[contact removed]\n';

describe('a contact is removed', () => {
  test.each([
    ['below a heading without a colon and an empty line', 'Holder\n\nHoshi Hana\n1 Harbour Road\n', GONE],
    [
      'below a heading, whatever the indentation',
      'Admin Contact:\nHoshi Hana\n  1 Harbour Road\n Umi\n',
      GONE,
    ],
    [
      'in an object with its continuations',
      'Registrar: Kamome\n\nperson: Hoshi Hana\n   Umi\nphone: 1\n',
      `Registrar: Kamome\n\n${GONE}`,
    ],
    ['below a heading, under labels that nobody knows', 'Holder\n\nPhone: 1\nZarbl: 2\n', GONE],
    ['by its label alone', 'Registrant Fax: 1\nTech Pager: 2\nBilling Contact Room: 3\n', GONE],
    ['by its label without a heading', 'Telephone: 1\nTown: Umi\nSurname: Hoshi\n', GONE],
    ['by an address in a value', 'Note: hoshi@umi.example\n', GONE],
    ['by a number in a value', 'Note: +1.5555550100\nNote: +81 (3) 555-0100\n', GONE],
    ['by an address on its own line', 'hoshi@umi.example\n', GONE],
    ['in words like those of a sentence', 'Holder:\nthe house beside the old harbour of the town\n', GONE],
    ['with an unknown label, or none', 'Note: 1 2\numi @ hoshi\nName: ns1.umi.example\n', GONE],
    ['after another one, once each', 'Holder:\n Hoshi\n\nAdmin Contact:\n Umi\n', GONE],
  ])('%s', (_, lines, expected) => {
    expect(redacted(lines)).toBe(expected);
  });
});

describe('below a contact remain', () => {
  test.each([
    'Expiration Date: 2030-01-02\n',
    'Name Servers:\n  ns1.umi.example\n',
    'DNSSEC: unsigned\n',
    'DS Data: 12345 8 2 ABCDEF0123456789\n',
    'Registrar: Kamome\n',
    'Status: ok\n',
  ])('%j', (fact) => {
    expect(redacted(`Registrant:\n  Hoshi Hana\n  1 Harbour Road\n${fact}`)).toBe(GONE + fact);
  });

  test('lines after an empty line', () => {
    expect(redacted('Registrant:\n\n  Hoshi Hana\n\nStatus: ok\n')).toBe(`${GONE}\nStatus: ok\n`);
  });

  test('name servers in its object', () => {
    expect(redacted('\nnsset: UMI\nnserver: ns1.umi.example\ntech-c: HOSHI\n')).toBe(
      `\n${GONE}nserver: ns1.umi.example\n${GONE}`,
    );
  });

  test('contacts for abuse reports in it', () => {
    const abuse = 'Abuse contact email: abuse@umi.example\nAbuse contact phone: +1.5555550100\n';
    expect(redacted(`Registrant:\nHoshi\n${abuse}`)).toBe(GONE + abuse);
  });
});

describe('no contact is', () => {
  test.each([
    'Domain:\n  Name: umi\n',
    'Registrar:\n  Name: Kamome\n  Phone: 1\n  City: Umi\n',
    'Registrar URL: https://kamome.example\n',
    'Registrar IANA ID: 9999\n',
    'Reseller: Gaivota Hosting\n',
    'Registrar Abuse Contact Email: abuse@kamome.example\n',
    'Disclaimer:\nNobody vouches for these data.\n',
    'WHOIS:\nNobody vouches for these data.\n',
    '[   ]\n',
    'umi.example\n',
    'Updated: 2030-01-02T10:00:00+01:00\n',
  ])('%j', (lines) => {
    expect(redacted(lines)).toBe(lines);
  });
});

test('of a sentence only its addresses are removed', () => {
  expect(redacted('Ask the registry by mail to a@umi.example, or b@umi.example, please.\n')).toBe(
    'Ask the registry by mail to [contact removed], or [contact removed], please.\n',
  );
});

test('the last line may end with the text', () => {
  expect(redacted('Registrant Name: Hoshi')).toBe(GONE);
  expect(redacted('Status: ok')).toBe('Status: ok');
});

test('lines beyond those that are read are omitted, because nobody checked them', () => {
  const text = redacted(`${'Status: ok\n'.repeat(4000)}Registrant Name: Hoshi\n`);
  expect(text).not.toContain('Hoshi');
  expect(text.split('Status: ok')).toHaveLength(4000);
});

test('a text of another form is redacted as lines', () => {
  expect(
    redactContacts('<html><p>Registrant Name: Hoshi</p><p>Status: ok</p>', {}).trim().split(/\n+/),
  ).toEqual(['[contact removed]', 'Status: ok']);
});

test('terms of use remain, without an address in their sentences', () => {
  const text = `% Remarks to clerk@registry.example
[                             ]
*** ***
Domain Name: umi.example

Write to whois@registry.example or call +1 555 0100 123 for any further questions.
This line of the terms follows the law of 13 December, on the protection of
Registrars.

NOTICE: The date displayed in this record is the date
to: (1) allow, enable or otherwise support the reader of
all of this data. Read more at
https://registry.example/terms

本情報は登録情報の検索のためにのみ提供されます。

Disclaimer:
The registry guarantees nothing.
`;
  expect(redactContacts(text, { domain: 'umi.example' })).toBe(
    text
      .replace(/\w+@registry.example/g, '[contact removed]')
      .replace('+1 555 0100 123 ', '[contact removed]'),
  );
});

test.each([
  ['in one line', 'Domain not found\n'],
  ['in two lines', 'The domain umi.example\n is not valid!\n'],
  ['in no sentence', '*** Nothing found for this query.\n'],
])('a denial %s remains', (_how, text) => {
  expect(redactContacts(text, { domain: 'umi.example' })).toBe(text);
});

test('no line remains that has an unknown label, or none, and is no sentence', () => {
  const word = fc.stringMatching(/^[A-Z][a-z]{1,12}$/);
  const label = fc.oneof(
    fc.stringMatching(/^[a-zäöüçğşı가-힣א-תа-я]{3,20}$/),
    fc.array(word, { minLength: 2, maxLength: 4 }).map((words) => words.join(' ')),
  );
  const value = fc.array(word, { minLength: 1, maxLength: 12 }).map((words) => words.join(' '));
  const line = fc.oneof(
    value,
    fc.tuple(label, value).map(([name, given]) => `X${name}: ${given}`),
    fc.tuple(label, value).map(([name, given]) => `X${name}........: ${given}`),
    fc.tuple(label, value).map(([name, given]) => `X${name}\n   ${given}`),
  );
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 5 }), (lines) => {
      const text = `Domain Name: umi.example\n\n${lines.join('\n')}\n\nName Server: ns1.umi.example\n`;
      expect(redactContacts(text, { domain: 'umi.example' })).toBe(
        'Domain Name: umi.example\n\n[contact removed]\n\nName Server: ns1.umi.example\n',
      );
    }),
    { seed: 20261125 },
  );
});
