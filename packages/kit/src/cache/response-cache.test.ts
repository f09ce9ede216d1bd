import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import {
  DAY_MS,
  HURRIED,
  cacheOver,
  counted,
  failing,
  loaded,
  memoryTier,
  pendingLoad,
  policy,
  send,
  textOf,
  tieredCache,
  timedCache,
} from '../../test/cache/cache-under-test.ts';
import { manualClock } from '../../test/manual-clock.ts';
import type { LoadedData, Question } from './cache-entry.ts';
import { ServiceError } from '../errors.ts';

describe('the response cache over its tiers', () => {
  it('loads simultaneous equal misses once', async () => {
    const { cache, tier } = tieredCache();
    const { count, load } = counted(loaded(1));
    const answers = await Promise.all(Array.from({ length: 100 }, () => cache.get(send('k', load), policy)));
    expect(count.calls).toBe(1);
    expect(tier.lookUps).toBe(1);
    expect(answers.map(({ outcome }) => outcome).sort()).toEqual([
      ...Array.from({ length: 99 }, () => 'collapsed'),
      'miss',
    ]);
  });

  it('serves cached responses after a restart, without a load', async () => {
    const { cache, restarted, clock } = tieredCache();
    await cache.get(send('k', loaded('kept')), policy);
    const later = restarted();
    const { entry, outcome } = await later.get(send('k', failing), policy);
    expect([outcome, textOf(entry)]).toEqual(['hit', '"kept"']);
    expect(later.findFresh('k', clock.now() + 59_999)).toBe(entry);
    expect(later.findFresh('k', clock.now() + 60_000)).toBeUndefined();
  });

  it('serves stale responses after a restart while the source is down, for exactly 14 days', async () => {
    const { cache, restarted, time } = tieredCache();
    await cache.get(send('k', loaded('kept')), policy);
    time.ms += 14 * DAY_MS - 1;
    const { entry, outcome } = await restarted().get(send('k', failing), policy);
    expect([outcome, textOf(entry)]).toEqual(['stale', '"kept"']);
    time.ms += 1;
    await expect(restarted().get(send('k', failing), policy)).rejects.toThrow(ServiceError);
  });

  it('serves a response as long as it is fresh, even under a policy that keeps none', async () => {
    const { cache, time } = timedCache();
    const fleeting = { ...policy, staleIfErrorSeconds: 0 };
    await cache.get(send('k', loaded('kept')), fleeting);
    time.ms += 59_999;
    expect((await cache.get(send('k', failing), fleeting)).outcome).toBe('hit');
    time.ms += 1;
    await expect(cache.get(send('k', failing), fleeting)).rejects.toThrow(ServiceError);
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
    const { cache, clock, time, tier } = tieredCache();
    await expect(cache.get(send('k', failing), lasting)).rejects.toThrow(ServiceError);
    expect(tier.entries.size).toBe(0);
    const absent = await cache.get(
      send('k', () => Promise.reject(new ServiceError('not_found'))),
      lasting,
    );
    expect(absent.entry.status).toBe(404);
    time.ms += 59_999;
    expect((await cacheOver([tier], clock).get(send('k', failing), lasting)).entry.status).toBe(404);
    time.ms += 1;
    expect((await cacheOver([tier], clock).get(send('k', loaded(1)), lasting)).entry.status).toBe(200);
  });

  it('keeps its entry after a failure, and retries after a pause', async () => {
    const { cache, time } = timedCache();
    await cache.get(send('k', loaded('good')), policy);
    time.ms += DAY_MS;
    const { count, load } = counted(failing);
    for (let i = 0; i < 3; i++) expect((await cache.get(send('k', load), policy)).outcome).toBe('stale');
    expect(count.calls).toBe(1);
    time.ms += 5_000;
    expect((await cache.get(send('k', load), policy)).outcome).toBe('stale');
    expect(count.calls).toBe(2);
    time.ms += 5_000;
    expect(textOf((await cache.get(send('k', loaded('new')), policy)).entry)).toBe('"new"');
  });

  it('retries after the pause even if the clock was set back meanwhile', async () => {
    const { clock, time } = manualClock();
    let putBack = 0;
    const cache = cacheOver([], { ...clock, now: () => time.ms - putBack });
    await cache.get(send('k', loaded('good')), policy);
    time.ms += DAY_MS;
    expect((await cache.get(send('k', failing), policy)).outcome).toBe('stale');
    putBack = DAY_MS / 2;
    time.ms += 5_000;
    expect(textOf((await cache.get(send('k', loaded('new')), policy)).entry)).toBe('"new"');
  });

  it('uses the response that another process has refreshed instead of loading it', async () => {
    const { cache: one, restarted, time } = tieredCache();
    const two = restarted();
    await one.get(send('k', loaded('old')), policy);
    await two.get(send('k', failing), policy);
    time.ms += 61_000;
    expect((await one.get(send('k', loaded('new')), policy)).outcome).toBe('revalidating');
    await turn();
    expect((await two.get(send('k', failing), policy)).outcome).toBe('revalidating');
    await turn();
    expect(textOf((await two.get(send('k', failing), policy)).entry)).toBe('"new"');
  });

  it('fails a load at its deadline, aborts it, and still caches a result that arrives later', async () => {
    const { cache, clock } = timedCache(HURRIED);
    let arrive: (value: LoadedData) => void = () => undefined;
    let signal: AbortSignal | undefined;
    const load: Question['load'] = (context) => {
      ({ signal } = context);
      return new Promise((resolve) => (arrive = resolve));
    };
    const failure: unknown = await cache.get({ key: 'k', load }, policy).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'upstream_timeout' });
    expect(signal?.reason).toBe(failure);
    arrive({ data: 'late', meta: {} });
    await turn();
    expect(textOf(cache.findFresh('k', clock.now())!)).toBe('"late"');
  });

  it('waits for a response of many parts as long as no part is late', async () => {
    const { cache } = timedCache(HURRIED);
    const { load, arrive } = pendingLoad();
    const never = () => new Promise<never>(() => undefined);
    const many = cache.get({ ...send('many', load), isComposed: true }, policy);
    // An ordinary load that begins after it is given up before it.
    await expect(cache.get(send('k', never), policy)).rejects.toThrow();
    arrive('all');
    expect(textOf((await many).entry)).toBe('"all"');
    const stuck: Question = {
      ...send('stuck', load),
      isComposed: true,
      load: async ({ cache: others }) => {
        const part = await others.get(send('part', never), policy);
        return { data: part.data, meta: {} };
      },
    };
    await expect(cache.get(stuck, policy)).rejects.toMatchObject({ code: 'upstream_timeout' });
  });

  it('a success ends the pause after a failure', async () => {
    const { cache, time } = timedCache(HURRIED);
    const brief = { ...policy, freshSeconds: 1 };
    await cache.get(send('k', loaded('old')), brief);
    time.ms += DAY_MS;
    const { load, arrive } = pendingLoad();
    const slow = send('k', load);
    expect((await cache.get(slow, brief)).outcome).toBe('stale');
    arrive('late');
    await turn();
    time.ms += 2_000;
    expect((await cache.get(send('k', loaded('new')), brief)).outcome).toBe('revalidating');
  });

  it('a refusal of one client neither fails the requests that waited with it nor begins a pause', async () => {
    const { cache, time } = timedCache();
    const refused = () => Promise.reject<LoadedData>(new ServiceError('upstream_share_spent'));
    const both = [send('k', refused), send('k', loaded('good'))].map((question) =>
      cache.get(question, policy),
    );
    await expect(both[0]).rejects.toMatchObject({ code: 'upstream_share_spent' });
    expect(textOf((await both[1]!).entry)).toBe('"good"');
    time.ms += DAY_MS;
    expect((await cache.get(send('k', refused), policy)).outcome).toBe('stale');
    expect(textOf((await cache.get(send('k', loaded('new')), policy)).entry)).toBe('"new"');
  });

  it('weighs an entry by its data, its key and a fixed overhead', async () => {
    const { cache } = timedCache({ weight: 2.5 });
    await cache.get(send('key', loaded('x'.repeat(99))), policy);
    expect(cache.stats).toEqual({ entries: 1, bytes: Math.ceil(101 * 2.5) + 3 * 2 + 2_048, loading: 0 });
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

  it('has small entries still, however many large ones arrive', async () => {
    const { cache, load, has } = memoryOf(2_000_000);
    await load('small', 65_536);
    for (let i = 0; i < 100; i++) await load(`large ${i}`, 65_537);
    expect(['small', 'large 99', 'large 95', 'large 0'].map(has)).toEqual([true, true, true, false]);
    expect(cache.stats.bytes).toBeLessThanOrEqual(400_000 + 65_536 + 2_058);
  });

  it('never exceeds its bound, whatever the sizes', async () => {
    const { cache, load, has } = memoryOf(1_200_000);
    for (let i = 0; i < 300; i++) {
      if (i < 100) await load(`large ${i}`, 65_537);
      await load(`small ${i}`, 5_000);
      expect(cache.stats.bytes).toBeLessThanOrEqual(1_200_000);
    }
    expect(has('small 200')).toBe(true);
    const none = memoryOf(1);
    await none.load('k', 10);
    expect([none.has('k'), none.cache.stats.entries]).toEqual([false, 0]);
  });

  it('has one entry per key, whatever the size of its successor, and none that is too old', async () => {
    const { cache, time, load } = memoryOf(1_000_000);
    for (const bytes of [10, 100_000, 20]) {
      await load('k', bytes);
      expect(cache.stats).toEqual({ entries: 1, bytes: bytes + 2 + 2_048, loading: 0 });
      time.ms += 300_000;
    }
    time.ms += policy.staleIfErrorSeconds * 1_000;
    await expect(cache.get(send('k', failing), policy)).rejects.toThrow();
    expect(cache.stats).toEqual({ entries: 0, bytes: 0, loading: 0 });
  });
});

