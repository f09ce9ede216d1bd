import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import {
  cacheOver,
  counted,
  failing,
  loaded,
  pendingLoad,
  policy,
  send,
  storedCache,
  timedCache,
} from '../../test/cache/cache-under-test.ts';
import type { LoadedData } from './cache-entry.ts';

describe('what the cache requests from the store and the source', () => {
  it('revalidates a stale entry once for all requests, until it is too old for that', async () => {
    const { cache, clock, time } = timedCache();
    await cache.get(send('k', loaded('old')), policy);
    time.ms += 299_999;
    let calls = 0;
    const never = send('k', () => {
      calls++;
      return new Promise<LoadedData>(() => undefined);
    });
    const outcomes = [await cache.get(never, policy), await cache.get(never, policy)];
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['revalidating', 'revalidating']);
    await expect.poll(() => calls).toBe(1);
    expect(cache.stats.loading).toBe(1);
    const later = cacheOver(undefined, clock);
    await later.get(send('k', loaded('old')), policy);
    time.ms += 300_000;
    expect((await later.get(send('k', loaded('new')), policy)).outcome).toBe('miss');
  });

  it('searches the store again for each later request', async () => {
    const { cache, clock, store } = storedCache();
    await expect(cache.get(send('k', failing), policy)).rejects.toThrow();
    const { entry } = await cacheOver(undefined, clock).get(send('k', loaded(1)), policy);
    store.put('k', entry, clock.now());
    expect((await cache.get(send('k', failing), policy)).outcome).toBe('hit');
  });

  it('searches the store once for requests that share a load', async () => {
    const { cache, store } = storedCache();
    const { load: pending, arrive } = pendingLoad();
    const { count, load } = counted(pending);
    const loading = cache.get(send('k', load), policy);
    await expect.poll(() => count.calls).toBe(1);
    const joined = cache.get(send('k', failing), policy);
    arrive(1);
    expect([(await loading).outcome, (await joined).outcome]).toEqual(['miss', 'collapsed']);
    expect(store.lookUps).toBe(1);
  });

  it('fails all waiting requests with one failure, without retrying for each', async () => {
    const { cache } = timedCache();
    const { count, load } = counted(failing);
    const settled = await Promise.allSettled([1, 2, 3].map(() => cache.get(send('k', load), policy)));
    expect([count.calls, settled.every(({ status }) => status === 'rejected')]).toEqual([1, true]);
  });
});

describe('a background revalidation', () => {
  it('that fails reaches no client, is reported, and is retried for the next request', async () => {
    const failures: string[] = [];
    const { cache, time } = timedCache({ onFailure: (key) => failures.push(key) });
    await cache.get(send('k', loaded('good')), policy);
    time.ms += 61_000;
    const outcomes: string[] = [];
    for (let i = 0; i < 2; i++) {
      outcomes.push((await cache.get(send('k', failing), policy)).outcome);
      // A rejection without a waiting client must not end the process: Vitest fails on an unhandled one.
      await turn();
    }
    expect(outcomes).toEqual(['revalidating', 'revalidating']);
    expect(failures).toEqual(['k', 'k']);
    expect(cache.stats.loading).toBe(0);
  });
});
