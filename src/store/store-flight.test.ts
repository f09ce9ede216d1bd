import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { turn, usableStore } from '../../test/store/controlled-store.ts';
import { ServiceError } from '../errors.ts';
import { systemClock } from '../process/clock.ts';
import { createStoreFlight } from './store-flight.ts';

describe('one flight for all replicas', () => {
  it('loads by itself while the store is unreachable', async () => {
    const { store, controls } = await usableStore();
    controls.disconnect();
    const flight = createStoreFlight({
      store,
      clock: systemClock,
      makeToken: () => 't',
      random: Math.random,
      wait: turn,
      maxWaitMs: 1_000,
    });
    const answer = await flight.load(
      'k',
      () => Promise.resolve('led'),
      () => Promise.resolve(undefined),
    );
    expect(answer).toBe('led');
    await store.close();
  });

  it('loads by itself if another replica takes longer than the maximum wait', async () => {
    const { store, controls } = await usableStore();
    controls.scriptReplies = ['token of another'];
    const time = { ms: 0 };
    let led = 0;
    const flight = createStoreFlight({
      store,
      makeToken: () => 't',
      random: () => 1,
      maxWaitMs: 1_000,
      clock: { now: () => time.ms, monotonic: () => time.ms },
      wait: (milliseconds) => {
        // Otherwise a flight that never gives up would not fail this test, but hang the run.
        expect(time.ms).toBeLessThan(1_000);
        expect(led).toBe(0);
        time.ms = Math.min(1_000, time.ms + milliseconds);
        return Promise.resolve();
      },
    });
    const answer = await flight.load(
      'k',
      () => Promise.resolve(++led),
      () => Promise.resolve(undefined),
    );
    expect(answer).toBe(1);
    expect(time.ms).toBe(1_000);
    await store.close();
  });

  /** With scripted replies of the store. */
  async function flying(replies: unknown[]) {
    const { store, controls } = await usableStore();
    controls.scriptReplies = replies;
    const pauses: number[] = [];
    const flight = createStoreFlight({
      store,
      clock: systemClock,
      makeToken: () => 't',
      random: () => 0.5,
      maxWaitMs: 60_000,
      wait: (milliseconds) => {
        pauses.push(milliseconds);
        expect(pauses.length).toBeLessThan(1_000);
        return Promise.resolve();
      },
    });
    return { flight, controls, pauses };
  }
  const nothing = () => Promise.resolve(undefined);
  const never = () => Promise.reject(new Error('must not be called'));

  it('is led by the owner of the lock, who releases it', async () => {
    const { flight, controls } = await flying(['t', 1]);
    expect(await flight.load('k', () => Promise.resolve('led'), nothing)).toBe('led');
    expect(controls.scripts).toEqual([
      ['t', 2_000, ''],
      ['t', '', 2_000],
    ]);
  });

  it('locks each key by itself, and releases the same lock', async () => {
    const { flight, controls } = await flying(['t', 1, 't', 1]);
    for (const key of ['k', 'other']) await flight.load(key, () => Promise.resolve('led'), nothing);
    const [locked, released, other, otherReleased] = controls.scriptKeys;
    expect([released, otherReleased]).toEqual([locked, other]);
    expect(other).not.toBe(locked);
  });

  it('loads nothing if the response arrived between the check and the lock', async () => {
    const { flight, controls } = await flying(['t', 1]);
    expect(await flight.load('k', never, () => Promise.resolve('arrived'))).toBe('arrived');
    expect(controls.scripts[1]).toEqual(['t', '', 2_000]);
  });

  it('renews its lease twice a second while the load runs', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const { flight, controls } = await flying(['t', 1]);
    let land: (value: string) => void = () => undefined;
    const led = flight.load('k', () => new Promise<string>((resolve) => (land = resolve)), nothing);
    await turn();
    await vi.advanceTimersByTimeAsync(1_499);
    const renewal = ['t', 2_000];
    expect(controls.scripts).toEqual([['t', 2_000, ''], renewal, renewal]);
    land('led');
    await led;
    await vi.advanceTimersByTimeAsync(5_000);
    expect(controls.scripts.slice(3)).toEqual([['t', '', 2_000]]);
  });

  it('polls with growing pauses until the response of the leader arrives', async () => {
    const { flight, controls, pauses } = await flying(['another']);
    let looks = 0;
    const awaitLeader = () => Promise.resolve(++looks > 6 ? 'arrived' : undefined);
    expect(await flight.load('k', never, awaitLeader)).toBe('arrived');
    expect(pauses).toEqual([5, 10, 20, 40, 50, 50].map((pause) => pause * 0.75));
    expect(controls.scripts.slice(0, 2)).toEqual([
      ['t', 2_000, ''],
      ['t', 2_000, 'another'],
    ]);
  });

  it('shares the public part of a failure, and fails with the failure of the leader', async () => {
    const failure = new ServiceError('upstream_unavailable', { message: 'down', retryAfterSeconds: 7 });
    const leading = await flying(['t', 1]);
    await expect(leading.flight.load('k', () => Promise.reject(failure), nothing)).rejects.toBe(failure);
    const [token, published, keptMs] = leading.controls.scripts[1] ?? [];
    expect([token, keptMs]).toEqual(['t', 2_000]);
    const following = await flying(['another', `another!${String(published)}`]);
    await expect(following.flight.load('k', never, nothing)).rejects.toMatchObject({
      code: 'upstream_unavailable',
      message: 'down',
      retryAfterSeconds: 7,
    });
  });

  it('frees the lock after a failure that concerns no other replica, so that a waiting one takes over', async () => {
    const failure = new ServiceError('upstream_share_spent');
    const leading = await flying(['t', 1]);
    const led = leading.flight.load(
      'k',
      () => Promise.reject(failure),
      nothing,
      (error) => error !== failure,
    );
    await expect(led).rejects.toBe(failure);
    expect(leading.controls.scripts[1]).toEqual(['t', '', 2_000]);
    const following = await flying(['another', 't', 1]);
    expect(await following.flight.load('k', () => Promise.resolve('led'), nothing)).toBe('led');
  });

  it('shares no details of a fault of our own, and reads no malformed failure', async () => {
    const leading = await flying(['t', 1]);
    const fault = new TypeError('secret');
    await expect(leading.flight.load('k', () => Promise.reject(fault), nothing)).rejects.toBe(fault);
    const failure = String(leading.controls.scripts[1]?.[1]);
    expect(failure).not.toContain('secret');
    for (const text of [failure, 'no JSON', '{"code":"of another release"}', '{"code":"constructor"}']) {
      const { flight } = await flying([`!${text}`]);
      await expect(flight.load('k', never, nothing)).rejects.toMatchObject({
        code: 'internal',
        cause: { message: 'another replica had this failure' },
      });
    }
  });

  it('loads by itself if the reply of the store is malformed', async () => {
    const { flight } = await flying([null]);
    expect(await flight.load('k', () => Promise.resolve('led'), never)).toBe('led');
  });
});
