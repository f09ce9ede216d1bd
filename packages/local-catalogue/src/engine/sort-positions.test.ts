import { expect, it } from 'vitest';
import { KEY_LETTERS, KEY_WORDS } from './layout.ts';
import { compareKeys, packKey } from './letters.ts';
import { divideKeys } from './sort-positions.ts';

function keysOf(words: readonly string[]): Uint32Array {
  const keys = new Uint32Array(words.length * KEY_WORDS);
  for (const [index, text] of words.entries()) {
    const units = Uint16Array.from({ length: KEY_LETTERS }, (_, at) => text.charCodeAt(at) || 0);
    packKey(units, 0, text.length, keys, index * KEY_WORDS);
  }
  return keys;
}

// Not through an index: it is the same, however uneven the ranges are. They bound the memory of a build.
it.each([1, 2, 3, 7, 10])('if keys are divided into %d ranges, each has as many', (parts) => {
  const words = Array.from({ length: 210 }, (_, at) => String.fromCharCode(0x3042 + ((at * 37) % 210)));
  const keys = keysOf(words);
  const counts = divideKeys(keys, parts).map(({ low, high }) => {
    const isInRange = (at: number) =>
      (low === null || compareKeys(keys, at, low, 0) >= 0) &&
      (high === null || compareKeys(keys, at, high, 0) < 0);
    return words.filter((_, index) => isInRange(index * KEY_WORDS)).length;
  });
  expect(counts).toEqual(Array.from({ length: parts }, () => 210 / parts));
});

it('keys of many equal words are divided into ranges that differ', () => {
  const ranges = divideKeys(keysOf(['い', 'あ', 'い', 'い', 'い', 'う']), 6);
  expect(ranges.map(({ high }) => high?.[0])).toEqual([0x3044_0000, 0x3046_0000, undefined]);
});
