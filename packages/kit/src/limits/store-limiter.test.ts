import { describe, expect, it, onTestFinished } from 'vitest';
import { usableStore } from '../../test/store/controlled-store.ts';
import { createLimiter } from './create-limiter.ts';

async function limiterOnStore(requestsPerMinute = 60) {
  const { store, controls } = await usableStore();
  onTestFinished(() => store.close());
  const time = { ms: 0 };
  const clock = { now: () => time.ms, monotonic: () => time.ms };
  const limiter = createLimiter({ requestsPerMinute, clock, store });
  if (!limiter) throw new Error('no limiter');
  return { controls, time, limiter };
}

describe('the limiter of replicas', () => {
  it('keeps the limit per replica while the store is unreachable, including earlier admissions', async () => {
    const { controls, limiter } = await limiterOnStore();
    for (let i = 0; i < 40; i++) expect((await limiter.admit('a')).isAllowed).toBe(true);
    controls.disconnect();
    let admitted = 0;
    for (let i = 0; i < 40; i++) if ((await limiter.admit('a')).isAllowed) admitted++;
    expect(admitted).toBe(20);
  });

  it('sends no query for a rejected client until its Retry-After is over', async () => {
    const { controls, time, limiter } = await limiterOnStore();
    controls.scriptReplies = [[0, 0, 5_000_000]];
    expect(await limiter.admit('a')).toMatchObject({ isAllowed: false, resetSeconds: 6, waitMs: 5_000 });
    time.ms += 5_000;
    expect(await limiter.admit('a')).toMatchObject({ isAllowed: false, resetSeconds: 1, waitMs: 0 });
    expect(controls.scripts).toEqual([[60, 60_000_000]]);
    controls.scriptReplies = [[1, 59, 60_000_000]];
    time.ms += 0.001;
    expect((await limiter.admit('a')).isAllowed).toBe(true);
  });

  it.each([null, 'x', 7, [], [1, 59], [1, 59, null], [0, 0, -1], ['1', '59', '5'], [0, 0, 0.5]])(
    'decides by itself, as without a store, when the reply is %j',
    async (nonsense) => {
      const { controls, limiter } = await limiterOnStore();
      controls.scriptReplies = [nonsense];
      expect(await limiter.admit('a')).toEqual({ isAllowed: true, remaining: 59, resetSeconds: 60 });
    },
  );

  it('never states a wait longer than the window, even if the clock of the store was set back', async () => {
    const { controls, limiter } = await limiterOnStore();
    controls.scriptReplies = [[0, 0, 3_600_000_000]];
    expect(await limiter.admit('a')).toMatchObject({ isAllowed: false, resetSeconds: 61, waitMs: 60_000 });
  });

  it('does not count locally what the store rejected', async () => {
    const { controls, time, limiter } = await limiterOnStore();
    controls.scriptReplies = [[0, 0, 1_000]];
    for (let i = 0; i < 200; i++) {
      expect((await limiter.admit('a')).isAllowed).toBe(false);
      time.ms += 1.001;
    }
    controls.disconnect();
    expect(await limiter.admit('a')).toMatchObject({ isAllowed: true, remaining: 59 });
  });

  it('gives an IPv6 /48 back what the store rejected', async () => {
    const { controls, limiter } = await limiterOnStore(1);
    const admit = async (index: number) => (await limiter.admit(`2001:db8:7:${index}::/64`)).isAllowed;
    for (let index = 0; index < 19; index++) expect(await admit(index)).toBe(true);
    controls.scriptReplies = [
      [0, 0, 1_000],
      [1, 0, 60_000_000],
    ];
    expect([await admit(19), await admit(20), await admit(21)]).toEqual([false, true, false]);
  });

  it('states the smaller remainder of process and store, and when one more is free', async () => {
    const { controls, limiter } = await limiterOnStore();
    controls.scriptReplies = [
      [1, 7, 12_000_001],
      [1, 59, 60_000_000],
    ];
    expect(await limiter.admit('a')).toEqual({ isAllowed: true, remaining: 7, resetSeconds: 13 });
    expect(await limiter.admit('a')).toEqual({ isAllowed: true, remaining: 58, resetSeconds: 60 });
  });
});
