import { describe, expect, it } from 'vitest';
import { usableStore } from '../../test/store/controlled-store.ts';
import { createLimiter, createPrimaryWindows } from './create-limiter.ts';
import { decideForWorker } from './worker-limiter.ts';

const clockAt = (time: { ms: number }) => ({ now: () => time.ms, monotonic: () => time.ms });
const alone = { name: 'catalogue', primary: undefined, store: undefined };

describe('the limit of a client', () => {
  it('is off if the setting is 0', () => {
    expect(createLimiter({ ...alone, requestsPerMinute: 0, clock: clockAt({ ms: 0 }) })).toBeUndefined();
  });

  it('is the setting, in any 60 seconds', async () => {
    const time = { ms: 0 };
    const limiter = createLimiter({ ...alone, requestsPerMinute: 2, clock: clockAt(time) });
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
    const windows = createPrimaryWindows(['catalogue'], { requestsPerMinute: 1, clock: clockAt(time) });
    const window = windows.get('catalogue');
    for (let i = 0; i <= 100_000; i++) window?.admit(`client ${i}`);
    expect(window?.clients).toBe(100_000);
    expect(window?.admit('client 100000')).toMatchObject({ isAllowed: false });
    expect(window?.admit('client 0')).toMatchObject({ isAllowed: true });
  });

  it('is counted by the primary process with several workers', async () => {
    const clock = clockAt({ ms: 0 });
    const windows = createPrimaryWindows(['catalogue', 'registration'], { requestsPerMinute: 3, clock });
    const listeners: ((message: unknown) => void)[] = [];
    const primary = {
      send: (message: unknown) => {
        const answer = decideForWorker(windows, message);
        setImmediate(() => {
          for (const listener of listeners) listener(answer);
        });
      },
      subscribe: (listener: (message: unknown) => void) => {
        listeners.push(listener);
      },
    };
    const settings = { requestsPerMinute: 3, clock, store: undefined, primary };
    const catalogue = createLimiter({ ...settings, name: 'catalogue' });
    const registration = createLimiter({ ...settings, name: 'registration' });
    expect(catalogue).toMatchObject({ limit: 3, windowSeconds: 60 });
    for (const allowed of [true, true, true, false]) {
      expect(await catalogue?.admit('a')).toMatchObject({ isAllowed: allowed });
    }
    expect(await registration?.admit('a')).toMatchObject({ isAllowed: true, remaining: 2 });
    expect(windows.get('registration')?.admit('a')).toMatchObject({ remaining: 1, resetSeconds: 60 });
  });

  it('is counted in the store if there is one', async () => {
    const { store, controls } = await usableStore();
    const clock = clockAt({ ms: 0 });
    const limiter = createLimiter({ ...alone, requestsPerMinute: 60, clock, store });
    controls.scriptReplies = [[0, 0, 1_500_000]];
    expect(await limiter?.admit('a')).toMatchObject({ isAllowed: false, resetSeconds: 2 });
    expect(controls.scripts).toEqual([[60, 60_000_000]]);
    await store.close();
  });
});
