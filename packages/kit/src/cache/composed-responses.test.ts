import { describe, expect, it } from 'vitest';
import {
  DAY_MS,
  cacheOver,
  counted,
  failing,
  loaded,
  policy,
  send,
  textOf,
  timedCache,
} from '../../test/cache/cache-under-test.ts';
import type { LoadedData, Question } from './cache-entry.ts';
import { ERRORS, ServiceError } from '../errors.ts';
import { TEST_ERRORS } from '../../test/test-errors.ts';

describe('a response composed of others', () => {
  const day = { ...policy, freshSeconds: 86_400 };
  const joined = (parts: readonly string[], more = () => loaded(1)()): Question => ({
    key: 'joined',
    load: async ({ cache }) => {
      const madeOf = await Promise.all(parts.map((key) => cache.get(send(key, more), policy)));
      return { data: madeOf.map(textOf), meta: {}, madeOf };
    },
  });

  it('is as old as the oldest of them, and no fresher than any', async () => {
    const { cache, clock, time } = timedCache();
    const begun = time.ms;
    await cache.get(send('a', loaded('a')), policy);
    time.ms += 40_000;
    const { entry, outcome } = await cache.get(joined(['a', 'b']), day);
    expect(outcome).toBe('miss');
    expect(entry).toMatchObject({
      fetchedAt: begun,
      freshUntil: begun + 60_000,
      revalidateUntil: begun + 300_000,
      staleIfErrorUntil: begun + 14 * DAY_MS,
    });
    expect((await cacheOver(undefined, clock).get(joined(['a']), policy)).entry.fetchedAt).toBe(time.ms);
  });

  it('is a hit if every part is a hit', async () => {
    const { cache } = timedCache();
    await cache.get(send('a', loaded('a')), policy);
    expect((await cache.get(joined(['a'], failing), day)).outcome).toBe('hit');
    expect((await cache.get({ ...joined(['a'], failing), key: 'k' }, day)).outcome).toBe('hit');
  });

  it('took the time in which it was composed, also as a hit; the same entry later took none', async () => {
    const { cache, time } = timedCache();
    await cache.get(send('a', loaded('a')), policy);
    const slow: Question = {
      key: 'slow',
      load: async ({ cache }) => {
        const part = await cache.get(send('a', failing), policy);
        time.ms += 40;
        return { data: textOf(part), meta: {}, madeOf: [part] };
      },
    };
    const took = ({ outcome, tookMs }: Awaited<ReturnType<typeof cache.get>>) => [outcome, tookMs];
    const [first, second] = await Promise.all([cache.get(slow, day), cache.get(slow, day)]);
    expect([first, second].map(took)).toEqual([
      ['hit', 40],
      ['collapsed', 40],
    ]);
    expect(took(await cache.get(slow, day))).toEqual(['hit', 0]);
  });

  it('never contains a stale part', async () => {
    const { cache, time } = timedCache();
    await cache.get(send('a', loaded('old')), policy);
    time.ms += 61_000;
    expect(textOf((await cache.get(joined(['a'], loaded('new')), day)).entry)).toBe('["\\"new\\""]');
    time.ms += 61_000;
    const other = { ...joined(['a'], failing), key: 'k' };
    await expect(cache.get(other, day)).rejects.toMatchObject({ code: 'upstream_unavailable' });
  });

  it('shares the loads of its parts with other requests', async () => {
    const { cache } = timedCache();
    const { count, load: once } = counted(loaded('a'));
    await Promise.all([
      cache.get(send('a', once), policy),
      cache.get(joined(['a', 'a'], once), policy),
      cache.get({ ...joined(['a'], once), key: 'k' }, policy),
    ]);
    expect(count.calls).toBe(1);
  });

  it('is absent if a part is absent, for no longer than that part', async () => {
    const { cache, time } = timedCache();
    const absent = () => Promise.reject<LoadedData>(new ServiceError(ERRORS.not_found, { message: 'no a' }));
    await cache.get(send('a', absent), policy);
    time.ms += 50_000;
    const { entry } = await cache.get(joined(['a'], failing), policy);
    expect([entry.status, entry.staleIfErrorUntil - time.ms]).toEqual([404, 10_000]);
    expect(textOf(entry)).toContain('no a');
  });

  it('is not rejected because the share of an earlier client is spent', async () => {
    const { cache } = timedCache();
    const refused = () => Promise.reject<LoadedData>(new ServiceError(TEST_ERRORS.upstream_share_spent));
    const first = cache.get(send('a', refused), policy).catch((error: unknown) => error);
    const second = cache.get(joined(['a'], loaded('mine')), policy);
    await expect(first).resolves.toMatchObject({ code: 'upstream_share_spent' });
    expect(textOf((await second).entry)).toContain('mine');
  });

  it('may contain a composed response; if all parts are cached, nothing is fetched', async () => {
    const { cache } = timedCache();
    await cache.get(send('a', loaded('a')), policy);
    const over: Question = {
      key: 'over',
      load: async ({ cache }) => {
        const part = await cache.get({ ...joined(['a'], failing), key: 'between' }, day);
        return { data: textOf(part), meta: {}, madeOf: [part] };
      },
    };
    expect((await cache.get(over, day)).outcome).toBe('hit');
  });
});
