import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseWhoisText } from './parse-whois-text.ts';

const domain = 'amostra.example';
const linesOf = (file: string): string[] =>
  readFileSync(new URL(`../../../../fixtures/sentences/${file}`, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n');
const titled = (words: string) => words.replace(/(?<!\p{L})\p{Ll}/gu, (letter) => letter.toUpperCase());

const stateOf = (text: string) => parseWhoisText(text, { domain }).state;
const told: [string, (value: string) => string][] = [
  ['as a registrar', (value) => `Domain Name: ${domain}\nRegistrar: ${value}\n`],
  ['as a registrar, with CRLF', (value) => `Domain Name: ${domain}\r\nRegistrar: ${value}\r\n`],
  ['as a holder', (value) => `domain: ${domain}\nowner: ${value}\n`],
  ['as both, of a question', (value) => `Query: ${domain}\nRegistrar: ${value}\nRegistrant: ${value}\n`],
];

describe.each(told)('all that is told of a name, %s,', (_, around) => {
  const wrong = (values: string[]) => values.filter((value) => stateOf(around(value)) === 'registered');
  const nobody = linesOf('nobody.txt');

  test('registers it where it is somebody’s name', () => {
    const somebody = linesOf('somebody.txt');
    expect(wrong(somebody)).toEqual(somebody);
  });

  test.each([
    ['as it is', (value: string) => value],
    ['in brackets', (value: string) => `[${value}]`],
    ['as a sentence', (value: string) => `${value}.`],
  ])('registers nothing where programs and pages say so, %s', (_, written) => {
    expect(wrong(nobody.map(written))).toEqual([]);
  });

  test.each([
    ['with capitals', titled],
    ['in capitals', (value: string) => value.toUpperCase()],
  ])('seldom registers it where they say so as names are written, %s', (_, written) => {
    expect(wrong(nobody.map(written)).length).toBeLessThan(nobody.length / 6);
  });
});

test('what says nothing by itself takes nothing from a record that tells more', () => {
  const lost = linesOf('nobody.txt').filter((value) => {
    return stateOf(`Domain: ${domain}\nRegistrar: ${value}\nName Server: ns.umi.example\n`) !== 'registered';
  });
  expect(lost).toEqual([]);
});

test('of the sentences of trouble, hardly one is taken for a name', () => {
  const trouble = linesOf('trouble.txt').map((line) => line.replaceAll('{domain}', domain));
  const taken = trouble.filter((value) => told.some(([, around]) => stateOf(around(value)) === 'registered'));
  expect(taken.length).toBeLessThan(10);
});

test('a name that its registry holds itself is registered', () => {
  const value = 'No registrar listed.  This domain is registered directly with Nominet.';
  expect(stateOf(`Domain name:\n    ${domain}\n\nRegistrar:\n    ${value}\n`)).toBe('registered');
});
