import type { StoredAnswer } from './stored-answer.ts';

/**
 * A place beyond this process's memory where answers are kept: the machine's disk, a store shared by replicas.
 * A tier that cannot answer says that it has nothing; it never makes a request fail and is never waited for when
 * something is put into it.
 */
export interface CacheTier {
  /** For the log and for metrics. */
  readonly name: string;
  find(key: string): StoredAnswer | undefined | Promise<StoredAnswer | undefined>;
  /** Returns at once; whether and when the answer is kept is the tier's own affair. */
  put(key: string, answer: StoredAnswer): void;
}

/** Several tiers as one, nearest first. */
export interface TierChain {
  /**
   * The youngest usable answer, undefined when no tier has one. Looks no further than the first tier that has a
   * fresh one, and puts it into the nearer ones.
   */
  find(key: string, now: number): Promise<StoredAnswer | undefined>;
  put(key: string, answer: StoredAnswer): void;
}

export function createTierChain(tiers: readonly CacheTier[]): TierChain {
  return {
    find: async (key, now) => {
      let youngest: StoredAnswer | undefined;
      for (const [depth, tier] of tiers.entries()) {
        const found = await tier.find(key);
        if (!found || now >= found.keepUntil || found.storedAt <= (youngest?.storedAt ?? 0)) continue;
        youngest = found;
        for (const nearer of tiers.slice(0, depth)) nearer.put(key, found);
        if (now < found.freshUntil) break;
      }
      return youngest;
    },
    put: (key, answer) => {
      for (const tier of tiers) tier.put(key, answer);
    },
  };
}
