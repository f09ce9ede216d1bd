import { describe, expect, it } from 'vitest';
import { policy } from '../../test/cache/cache-under-test.ts';
import { createDataEntry } from './cache-entry.ts';
import type { CacheEntry } from './cache-entry.ts';
import { findInTiers } from './tiers.ts';
import type { CacheTier } from './tiers.ts';

const NOW = 1_000_000_000_000;

function tierWith(entry?: CacheEntry): CacheTier & { put: (key: string, entry: CacheEntry) => void } {
  let stored = entry;
  return {
    find: () => stored,
    put: (_key, given) => {
      stored = given;
    },
  };
}

const entryFrom = (ms: number) => createDataEntry({ data: ms, meta: {} }, policy, ms);

describe('the tiers beyond memory', () => {
  it('return nothing from the future: a clock that was set back keeps no entry fresh', async () => {
    const fast = entryFrom(NOW + 23 * 3_600_000);
    expect(await findInTiers([tierWith(fast)], 'k', NOW)).toBeUndefined();
    const usual = entryFrom(NOW - 10);
    expect(await findInTiers([tierWith(fast), tierWith(usual)], 'k', NOW)).toBe(usual);
  });

  it('return nothing that may no longer be served', async () => {
    const entry = entryFrom(NOW);
    expect(await findInTiers([tierWith(entry)], 'k', entry.staleIfErrorUntil - 1)).toBe(entry);
    expect(await findInTiers([tierWith(entry)], 'k', entry.staleIfErrorUntil)).toBeUndefined();
  });

  it('return the youngest entry and copy it to the nearer tiers', async () => {
    const [old, young] = [entryFrom(NOW - 600_000), entryFrom(NOW - 300_000)];
    const nearer = tierWith(old);
    const further = { ...tierWith(young), put: () => expect.unreachable('it is there already') };
    expect(await findInTiers([nearer, further], 'k', NOW)).toBe(young);
    expect(await nearer.find('k')).toBe(young);
  });

  it('are not searched beyond the first fresh entry', async () => {
    const requests: string[] = [];
    const further: CacheTier = {
      find: (key) => {
        requests.push(key);
        return undefined;
      },
      put: () => undefined,
    };
    await findInTiers([tierWith(entryFrom(NOW - 1)), further], 'k', NOW);
    expect(requests).toEqual([]);
    await findInTiers([tierWith(entryFrom(NOW - 60_000)), further], 'k', NOW);
    expect(requests).toEqual(['k']);
  });
});
