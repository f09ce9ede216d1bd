import { readFileSync } from 'node:fs';
import { domainToASCII } from 'node:url';
import { expect, test } from 'vitest';
import { parseWhoisText } from '../../src/registration/whois/parsers/parse-whois-text.ts';
import { misreadNames } from './words-as-names.ts';

const SOURCES = [
  ...['known-sentences', 'patterns', 'placeholder', 'status-words', 'vocabulary', 'answer'].map(
    (file) => `whois/parsers/${file}.ts`,
  ),
  'rdap/error-object.ts',
];

/** Every word of the parser's tables. */
function ownWords(): Set<string> {
  const words = SOURCES.flatMap((path) => {
    const source = readFileSync(new URL(`../../src/registration/${path}`, import.meta.url), 'utf8');
    return source.toLowerCase().match(/[a-z]{2,}/g) ?? [];
  });
  return new Set(words);
}

test('no word of the parser’s tables, used as a name, changes the state', () => {
  expect(ownWords().size).toBeGreaterThan(1000);
  expect(misreadNames(ownWords(), 2)).toEqual([]);
});

test('a name that is part of a known sentence does not change the state', () => {
  const names = [
    'not-found',
    'no-match',
    'status-free',
    'already-taken',
    'reserved-seats',
    'why',
    'my-auction',
    'quota',
  ];
  expect(misreadNames(names)).toEqual([]);
});

test.each([
  ['かもめ.example', `No match for "${domainToASCII('かもめ.example')}".`],
  [domainToASCII('かもめ.example'), '“かもめ.example” not found'],
  ['grün.example', 'NOT FOUND: GRÜN.EXAMPLE.'],
  ['οδος.example', "Not found: 'ΟΔΟΣ.EXAMPLE'"],
])('a name is masked in both spellings: %s', (domain, text) => {
  expect(parseWhoisText(text, { domain }).state).toBe('not_registered');
});

test('a longer name is not masked', () => {
  for (const text of [
    'No match for my-kamome.example',
    'No match for kamome.example.org',
    'No match for www.kamome.example',
  ]) {
    expect([text, parseWhoisText(text, { domain: 'kamome.example' }).state]).toEqual([text, 'broken']);
  }
});
