import { describe, expect, it } from 'vitest';
import { policy } from '../../test/cache/cache-under-test.ts';
import { isFresh, isUsable, isYounger, createDataEntry } from './cache-entry.ts';

const NOW = 1_000_000_000_000;
const entry = createDataEntry({ data: 1, meta: {} }, policy, NOW);

describe('a cached response', () => {
  it('is fresh until freshUntil, exclusively', () => {
    expect(isFresh(entry, NOW + 59_999)).toBe(true);
    expect(isFresh(entry, NOW + 60_000)).toBe(false);
  });

  it('is usable as long as it is fresh, even under a policy that keeps none', () => {
    const entry = createDataEntry({ data: 1, meta: {} }, { ...policy, staleIfErrorSeconds: 0 }, NOW);
    expect([isFresh(entry, NOW + 59_999), isUsable(entry, NOW + 59_999)]).toEqual([true, true]);
    expect(isUsable(entry, NOW + 60_000)).toBe(false);
  });

  it('is usable if stored up to a second in the future, and unusable beyond', () => {
    for (const isAllowed of [isFresh, isUsable]) {
      expect(isAllowed(entry, NOW - 1_000)).toBe(true);
      expect(isAllowed(entry, NOW - 1_001)).toBe(false);
    }
  });

  it('has the age of its data, which never lies in the future', () => {
    const asOf = NOW - 3_600_000;
    expect(createDataEntry({ data: 1, meta: {}, asOf }, policy, NOW)).toMatchObject({
      fetchedAt: asOf,
      freshUntil: NOW + 60_000,
      staleIfErrorUntil: asOf + 14 * 86_400_000,
    });
    expect(createDataEntry({ data: 1, meta: {}, asOf: NOW + 5_000 }, policy, NOW).fetchedAt).toBe(NOW);
    // Caches of clients keep it no longer than this one does.
    const old = createDataEntry({ data: 1, meta: {}, asOf: NOW - 14 * 86_400_000 + 10_000 }, policy, NOW);
    expect(old).toMatchObject({ freshUntil: NOW + 10_000, staleIfErrorUntil: NOW + 10_000 });
  });

  it('is replaced by younger data, and for equal data by the one that is fresh for longer', () => {
    const of = (fetchedAt: number, freshUntil: number) => ({ ...entry, fetchedAt, freshUntil });
    expect(isYounger(of(2, 1), of(1, 9))).toBe(true);
    expect(isYounger(of(1, 9), of(2, 1))).toBe(false);
    expect(isYounger(of(1, 9), of(1, 8))).toBe(true);
    expect(isYounger(of(1, 8), of(1, 9))).toBe(false);
    expect(isYounger(entry, entry)).toBe(false);
  });
});
