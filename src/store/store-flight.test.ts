import { describe, expect, it } from 'vitest';
import { turn, usableStore } from '../../test/store/controlled-store.ts';
import { systemClock } from '../process/clock.ts';
import { createStoreFlight } from './store-flight.ts';

describe('one flight for all replicas', () => {
  it('asks the source itself while the store is out of reach', async () => {
    const { store, controls } = await usableStore();
    controls.onTrouble(new Error('gone'), true);
    const flight = createStoreFlight({
      ...{ store, clock: systemClock, makeToken: () => 't', random: Math.random },
      ...{ wait: turn, maxWaitMs: 1_000 },
    });
    const answer = await flight.once(
      'k',
      () => Promise.resolve('led'),
      () => Promise.resolve(undefined),
    );
    expect(answer).toBe('led');
    await store.close();
  });

  it('asks the source itself when another replica takes longer than anybody may wait', async () => {
    const { store, controls } = await usableStore();
    controls.scriptReplies = ['token of another'];
    const time = { ms: 0 };
    let led = 0;
    const flight = createStoreFlight({
      ...{ store, makeToken: () => 't', random: () => 1, maxWaitMs: 1_000 },
      clock: { now: () => time.ms, monotonic: () => time.ms },
      wait: (milliseconds) => {
        expect(led).toBe(0);
        time.ms += milliseconds;
        return Promise.resolve();
      },
    });
    const answer = await flight.once(
      'k',
      () => Promise.resolve(++led),
      () => Promise.resolve(undefined),
    );
    expect(answer).toBe(1);
    expect(time.ms).toBeGreaterThanOrEqual(1_000);
    expect(time.ms).toBeLessThan(1_050);
    await store.close();
  });
});
