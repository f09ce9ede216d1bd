import { describe, expect, it } from 'vitest';
import type { Answer, KeptAnswer, Question } from './answer.ts';
import type { CacheTier } from './tiers.ts';
import { ServiceError } from '../errors.ts';
import { ResponseCache } from './response-cache.ts';
import type { ResponseCacheOptions } from './response-cache.ts';

const DAY_MS = 86_400_000;
const policy = {
  freshSeconds: 60,
  staleWhileRevalidateSeconds: 240,
  keepSeconds: 14 * 86_400,
  absentSeconds: 60,
};

function manualClock() {
  const time = { ms: 1_000_000_000_000 };
  return { time, clock: { now: () => time.ms, monotonic: () => time.ms } };
}

/** A place that outlives the caches built over it. */
function memoryTier(name = 'tier'): CacheTier & { kept: Map<string, KeptAnswer>; asked: number } {
  const kept = new Map<string, KeptAnswer>();
  const tier = {
    name,
    kept,
    asked: 0,
    find: (key: string) => {
      tier.asked++;
      return kept.get(key);
    },
    put: (key: string, answer: KeptAnswer) => {
      kept.set(key, answer);
    },
  };
  return tier;
}

const ask = (key: string, load: () => Promise<Answer>) => ({ key, load });

function cacheOver(tiers: CacheTier[], clock: ResponseCacheOptions['clock'], more = {}) {
  return new ResponseCache({ clock, maxBytes: 10_000_000, tiers, ...more });
}

const loaded = (value: unknown) => () => Promise.resolve<Answer>({ data: value, meta: {} });
const failing = () => Promise.reject<Answer>(new ServiceError('upstream_unavailable'));
const textOf = (answer: KeptAnswer) => answer.data.toString();

