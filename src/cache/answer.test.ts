import { describe, expect, it } from 'vitest';
import { policy } from '../../test/cache/cache-under-test.ts';
import { isFresh, isUsable, isYounger, createCacheEntry } from './answer.ts';

const NOW = 1_000_000_000_000;
const kept = createCacheEntry({ data: 1, meta: {} }, policy, NOW);

describe('a kept answer', () => {
  it('is fresh until the moment at which its time is over', () => {
    expect(isFresh(kept, NOW + 59_999)).toBe(true);
    expect(isFresh(kept, NOW + 60_000)).toBe(false);
  });

  it('of a clock that is a second ahead is as good as any; of one further ahead it is not there', () => {
    for (const judge of [isFresh, isUsable]) {
      expect(judge(kept, NOW - 1_000)).toBe(true);
      expect(judge(kept, NOW - 1_001)).toBe(false);
    }
  });

  it('is as old as its data, which no clock makes younger than now', () => {
    const asOf = NOW - 3_600_000;
    expect(createCacheEntry({ data: 1, meta: {}, asOf }, policy, NOW)).toMatchObject({
      storedAt: asOf,
      freshUntil: NOW + 60_000,
      keepUntil: asOf + 14 * 86_400_000,
    });
    expect(createCacheEntry({ data: 1, meta: {}, asOf: NOW + 5_000 }, policy, NOW).storedAt).toBe(NOW);
  });

  it('gives way to one of younger data; of the same data to one that is fresh for longer', () => {
    const of = (storedAt: number, freshUntil: number) => ({ ...kept, storedAt, freshUntil });
    expect(isYounger(of(2, 1), of(1, 9))).toBe(true);
    expect(isYounger(of(1, 9), of(2, 1))).toBe(false);
    expect(isYounger(of(1, 9), of(1, 8))).toBe(true);
    expect(isYounger(of(1, 8), of(1, 9))).toBe(false);
    expect(isYounger(kept, kept)).toBe(false);
  });
});
