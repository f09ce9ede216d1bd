import { describe, expect, it } from 'vitest';
import type { CacheTier } from './cache-tier.ts';
import { createTierChain } from './cache-tier.ts';
import { ServiceError } from '../errors.ts';
import { ResponseCache } from './response-cache.ts';
import type { Loaded, ResponseCacheOptions } from './response-cache.ts';
import type { StoredAnswer } from './stored-answer.ts';

const DAY_MS = 86_400_000;
const policy = {
  freshSeconds: 60,
  staleWhileRevalidateSeconds: 240,
  keepSeconds: 14 * 86_400,
  absentSeconds: 60,
};
const shape = { before: '{"data":', after: () => '}' };

function manualClock() {
  const time = { ms: 1_000_000_000_000 };
  return { time, clock: { now: () => time.ms, monotonic: () => time.ms } };
}

/** A place that outlives the caches built over it. */
function memoryTier(name = 'tier'): CacheTier & { kept: Map<string, StoredAnswer>; asked: number } {
  const kept = new Map<string, StoredAnswer>();
  const tier = {
    name,
    kept,
    asked: 0,
    find: (key: string) => {
      tier.asked++;
      return kept.get(key);
    },
    put: (key: string, answer: StoredAnswer) => {
      kept.set(key, { ...answer, forms: new Map() });
    },
  };
  return tier;
}

function cacheOver(tiers: CacheTier[], clock: ResponseCacheOptions['clock'], more = {}) {
  const chain = tiers.length > 0 ? createTierChain(tiers) : undefined;
  return new ResponseCache({ clock, shape, maxBytes: 10_000_000, tiers: chain, ...more });
}

const loaded = (value: unknown) => () => Promise.resolve<Loaded>({ data: value });
const failing = () => Promise.reject<Loaded>(new ServiceError('upstream_unavailable'));
const textOf = (answer: StoredAnswer) => answer.body.toString();

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
    const answers = await Promise.all(Array.from({ length: 100 }, () => cache.get('k', policy, load)));
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
    await cacheOver([tier], clock).get('k', policy, loaded('kept'));
    const restarted = cacheOver([tier], clock);
    const { answer, outcome } = await restarted.get('k', policy, failing);
    expect(outcome).toBe('hit');
    expect(textOf(answer)).toBe('{"data":"kept"}');
    expect(restarted.fresh('k')).toBe(answer);
  });

  it('serves it stale, after a restart while the source is dead, for 14 days and not a moment longer', async () => {
    const { clock, time } = manualClock();
    const tier = memoryTier();
    await cacheOver([tier], clock).get('k', policy, loaded('kept'));
    time.ms += 14 * DAY_MS - 1;
    const served = await cacheOver([tier], clock).get('k', policy, failing);
    expect(served.outcome).toBe('stale');
    expect(textOf(served.answer)).toBe('{"data":"kept"}');
    time.ms += 1;
    await expect(cacheOver([tier], clock).get('k', policy, failing)).rejects.toThrow(ServiceError);
  });

  it('never keeps a failure, and keeps absence for a minute', async () => {
    const { clock, time } = manualClock();
    const tier = memoryTier();
    const cache = cacheOver([tier], clock);
    await expect(cache.get('k', policy, failing)).rejects.toThrow(ServiceError);
    expect(tier.kept.size).toBe(0);
    const absent = await cache.get('k', policy, () => Promise.reject(new ServiceError('not_found')));
    expect(absent.answer.status).toBe(404);
    time.ms += 59_999;
    expect((await cacheOver([tier], clock).get('k', policy, failing)).answer.status).toBe(404);
    time.ms += 1;
    expect((await cacheOver([tier], clock).get('k', policy, loaded(1))).answer.status).toBe(200);
  });

  it('lets a failure replace nothing, and asks again after a pause', async () => {
    const { clock, time } = manualClock();
    const cache = cacheOver([], clock);
    await cache.get('k', policy, loaded('good'));
    time.ms += DAY_MS;
    let calls = 0;
    const load = () => {
      calls++;
      return failing();
    };
    for (let i = 0; i < 3; i++) expect((await cache.get('k', policy, load)).outcome).toBe('stale');
    expect(calls).toBe(1);
    time.ms += 5_000;
    expect((await cache.get('k', policy, load)).outcome).toBe('stale');
    expect(calls).toBe(2);
    time.ms += 5_000;
    expect(textOf((await cache.get('k', policy, loaded('new'))).answer)).toBe('{"data":"new"}');
  });

  it('takes what another process has refreshed instead of asking the source', async () => {
    const { clock, time } = manualClock();
    const tier = memoryTier();
    const [one, two] = [cacheOver([tier], clock), cacheOver([tier], clock)];
    await one.get('k', policy, loaded('old'));
    await two.get('k', policy, failing);
    time.ms += 61_000;
    expect((await one.get('k', policy, loaded('new'))).outcome).toBe('revalidating');
    await new Promise((done) => setImmediate(done));
    expect((await two.get('k', policy, failing)).outcome).toBe('revalidating');
    await new Promise((done) => setImmediate(done));
    expect(textOf((await two.get('k', policy, failing)).answer)).toBe('{"data":"new"}');
  });

  it('prefers the youngest answer and brings it nearer', async () => {
    const { clock, time } = manualClock();
    const [near, far] = [memoryTier('near'), memoryTier('far')];
    await cacheOver([near], clock).get('k', policy, loaded('old'));
    time.ms += DAY_MS;
    await cacheOver([far], clock).get('k', policy, loaded('new'));
    const { answer } = await cacheOver([near, far], clock).get('k', policy, failing);
    expect(textOf(answer)).toBe('{"data":"new"}');
    expect(textOf(near.kept.get('k')!)).toBe('{"data":"new"}');
  });

  it('gives up on a load at its deadline, and still keeps what comes later', async () => {
    const { clock } = manualClock();
    const late = () => new ServiceError('upstream_timeout');
    const cache = cacheOver([], clock, { loadDeadline: { milliseconds: 1, late } });
    let arrive: (value: Loaded) => void = () => undefined;
    const slow = cache.get('k', policy, () => new Promise((resolve) => (arrive = resolve)));
    await expect(slow).rejects.toMatchObject({ code: 'upstream_timeout' });
    arrive({ data: 'late' });
    await new Promise((done) => setImmediate(done));
    expect(textOf(cache.fresh('k')!)).toBe('{"data":"late"}');
  });

  it('stays within its bound in bytes, whatever comes', async () => {
    const { clock } = manualClock();
    const cache = cacheOver([], clock, { maxBytes: 1_000_000 });
    for (let i = 0; i < 2_000; i++) await cache.get(`k${i}`, policy, loaded('x'.repeat(i)));
    expect(cache.figures.bytes).toBeLessThanOrEqual(1_000_000);
    expect(cache.figures.entries).toBeGreaterThan(100);
  });
});
