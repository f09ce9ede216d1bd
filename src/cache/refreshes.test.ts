import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { send, cacheOver, failing, loaded, manualClock, policy } from '../../test/cache/cache-under-test.ts';
import { ServiceError } from '../errors.ts';

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
