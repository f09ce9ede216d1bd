import { readFileSync } from 'node:fs';
import { domainToASCII } from 'node:url';
import { expect, test } from 'vitest';
import { parseWhoisText } from '../../src/registration/whois/parsers/parse-whois-text.ts';
import { misreadNames } from './words-as-names.ts';

const SOURCES = [
  ...['known-sentences', 'patterns', 'placeholder', 'status-words', 'vocabulary', 'answer'].map(
    (file) => `whois/parsers/${file}.ts`,
  ),
  'rdap/not-found.ts',
];

/** Every word of the parser's tables. */
function ownWords(): Set<string> {
  const words = SOURCES.flatMap((path) => {
    const source = readFileSync(new URL(`../../src/registration/${path}`, import.meta.url), 'utf8');
    return source.toLowerCase().match(/[a-z]{2,}/g) ?? [];
  });
  return new Set(words);
}

test('no word of the parser’s tables, as a name, changes its state', () => {
  expect(ownWords().size).toBeGreaterThan(1000);
  expect(misreadNames(ownWords(), 2)).toEqual([]);
});

test('a name that is a part of a known sentence does not change its state', () => {
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
])('a name in either spelling is masked: %s', (domain, text) => {
  expect(parseWhoisText(text, { domain }).state).toBe('not_registered');
});

test('a longer name is another name', () => {
  for (const text of [
    'No match for my-kamome.example',
    'No match for kamome.example.org',
    'No match for www.kamome.example',
  ]) {
    expect([text, parseWhoisText(text, { domain: 'kamome.example' }).state]).toEqual([text, 'broken']);
  }
});
