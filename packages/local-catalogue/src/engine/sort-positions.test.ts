import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KEY_LETTERS, KEY_WORDS } from './layout.ts';
import { compareKeys, packKey } from './letters.ts';
import { divideKeys } from './sort-positions.ts';

const word = fc.string({
  unit: fc.constantFrom('あ', 'い', 'う', 'z', '\uffff'),
  minLength: 1,
  maxLength: KEY_LETTERS,
});

function keysOf(words: readonly string[]): Uint32Array {
  const keys = new Uint32Array(words.length * KEY_WORDS);
  for (const [index, text] of words.entries()) {
    const units = Uint16Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
    packKey(units, 0, units.length, keys, index * KEY_WORDS);
  }
  return keys;
}

it('keys sort like their letters', () => {
  fc.assert(
    fc.property(word, word, (one, other) => {
      const keys = keysOf([one, other]);
      expect(Math.sign(compareKeys(keys, 0, keys, KEY_WORDS))).toBe(one < other ? -1 : one > other ? 1 : 0);
    }),
  );
});

describe('ranges of keys', () => {
  const countOf = (keys: Uint32Array, { low, high }: ReturnType<typeof divideKeys>[number]): number => {
    let count = 0;
    for (let at = 0; at < keys.length; at += KEY_WORDS) {
      const isAfter = low === null || compareKeys(keys, at, low, 0) >= 0;
      if (isAfter && (high === null || compareKeys(keys, at, high, 0) < 0)) count += 1;
    }
    return count;
  };

  it('contain each key once, also if many are equal', () => {
    fc.assert(
      fc.property(fc.array(word, { maxLength: 60 }), fc.integer({ min: 0, max: 9 }), (words, parts) => {
        const keys = keysOf(words);
        const ranges = divideKeys(keys, parts);
        expect(ranges.length).toBeLessThanOrEqual(Math.max(1, parts));
        expect(ranges.reduce((sum, range) => sum + countOf(keys, range), 0)).toBe(words.length);
      }),
    );
  });

  it.each([1, 2, 3, 7, 10])('have the same number of different keys, if they are %d', (parts) => {
    // So that there is memory for the positions of each range.
    const words = Array.from({ length: 210 }, (_, at) => String.fromCharCode(0x3042 + ((at * 37) % 210)));
    const counts = divideKeys(keysOf(words), parts).map((range) => countOf(keysOf(words), range));
    expect(counts).toEqual(Array.from({ length: parts }, () => 210 / parts));
  });
});
