import { describe, expect, it } from 'vitest';
import { chanceOf, seededRandom } from '../../../narou/test/random-questions.ts';
import { countBits, createBits, fullBits, hasBit, listBits, setBit } from './bitmaps.ts';
import { bitsOfRange, ranksOf, withCheckpoints } from './orders.ts';
import { pageOf } from './page.ts';
import type { Segment } from './segment.ts';

const { below } = chanceOf(seededRandom(3));

function shuffled(size: number): Uint32Array {
  const ids = Uint32Array.from({ length: size }, (_, id) => id);
  for (let left = size; left > 1; left--) {
    const other = below(left);
    [ids[left - 1], ids[other]] = [ids[other]!, ids[left - 1]!];
  }
  return ids;
}

describe('a page', () => {
  const size = 20_000;
  const ids = shuffled(size);
  const ranking = { ids, ranks: ranksOf(ids) };
  const segment = { size, scratch: { ranks: createBits(size) } } as unknown as Segment;

  // From hits that are sorted to hits that are walked to, from either end, and ranked in between.
  it.each([0, 1, 40, 2048, 2049, 5000, 15_000, size])(
    'of %d hits equals that of sorting all of them',
    (count) => {
      const hits = shuffled(size).subarray(0, count);
      const bits = createBits(size);
      for (const id of hits) setBit(bits, id);
      const sorted = [...hits].sort((a, b) => ranking.ranks[a]! - ranking.ranks[b]!);
      const skips = [0, 1, 63, 64, 65, count >> 2, count >> 1, count - 21, count - 1, count, count + 5];
      for (const skip of skips.filter((each) => each >= 0)) {
        for (const rows of [0, 1, 20, 500]) {
          const wanted = sorted.slice(skip, skip + rows);
          expect([...pageOf(segment, { count, ids: null, bits }, ranking, skip, rows)]).toEqual(wanted);
          expect([...pageOf(segment, { count, ids: hits, bits }, ranking, skip, rows)]).toEqual(wanted);
        }
      }
    },
  );
});

describe('a range', () => {
  it.each([0, 1, 31, 32, 33, 1000, 5003])('of %d values includes both ends', (size) => {
    const values = Uint32Array.from({ length: size }, () => below(50) * 10);
    const ids = Uint32Array.from(values, (_, id) => id).sort((a, b) => values[a]! - values[b]!);
    const sought = withCheckpoints({ ids, values });
    const bits = createBits(size);
    for (let requestCount = 0; requestCount < 60; requestCount++) {
      const [min, max] = [below(520) - 10, requestCount % 7 === 0 ? Infinity : below(520)];
      bitsOfRange(sought, min, max, bits);
      const wanted = [...values.keys()].filter((id) => values[id]! >= min && values[id]! <= max);
      expect([...values.keys()].filter((id) => hasBit(bits, id))).toEqual(wanted);
      expect(countBits(bits)).toBe(wanted.length);
    }
  });
});

describe('bits', () => {
  it.each([0, 1, 31, 32, 33, 64, 100])('of all %d ids are counted', (size) => {
    expect(countBits(fullBits(size))).toBe(size);
  });

  it('are listed from any offset', () => {
    const bits = createBits(300);
    const set = [0, 31, 32, 33, 63, 64, 127, 128, 200, 255, 299];
    for (const id of set) setBit(bits, id);
    for (let skip = 0; skip <= set.length; skip++) {
      for (const rows of [1, 3, 20]) {
        const out = new Uint32Array(rows);
        const count = listBits(bits, skip, out);
        expect([...out.subarray(0, count)]).toEqual(set.slice(skip, skip + rows));
      }
    }
  });
});
