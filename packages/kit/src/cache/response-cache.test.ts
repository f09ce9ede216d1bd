import { describe, expect, it } from 'vitest';
import {
  DAY_MS,
  cacheOver,
  counted,
  failing,
  loaded,
  memoryStore,
  policy,
  send,
  textOf,
  storedCache,
  timedCache,
} from '../../test/cache/cache-under-test.ts';
import { manualClock } from '../../test/manual-clock.ts';
import { ERRORS, ServiceError } from '../errors.ts';

const NOT_CACHED = {
  freshSeconds: 0,
  staleWhileRevalidateSeconds: 0,
  staleIfErrorSeconds: 0,
  absentSeconds: 0,
};

describe('the response cache', () => {
  it('loads simultaneous equal misses once', async () => {
    const { cache, store } = storedCache();
    const { count, load } = counted(loaded(1));
    const answers = await Promise.all(Array.from({ length: 100 }, () => cache.get(send('k', load), policy)));
    expect(count.calls).toBe(1);
    expect(store.lookUps).toBe(1);
    expect(answers.map(({ outcome }) => outcome).sort()).toEqual([
      ...Array.from({ length: 99 }, () => 'collapsed'),
      'miss',
    ]);
  });

  it('serves cached responses after a restart, without a load', async () => {
    const { cache, restarted, clock } = storedCache();
    await cache.get(send('k', loaded('kept')), policy);
    const later = restarted();
    const { entry, outcome } = await later.get(send('k', failing), policy);
    expect([outcome, textOf(entry)]).toEqual(['hit', '"kept"']);
    expect(later.findFresh('k', clock.now() + 59_999)).toBe(entry);
    expect(later.findFresh('k', clock.now() + 60_000)).toBeUndefined();
  });

  it('serves stale responses after a restart while the source is down, for exactly 14 days', async () => {
    const { cache, restarted, time } = storedCache();
    await cache.get(send('k', loaded('kept')), policy);
    time.ms += 14 * DAY_MS - 1;
    const { entry, outcome } = await restarted().get(send('k', failing), policy);
    expect([outcome, textOf(entry)]).toEqual(['stale', '"kept"']);
    time.ms += 1;
    await expect(restarted().get(send('k', failing), policy)).rejects.toThrow(ServiceError);
  });

  it('counts the age of a response from that of its data, which never lies in the future', async () => {
    const { cache, time } = timedCache();
    const NOW = time.ms;
    const entryFrom = async (asOf: number) => {
      const load = () => Promise.resolve({ data: 1, meta: {}, asOf });
      const { entry } = await cache.get(send(`${asOf}`, load), policy);
      return [entry.fetchedAt, entry.freshUntil, entry.staleIfErrorUntil].map((at) => at - NOW);
    };
    expect(await entryFrom(NOW - 3_600_000)).toEqual([-3_600_000, 60_000, 14 * DAY_MS - 3_600_000]);
    expect(await entryFrom(NOW + 5_000)).toEqual([0, 60_000, 14 * DAY_MS]);
    // Caches of clients keep it no longer than this one does.
    expect(await entryFrom(NOW - 14 * DAY_MS + 10_000)).toEqual([-14 * DAY_MS + 10_000, 10_000, 10_000]);
  });

  it('never caches a failure, and caches an absence for a minute', async () => {
    const lasting = { ...policy, freshSeconds: 600 };
    const { cache, clock, time, store } = storedCache();
    await expect(cache.get(send('k', failing), lasting)).rejects.toThrow(ServiceError);
    expect(store.entries.size).toBe(0);
    const absent = await cache.get(
      send('k', () => Promise.reject(new ServiceError(ERRORS.not_found))),
      lasting,
    );
    expect(absent.entry.status).toBe(404);
    time.ms += 59_999;
    expect((await cacheOver(store, clock).get(send('k', failing), lasting)).entry.status).toBe(404);
    time.ms += 1;
    expect((await cacheOver(store, clock).get(send('k', loaded(1)), lasting)).entry.status).toBe(200);
  });

  it('caches an absence for a minute in memory and in the store, however long data are fresh', async () => {
    const lasting = { ...policy, freshSeconds: 600 };
    const { cache, store, time } = storedCache();
    const begun = time.ms;
    await cache.get(
      send('k', () => Promise.reject(new ServiceError(ERRORS.not_found))),
      lasting,
    );
    expect(store.entries.get('k')).toMatchObject({ status: 404, staleIfErrorUntil: begun + 60_000 });
    time.ms += 59_999;
    expect((await cache.get(send('k', failing), lasting)).entry.status).toBe(404);
    time.ms += 1;
    expect((await cache.get(send('k', loaded(1)), lasting)).entry.status).toBe(200);
  });

  it('keeps its entry after a failure, and asks the source again for the next request', async () => {
    const { cache, time } = timedCache();
    await cache.get(send('k', loaded('good')), policy);
    time.ms += DAY_MS;
    expect((await cache.get(send('k', failing), policy)).outcome).toBe('stale');
    expect(textOf((await cache.get(send('k', loaded('new')), policy)).entry)).toBe('"new"');
  });

  it('keeps an entry that may be served as stale when a later response is not to be cached', async () => {
    const { cache, time } = timedCache();
    await cache.get(send('k', loaded('whole')), policy);
    time.ms += DAY_MS;
    const part = () => Promise.resolve({ data: 'part', meta: {}, policy: NOT_CACHED });
    expect(textOf((await cache.get(send('k', part), policy)).entry)).toBe('"part"');
    const { entry, outcome } = await cache.get(send('k', failing), policy);
    expect([outcome, textOf(entry)]).toEqual(['stale', '"whole"']);
  });

  it('uses the response that another process has refreshed instead of loading it', async () => {
    const { cache: one, restarted, time } = storedCache();
    const two = restarted();
    await one.get(send('k', loaded('old')), policy);
    await two.get(send('k', failing), policy);
    time.ms += 61_000;
    expect((await one.get(send('k', loaded('new')), policy)).outcome).toBe('revalidating');
    await expect.poll(() => one.stats.loading).toBe(0);
    expect((await two.get(send('k', failing), policy)).outcome).toBe('revalidating');
    await expect.poll(() => two.stats.loading).toBe(0);
    expect(textOf((await two.get(send('k', failing), policy)).entry)).toBe('"new"');
  });

  it('begins one load a turn of the event loop', async () => {
    const { cache } = timedCache();
    const turns: number[] = [];
    let current = 0;
    const count = () => {
      current++;
      if (turns.length < 20) setImmediate(count);
    };
    setImmediate(count);
    const load = () => {
      turns.push(current);
      return loaded('x')();
    };
    await Promise.all(Array.from({ length: 20 }, (_, index) => cache.get(send(`k${index}`, load), policy)));
    expect(new Set(turns).size).toBe(20);
  });
});

