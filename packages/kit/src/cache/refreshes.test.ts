import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { send, cacheOver, failing, loaded, manualClock, policy } from '../../test/cache/cache-under-test.ts';
import { ServiceError } from '../errors.ts';
import type { Question } from './cache-entry.ts';

const turn = () => new Promise((done) => setImmediate(done));

describe('a background revalidation', () => {
  it('that fails reaches no client, is reported, and is retried after five seconds', async () => {
    const { clock, time } = manualClock();
    const failures: string[] = [];
    const cache = cacheOver([], clock, { onFailure: (key: string) => failures.push(key) });
    await cache.get(send('k', loaded('good')), policy);
    time.ms += 61_000;
    const outcomes: string[] = [];
    for (const wait of [0, 4_999, 1]) {
      time.ms += wait;
      outcomes.push((await cache.get(send('k', failing), policy)).outcome);
      // A rejection without a waiting client must not end the process: Vitest fails on an unhandled one.
      await turn();
    }
    expect(outcomes).toEqual(['revalidating', 'stale', 'revalidating']);
    expect(failures).toEqual(['k', 'k']);
    expect(cache.stats.loading).toBe(0);
  });
});

it('a client that joins a failed background load, as part of its response, causes a load of its own', async () => {
  const { clock, time } = manualClock();
  const cache = cacheOver([], clock);
  const part = (load: Question['load']): Question => ({ key: 'part', load });
  await cache.get(part(loaded('old')), policy);
  time.ms += 61_000;
  let refuse: (error: Error) => void = () => undefined;
  const refused = part(() => new Promise((_resolve, reject) => (refuse = reject)));
  expect((await cache.get(refused, policy)).outcome).toBe('revalidating');
  const whole = cache.get(
    {
      key: 'whole',
      load: async ({ cache: reader, background }) => {
        const { data } = await reader.get(part(loaded('new')), policy);
        return { data, meta: { background } };
      },
    },
    policy,
  );
  await turn();
  refuse(new ServiceError('upstream_budget_spent'));
  expect((await whole).entry).toMatchObject({ data: Buffer.from('"new"'), meta: { background: false } });
});

describe('the deadline of a load', () => {
  it('leaves no timer behind after a load in time, successful or failed', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const { clock } = manualClock();
    const timeoutError = () => new ServiceError('upstream_timeout');
    const cache = cacheOver([], clock, { loadDeadline: { milliseconds: 10_000, timeoutError } });
    await cache.get(send('good', loaded(1)), policy);
    await expect(cache.get(send('bad', failing), policy)).rejects.toThrow(ServiceError);
    expect(vi.getTimerCount()).toBe(0);
  });
});