describe('the response cache over its tiers', () => {
  it('asks the source once for equal misses at the same time', async () => {
    const { clock } = manualClock();
    const tier = memoryTier();
    const cache = cacheOver([tier], clock);
    let calls = 0;
    const load = () => {
      calls++;
      return loaded(1)();
    };
    const answers = await Promise.all(Array.from({ length: 100 }, () => cache.get(ask('k', load), policy)));
    expect(calls).toBe(1);
    expect(tier.asked).toBe(1);
    expect(answers.map(({ outcome }) => outcome).sort()).toEqual([
      ...Array.from({ length: 99 }, () => 'collapsed'),
      'miss',
    ]);
  });

  it('serves after a restart what was kept, without asking the source', async () => {
    const { clock } = manualClock();
    const tier = memoryTier();
    await cacheOver([tier], clock).get(ask('k', loaded('kept')), policy);
    const restarted = cacheOver([tier], clock);
    const { answer, outcome } = await restarted.get(ask('k', failing), policy);
    expect(outcome).toBe('hit');
    expect(textOf(answer)).toBe('"kept"');
    expect(restarted.fresh('k')).toBe(answer);
  });

  it('serves it stale, after a restart while the source is dead, for 14 days and not a moment longer', async () => {
    const { clock, time } = manualClock();
    const tier = memoryTier();
    await cacheOver([tier], clock).get(ask('k', loaded('kept')), policy);
    time.ms += 14 * DAY_MS - 1;
    const served = await cacheOver([tier], clock).get(ask('k', failing), policy);
    expect(served.outcome).toBe('stale');
    expect(textOf(served.answer)).toBe('"kept"');
    time.ms += 1;
    await expect(cacheOver([tier], clock).get(ask('k', failing), policy)).rejects.toThrow(ServiceError);
  });

  it('never keeps a failure, and keeps absence for a minute', async () => {
    const { clock, time } = manualClock();
    const tier = memoryTier();
    const cache = cacheOver([tier], clock);
    await expect(cache.get(ask('k', failing), policy)).rejects.toThrow(ServiceError);
    expect(tier.kept.size).toBe(0);
    const absent = await cache.get(
      ask('k', () => Promise.reject(new ServiceError('not_found'))),
      policy,
    );
    expect(absent.answer.status).toBe(404);
    time.ms += 59_999;
    expect((await cacheOver([tier], clock).get(ask('k', failing), policy)).answer.status).toBe(404);
    time.ms += 1;
    expect((await cacheOver([tier], clock).get(ask('k', loaded(1)), policy)).answer.status).toBe(200);
  });

  it('lets a failure replace nothing, and asks again after a pause', async () => {
    const { clock, time } = manualClock();
    const cache = cacheOver([], clock);
    await cache.get(ask('k', loaded('good')), policy);
    time.ms += DAY_MS;
    let calls = 0;
    const load = () => {
      calls++;
      return failing();
    };
    for (let i = 0; i < 3; i++) expect((await cache.get(ask('k', load), policy)).outcome).toBe('stale');
    expect(calls).toBe(1);
    time.ms += 5_000;
    expect((await cache.get(ask('k', load), policy)).outcome).toBe('stale');
    expect(calls).toBe(2);
    time.ms += 5_000;
    expect(textOf((await cache.get(ask('k', loaded('new')), policy)).answer)).toBe('"new"');
  });

  it('takes what another process has refreshed instead of asking the source', async () => {
    const { clock, time } = manualClock();
    const tier = memoryTier();
    const [one, two] = [cacheOver([tier], clock), cacheOver([tier], clock)];
    await one.get(ask('k', loaded('old')), policy);
    await two.get(ask('k', failing), policy);
    time.ms += 61_000;
    expect((await one.get(ask('k', loaded('new')), policy)).outcome).toBe('revalidating');
    await new Promise((done) => setImmediate(done));
    expect((await two.get(ask('k', failing), policy)).outcome).toBe('revalidating');
    await new Promise((done) => setImmediate(done));
    expect(textOf((await two.get(ask('k', failing), policy)).answer)).toBe('"new"');
  });

  it('prefers the youngest answer and brings it nearer', async () => {
    const { clock, time } = manualClock();
    const [near, far] = [memoryTier('near'), memoryTier('far')];
    await cacheOver([near], clock).get(ask('k', loaded('old')), policy);
    time.ms += DAY_MS;
    await cacheOver([far], clock).get(ask('k', loaded('new')), policy);
    const { answer } = await cacheOver([near, far], clock).get(ask('k', failing), policy);
    expect(textOf(answer)).toBe('"new"');
    expect(textOf(near.kept.get('k')!)).toBe('"new"');
  });

  it('gives up on a load at its deadline, and still keeps what comes later', async () => {
    const { clock } = manualClock();
    const late = () => new ServiceError('upstream_timeout');
    const cache = cacheOver([], clock, { loadDeadline: { milliseconds: 1, late } });
    let arrive: (value: Answer) => void = () => undefined;
    const slow = cache.get(
      ask('k', () => new Promise((resolve) => (arrive = resolve))),
      policy,
    );
    await expect(slow).rejects.toMatchObject({ code: 'upstream_timeout' });
    arrive({ data: 'late', meta: {} });
    await new Promise((done) => setImmediate(done));
    expect(textOf(cache.fresh('k')!)).toBe('"late"');
  });

  it('waits for an answer made of many as long as none of these is late', async () => {
    const { clock } = manualClock();
    const late = () => new ServiceError('upstream_timeout');
    const cache = cacheOver([], clock, { loadDeadline: { milliseconds: 1, late } });
    let arrive: (value: Answer) => void = () => undefined;
    const load = () => new Promise<Answer>((resolve) => (arrive = resolve));
    const many = cache.get({ ...ask('many', load), isMany: true }, policy);
    // An ordinary load that begins after it is given up before it.
    await expect(
      cache.get(
        ask('k', () => new Promise(() => undefined)),
        policy,
      ),
    ).rejects.toThrow();
    arrive({ data: 'all', meta: {} });
    expect(textOf((await many).answer)).toBe('"all"');
    const stuck: Question = {
      ...ask('stuck', load),
      isMany: true,
      load: async ({ others }) => {
        const part = await others.get(
          ask('part', () => new Promise(() => undefined)),
          policy,
        );
        return { data: part.data, meta: {} };
      },
    };
    await expect(cache.get(stuck, policy)).rejects.toMatchObject({ code: 'upstream_timeout' });
  });

  it('a success ends the pause after a failure', async () => {
    const { clock, time } = manualClock();
    const late = () => new ServiceError('upstream_timeout');
    const cache = cacheOver([], clock, { loadDeadline: { milliseconds: 1, late } });
    const brief = { ...policy, freshSeconds: 1 };
    await cache.get(ask('k', loaded('old')), brief);
    time.ms += DAY_MS;
    let arrive: (value: Answer) => void = () => undefined;
    const slow = ask('k', () => new Promise((resolve) => (arrive = resolve)));
    expect((await cache.get(slow, brief)).outcome).toBe('stale');
    arrive({ data: 'late', meta: {} });
    await new Promise((done) => setImmediate(done));
    time.ms += 2_000;
    expect((await cache.get(ask('k', loaded('new')), brief)).outcome).toBe('revalidating');
  });

  it('what one client may not ask is asked by those who waited with it, and begins no pause', async () => {
    const { clock, time } = manualClock();
    const cache = cacheOver([], clock);
    const refused = () => Promise.reject<Answer>(new ServiceError('upstream_share_spent'));
    const both = [ask('k', refused), ask('k', loaded('good'))].map((question) => cache.get(question, policy));
    await expect(both[0]).rejects.toMatchObject({ code: 'upstream_share_spent' });
    expect(textOf((await both[1]!).answer)).toBe('"good"');
    time.ms += DAY_MS;
    expect((await cache.get(ask('k', refused), policy)).outcome).toBe('stale');
    expect(textOf((await cache.get(ask('k', loaded('new')), policy)).answer)).toBe('"new"');
  });

  it('stays within its bound in bytes, whatever comes', async () => {
    const { clock } = manualClock();
    const cache = cacheOver([], clock, { maxBytes: 1_000_000 });
    for (let i = 0; i < 2_000; i++) await cache.get(ask(`k${i}`, loaded('x'.repeat(i))), policy);
    expect(cache.figures.bytes).toBeLessThanOrEqual(1_000_000);
    expect(cache.figures.entries).toBeGreaterThan(100);
  });
});