describe('the memory of the cache', () => {
  /** Loads entries of so many bytes. */
  function memoryOf(maxBytes: number) {
    const { cache, clock, time } = timedCache({ maxBytes });
    const load = (key: string, bytes: number) => cache.get(send(key, loaded('x'.repeat(bytes - 2))), policy);
    const has = (key: string) => cache.findFresh(key, clock.now()) !== undefined;
    return { cache, time, load, has };
  }

  it('never exceeds its bound, whatever the sizes', async () => {
    const { cache, load, has } = memoryOf(1_200_000);
    for (let i = 0; i < 300; i++) {
      if (i < 100) await load(`large ${i}`, 65_537);
      await load(`small ${i}`, 5_000);
      expect(cache.stats.bytes).toBeLessThanOrEqual(1_200_000);
    }
    expect(has('small 299')).toBe(true);
    const tiny = memoryOf(1_200_000);
    for (let i = 0; i < 1_000; i++) await tiny.load(`tiny ${i}`, 5);
    // Each has objects and header blocks, too.
    expect(tiny.cache.stats.entries).toBeLessThan(600);
    const none = memoryOf(1);
    await none.load('k', 10);
    expect([none.has('k'), none.cache.stats.entries]).toEqual([false, 0]);
  });
});

describe('of memory and store, the cache', () => {
  /** A store whose entry was loaded so long ago. */
  async function storeFrom(agoMs: number, data: unknown) {
    const store = memoryStore();
    const { clock, time } = manualClock();
    time.ms -= agoMs;
    await cacheOver(store, clock).get(send('k', loaded(data)), policy);
    return store;
  }
  const { clock } = manualClock();

  it('takes what is up to a second from the future: clocks of replicas differ, and may be set back', async () => {
    for (const [agoMs, outcome] of [
      [-1_000, 'hit'],
      [-1_001, 'miss'],
      [-23 * 3_600_000, 'miss'],
    ] as const) {
      const store = await storeFrom(agoMs, 'future');
      expect((await cacheOver(store, clock).get(send('k', loaded('new')), policy)).outcome).toBe(outcome);
    }
  });

  it('does not search the store while the entry in memory is fresh', async () => {
    const { cache, store, time } = storedCache();
    await cache.get(send('k', loaded('kept')), policy);
    time.ms += 59_999;
    await cache.get(send('k', failing), policy);
    expect(store.lookUps).toBe(1);
  });

  it('keeps the younger of both, if the store missed one', async () => {
    const { cache, store, time } = storedCache();
    await cache.get(send('k', loaded('old')), policy);
    store.put = () => undefined;
    time.ms += DAY_MS;
    await cache.get(send('k', loaded('new')), policy);
    time.ms += DAY_MS;
    const { entry, outcome } = await cache.get(send('k', failing), policy);
    expect([outcome, textOf(entry)]).toEqual(['stale', '"new"']);
  });

  it('loads anew when the entry in the store is stale', async () => {
    const store = await storeFrom(60_000, 'old');
    const { entry, outcome } = await cacheOver(store, clock).get(send('k', loaded('new')), policy);
    expect([outcome, textOf(entry), textOf(store.entries.get('k')!)]).toEqual(['miss', '"new"', '"new"']);
  });
});
