import { describe, expect, it } from 'vitest';
import { usableStore } from '../../test/store/controlled-store.ts';
import { createLimiter } from './create-limiter.ts';

const clockAt = (time: { ms: number }) => ({ now: () => time.ms, monotonic: () => time.ms });

describe('the limit of a client', () => {
  it('is off if the setting is 0', () => {
    expect(
      createLimiter({ store: undefined, requestsPerMinute: 0, clock: clockAt({ ms: 0 }) }),
    ).toBeUndefined();
  });

  it('is the setting, in any 60 seconds', async () => {
    const time = { ms: 0 };
    const limiter = createLimiter({ store: undefined, requestsPerMinute: 2, clock: clockAt(time) });
    expect(limiter).toMatchObject({ limit: 2, windowSeconds: 60 });
    expect(await limiter?.admit('a')).toMatchObject({ isAllowed: true, remaining: 1 });
    time.ms = 30_000;
    expect(await limiter?.admit('a')).toMatchObject({ isAllowed: true, remaining: 0, resetSeconds: 30 });
    time.ms = 60_001;
    expect(await limiter?.admit('a')).toMatchObject({ isAllowed: true, remaining: 0 });
    expect(await limiter?.admit('a')).toMatchObject({ isAllowed: false });
  });

  it('is remembered for the last 100,000 clients', () => {
    const time = { ms: 0 };
    const window = createLimiter({ store: undefined, requestsPerMinute: 1, clock: clockAt(time) });
    for (let i = 0; i <= 100_000; i++) void window?.admit(`client ${i}`);
    expect(window?.admit('client 100000')).toMatchObject({ isAllowed: false });
    expect(window?.admit('client 0')).toMatchObject({ isAllowed: true });
  });

  it('is counted in the store if there is one', async () => {
    const { store, controls } = await usableStore();
    const clock = clockAt({ ms: 0 });
    const limiter = createLimiter({ requestsPerMinute: 60, clock, store });
    controls.scriptReplies = [[0, 0, 1_500_000]];
    expect(await limiter?.admit('a')).toMatchObject({ isAllowed: false, resetSeconds: 2 });
    expect(controls.scripts).toEqual([[60, 60_000_000]]);
    await store.close();
  });
});