describe('an answer that is made of others', () => {
  const day = { ...policy, freshSeconds: 86_400 };
  const joined = (parts: readonly string[], more = () => loaded(1)()): Question => ({
    key: 'joined',
    load: async ({ others }) => {
      const madeOf = await Promise.all(parts.map((key) => others.get(ask(key, more), policy)));
      return { data: madeOf.map(textOf), meta: {}, madeOf, isDerived: true };
    },
  });

  it('is as old as the oldest of them, and no fresher than any', async () => {
    const { clock, time } = manualClock();
    const cache = cacheOver([], clock);
    const begun = time.ms;
    await cache.get(ask('a', loaded('a')), policy);
    time.ms += 40_000;
    const { answer, outcome } = await cache.get(joined(['a', 'b']), day);
    expect(outcome).toBe('miss');
    expect(answer).toMatchObject({
      storedAt: begun,
      freshUntil: begun + 60_000,
      revalidateUntil: begun + 300_000,
      keepUntil: begun + 14 * DAY_MS,
    });
    expect((await cacheOver([], clock).get(joined(['a']), policy)).answer.storedAt).toBe(time.ms);
  });

  it('counts as kept where all of them were, and asks nobody', async () => {
    const { clock } = manualClock();
    const cache = cacheOver([], clock);
    await cache.get(ask('a', loaded('a')), policy);
    expect((await cache.get(joined(['a'], failing), day)).outcome).toBe('derived');
    expect((await cache.get({ ...joined(['a'], failing), key: 'k' }, day)).outcome).toBe('derived');
  });

  it('is never made of a stale one', async () => {
    const { clock, time } = manualClock();
    const cache = cacheOver([], clock);
    await cache.get(ask('a', loaded('old')), policy);
    time.ms += 61_000;
    expect(textOf((await cache.get(joined(['a'], loaded('new')), day)).answer)).toBe('["\\"new\\""]');
    time.ms += 61_000;
    const other = { ...joined(['a'], failing), key: 'k' };
    await expect(cache.get(other, day)).rejects.toMatchObject({ code: 'upstream_unavailable' });
    const looking: Question = {
      key: 'looking',
      load: async ({ others }) => ({ data: (await others.find('a')) === undefined, meta: {} }),
    };
    expect(textOf((await cache.get(looking, day)).answer)).toBe('true');
  });

  it('shares the loads of its parts with whoever asks for them', async () => {
    const { clock } = manualClock();
    const cache = cacheOver([], clock);
    let calls = 0;
    const once = () => {
      calls++;
      return loaded('a')();
    };
    await Promise.all([
      cache.get(ask('a', once), policy),
      cache.get(joined(['a', 'a'], once), policy),
      cache.get({ ...joined(['a'], once), key: 'k' }, policy),
    ]);
    expect(calls).toBe(1);
  });

  it('is missing where a part is, for no longer than that one', async () => {
    const { clock, time } = manualClock();
    const cache = cacheOver([], clock);
    const absent = () => Promise.reject<Answer>(new ServiceError('not_found', { message: 'no a' }));
    await cache.get(ask('a', absent), policy);
    time.ms += 50_000;
    const { answer } = await cache.get(joined(['a'], failing), policy);
    expect([answer.status, answer.keepUntil - time.ms]).toEqual([404, 10_000]);
    expect(textOf(answer)).toContain('no a');
  });

  it('is not refused because the client before it had its share', async () => {
    const { clock } = manualClock();
    const cache = cacheOver([], clock);
    const refused = () => Promise.reject<Answer>(new ServiceError('upstream_share_spent'));
    const first = cache.get(ask('a', refused), policy).catch((error: unknown) => error);
    const second = cache.get(joined(['a'], loaded('mine')), policy);
    await expect(first).resolves.toMatchObject({ code: 'upstream_share_spent' });
    expect(textOf((await second).answer)).toContain('mine');
  });
});
