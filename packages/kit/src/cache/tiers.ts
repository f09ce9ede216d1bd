import { isUsable, isYounger } from './cache-entry.ts';
import type { CacheEntry } from './cache-entry.ts';

/**
 * A cache beyond this process's memory: the machine's disk, or a store shared by replicas. A tier that fails reports a
 * miss: it never makes a request fail, and writes are never awaited.
 */
export interface CacheTier {
  find(key: string): CacheEntry | undefined | Promise<CacheEntry | undefined>;
  /** Returns at once. The tier decides whether and when it stores the entry. */
  put(key: string, entry: CacheEntry): void;
}

/**
 * The youngest usable entry of several tiers, nearest first. Stops at the first fresh entry, and copies it to the
 * nearer tiers.
 */
export async function findInTiers(
  tiers: readonly CacheTier[],
  key: string,
  now: number,
): Promise<CacheEntry | undefined> {
  let youngest: CacheEntry | undefined;
  for (const [depth, tier] of tiers.entries()) {
    const entry = await tier.find(key);
    if (!entry || !isUsable(entry, now) || (youngest && !isYounger(entry, youngest))) continue;
    youngest = entry;
    for (const nearer of tiers.slice(0, depth)) nearer.put(key, entry);
    if (now < entry.freshUntil) break;
  }
  return youngest;
}
