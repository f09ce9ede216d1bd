import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { misreadNames } from './words-as-names.ts';

const SOURCES = [
  'whois/data/known-sentences.json',
  ...['patterns', 'placeholder', 'status-words', 'vocabulary', 'answer'].map(
    (file) => `whois/parsers/${file}.ts`,
  ),
  'rdap/error-object.ts',
];

/** Every word of the parser's tables. */
function ownWords(): Set<string> {
  const words = SOURCES.flatMap((path) => {
    const source = readFileSync(new URL(`../../packages/whois/src/${path}`, import.meta.url), 'utf8');
    return source.toLowerCase().match(/[a-z]{2,}/g) ?? [];
  });
  return new Set(words);
}

test('no word of the parser’s tables, used as a name, changes the state', () => {
  expect(ownWords().size).toBeGreaterThan(1000);
  expect(misreadNames(ownWords(), 2)).toEqual([]);
});

test('a name that is part of a known sentence does not change the state', () => {
  const names = 'not-found no-match status-free already-taken reserved-seats why my-auction quota';
  expect(misreadNames(names.split(' '))).toEqual([]);
});