describe('of several tiers, the cache', () => {
  /** A tier whose entry was loaded so long ago. */
  async function tierFrom(agoMs: number, data: unknown) {
    const tier = memoryTier();
    const { clock, time } = manualClock();
    time.ms -= agoMs;
    await cacheOver([tier], clock).get(send('k', loaded(data)), policy);
    return tier;
  }
  const { clock } = manualClock();

  it('takes nothing from the future: a clock that was set back makes no entry fresh', async () => {
    const [future, usual] = [await tierFrom(-23 * 3_600_000, 'future'), await tierFrom(10, 'usual')];
    expect((await cacheOver([future], clock).get(send('k', loaded('new')), policy)).outcome).toBe('miss');
    const again = await tierFrom(-23 * 3_600_000, 'future');
    const { entry } = await cacheOver([again, usual], clock).get(send('k', failing), policy);
    expect(textOf(entry)).toBe('"usual"');
  });

  it('takes what is up to a second from the future: clocks of replicas differ', async () => {
    for (const [agoMs, outcome] of [
      [-1_000, 'hit'],
      [-1_001, 'miss'],
    ] as const) {
      const tier = await tierFrom(agoMs, 'future');
      expect((await cacheOver([tier], clock).get(send('k', loaded('new')), policy)).outcome).toBe(outcome);
    }
  });

  it.each([
    [1, 'second'],
    [0, 'first'],
    [-1, 'first'],
  ])('takes of equally old entries the one that is fresh for longer (%d ms)', async (longerMs, taken) => {
    const tiers = [await tierFrom(61_000, 'first'), await tierFrom(61_000, 'second')] as const;
    const second = tiers[1].entries.get('k')!;
    tiers[1].put('k', { ...second, freshUntil: second.freshUntil + longerMs });
    const { entry } = await cacheOver([...tiers], clock).get(send('k', failing), policy);
    expect(textOf(entry)).toBe(`"${taken}"`);
  });

  it('takes the youngest entry, and copies it to the nearer tiers', async () => {
    const [old, young] = [await tierFrom(600_000, 'old'), await tierFrom(300_000, 'young')];
    const further = { ...young, put: () => expect.unreachable('it is there already') };
    const { entry } = await cacheOver([old, further], clock).get(send('k', failing), policy);
    expect([textOf(entry), textOf(old.entries.get('k')!)]).toEqual(['"young"', '"young"']);
  });

  it('searches none beyond the first fresh entry', async () => {
    const further = await tierFrom(0, 'further');
    further.lookUps = 0;
    await cacheOver([await tierFrom(1, 'near'), further], clock).get(send('k', failing), policy);
    expect(further.lookUps).toBe(0);
    await cacheOver([await tierFrom(60_000, 'near'), further], clock).get(send('k', failing), policy);
    expect(further.lookUps).toBe(1);
  });
});
