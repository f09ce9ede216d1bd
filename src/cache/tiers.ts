import { isUsable, isYounger } from './answer.ts';
import type { CacheEntry } from './answer.ts';

/**
 * A place beyond this process's memory where answers are kept: the machine's disk, a store shared by replicas.
 * A tier that cannot answer says that it has nothing; it never makes a request fail and is never waited for when
 * something is put into it.
 */
export interface CacheTier {
  find(key: string): CacheEntry | undefined | Promise<CacheEntry | undefined>;
  /** Returns at once; whether and when the answer is kept is the tier's own affair. */
  put(key: string, answer: CacheEntry): void;
}

/**
 * The youngest usable answer of several tiers, nearest first. Looks no further than the first tier that has a fresh
 * one, and puts it into the nearer ones.
 */
export async function findInTiers(
  tiers: readonly CacheTier[],
  key: string,
  now: number,
): Promise<CacheEntry | undefined> {
  let youngest: CacheEntry | undefined;
  for (const [depth, tier] of tiers.entries()) {
    const found = await tier.find(key);
    if (!found || !isUsable(found, now) || (youngest && !isYounger(found, youngest))) continue;
    youngest = found;
    for (const nearer of tiers.slice(0, depth)) nearer.put(key, found);
    if (now < found.freshUntil) break;
  }
  return youngest;
}
