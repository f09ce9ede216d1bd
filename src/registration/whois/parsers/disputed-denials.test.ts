import { describe, expect, test } from 'vitest';
import { parseWhoisText } from './parse-whois-text.ts';

const domain = 'amostra.example';
const stateOf = (text: string) => parseWhoisText(text, { domain }).state;

/** A form that nobody has filled in. */
const FORM = 'Domain Name:\nRegistrar:\nCreation Date:\nName Server:\nStatus:\n';
const FORM_OF_NAME = FORM.replace('Name:', `Name: ${domain}`);

describe('an empty form beside a "no"', () => {
  const orders: [string, (no: string, form: string) => string][] = [
    ['above', (no, form) => `${form}\n${no}\n`],
    ['right above', (no, form) => `${form}${no}\n`],
    ['below', (no, form) => `${no}\n\n${form}`],
    ['right below', (no, form) => `${no}\n${form}`],
    ['with CRLF', (no, form) => `${form}\n${no}\n`.replaceAll('\n', '\r\n')],
    ['in capitals', (no, form) => `${form}\n${no}\n`.toUpperCase()],
  ];

  test.each(orders)('takes nothing from one about the very name: %s', (_, around) => {
    for (const form of [FORM, FORM_OF_NAME]) {
      expect(stateOf(around(`No match for ${domain}`, form))).toBe('not_registered');
      expect(stateOf(around(`Domain ${domain} not found.`, form))).toBe('not_registered');
    }
  });

  test.each(orders)('adds nothing to one about another name: %s', (_, around) => {
    expect(stateOf(around('No match for yoru.example', FORM))).toBe('broken');
  });

  test('is none itself', () => {
    expect([stateOf(FORM), stateOf(FORM_OF_NAME)]).toEqual(['broken', 'broken']);
  });
});

describe('what is not found right below a label', () => {
  const labels = [
    'Registrar',
    'Registrant',
    'Admin Contact',
    'Name servers',
    'Creation Date',
    'Titular',
    'Glue',
    '履歴',
  ];

  test.each([
    'Not found',
    'No match',
    'No data found',
    'NOT FOUND',
    'Object does not exist',
    'No entries found',
  ])('is its value, and no "no": %s', (no) => {
    for (const label of labels) {
      expect([label, stateOf(`Domain Name: ${domain}\n${label}:\n   ${no}\n`)]).toEqual([label, 'broken']);
      expect([label, stateOf(`${label}:\r\n${no}\r\n`)]).toEqual([label, 'broken']);
    }
  });

  test.each(['Result', 'Domain status', 'Domain Name', 'Answer', 'Search results for your query'])(
    'is a "no" below "%s"',
    (label) => {
      expect(stateOf(`${label}:\n   No entries found\n`)).toBe('not_registered');
    },
  );
});

describe('a "no" beside a line that says otherwise of the name is not believed', () => {
  test.each([
    `${domain} is already taken.`,
    `${domain}: taken`,
    `${domain}: unavailable`,
    `${domain} is not free.`,
    `${domain} is not available`,
    `Sorry, ${domain} is not available.`,
    `${domain} is no longer available.`,
    `${domain} is not managed by this registry.`,
    `Die Domain ${domain} ist nicht frei.`,
    `Le domaine ${domain} n'est pas disponible.`,
    `El dominio ${domain} no está disponible.`,
    `Il dominio ${domain} non è libero`,
    `De domeinnaam ${domain} is niet vrij`,
    `Doména ${domain} není volná`,
    `Домен ${domain} не свободен`,
    `${domain} alan adı müsait değil`,
  ])('%s', (line) => {
    for (const no of [`No match for ${domain}`, 'Not found']) {
      const texts = [`${line}\n${no}`, `${no}\n${line}`, `% ${line}\r\n\r\n% ${no}\r\n`];
      expect(texts.map(stateOf).filter((state) => state === 'not_registered')).toEqual([]);
    }
  });

  test.each([
    `Query: ${domain}`,
    `You asked: ${domain}`,
    `% Information related to '${domain}'`,
    `object:.............${domain}`,
    `[${domain}]`,
  ])('and stands beside an echo of the question: %s', (line) => {
    expect(stateOf(`${line}\nNo entries found`)).toBe('not_registered');
  });
});

describe('a status that says "no"', () => {
  const words = ['free', 'AVAILABLE', 'Not registered', 'No match', 'frei', '220 Available'];

  test.each(words)('is one beside the name: %s', (status) => {
    expect(stateOf(`Domain: ${domain}\nStatus: ${status}\n`)).toBe('not_registered');
    expect(stateOf(`${FORM_OF_NAME.trimEnd()} ${status}\r\n`)).toBe('not_registered');
  });

  test.each([
    'Registrar: Kamome Names',
    'Name Server: ns1.umi.example',
    'Creation Date: 2020-01-02',
    'Registrant: Kamome K.K.',
    'Status: error',
    'Status: active',
    'Error: timeout',
    'Message: database is down',
    'Reason: backend unreachable',
    '\nThis service is under maintenance',
    '\nService temporarily unavailable',
    'Rate limit exceeded',
    '\nAccess denied',
    `\n${domain} is reserved`,
  ])('is none beside what contradicts it: %s', (line) => {
    for (const status of words) {
      for (const text of [
        `Domain: ${domain}\nStatus: ${status}\n${line}`,
        `${line}\n\nDomain: ${domain}\nStatus: ${status}`,
      ]) {
        expect([text, stateOf(text)]).not.toEqual([text, 'not_registered']);
      }
    }
  });
});

describe('a sentence that says "no"', () => {
  test.each([
    'Registered on 2020-01-02',
    'Creation Date: 2020-01-02',
    'Name Server: ns1.umi.example',
    'Registrant: Kamome K.K.',
    'Registrar: Kamome Names',
    'Status: active',
    'Error: timeout',
    'Message: database is down',
    'Warning: stale data',
    'Code: 500',
    'Connection reset',
    'Session expired',
    'Lookup incomplete',
    'fatal: cannot open index',
  ])('is none beside a fact of a registration or a line of trouble: %s', (line) => {
    const texts = [`No match for ${domain}`, 'Domain not found', `${domain} is free`].flatMap((no) => [
      `${no}\n${line}`,
      `${line}\n\n${no}`,
      `${no}\r\n\r\n${line}\r\n`,
    ]);
    expect(texts.filter((text) => stateOf(text) === 'not_registered')).toEqual([]);
  });

  test.each(['%ERROR:101: no entries found', 'Error: no match', 'Result: Not found'])(
    'may be an error itself: %s',
    (line) => {
      expect(stateOf(`${line}\n\nNo match for ${domain}`)).toBe('not_registered');
    },
  );
});
