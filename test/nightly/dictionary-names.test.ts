import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { misreadNames } from '../registration/words-as-names.ts';

/** Debian's package wamerican. */
const DICTIONARY = '/usr/share/dict/american-english';

test('no dictionary word, used as a name, changes the state', { timeout: 300_000 }, () => {
  const words = new Set(
    readFileSync(DICTIONARY, 'utf8')
      .toLowerCase()
      .match(/^[a-z]{2,40}$/gm),
  );
  expect(words.size).toBeGreaterThan(50_000);
  expect(misreadNames(words, 1)).toEqual([]);
});
