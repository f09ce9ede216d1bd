import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ServiceError } from '@mokuroku/kit';
import { TEST_ERRORS } from '../../packages/kit/test/test-errors.ts';
import { startThings } from './things-service.ts';
import type { Load, ThingsOptions } from './things-service.ts';

/** Without a timer: they are stopped. */
async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise(setImmediate);
}

/** A service whose loads are given up after a millisecond, when the test says so. */
async function startHurried(load: Load, options: ThingsOptions = {}) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const timeoutError = () => new ServiceError(TEST_ERRORS.upstream_timeout, { retryAfterSeconds: 10 });
  const things = await startThings(load, { ...options, loadDeadline: { milliseconds: 1, timeoutError } });
  const answers: string[] = [];
  /** Sends a request, whose answer is in `answers` when it comes; resolves when its load has begun. */
  const begin = async (name: string) => {
    const begun = things.loaded.length;
    void things.get(`/things/${name}`).then(({ status, text, headers }) => {
      const { error } = JSON.parse(text) as { error?: { code: string } };
      answers.push(`${name} ${status} ${error?.code} ${String(headers['retry-after'])}`);
    });
    await until(() => things.loaded.length > begun);
  };
  return { ...things, answers, begin };
}

describe('a load that does not end', () => {
  const TIMED_OUT = '504 upstream_timeout 10';

  it('times out at its deadline, one of a composed response at six times that', async () => {
    const { answers, begin } = await startHurried(() => new Promise<never>(() => undefined));
    await begin('composed');
    await begin('one');
    await vi.advanceTimersByTimeAsync(1);
    await until(() => answers.length > 0);
    expect(answers).toEqual([`one ${TIMED_OUT}`]);
    await vi.advanceTimersByTimeAsync(4);
    await new Promise(setImmediate);
    expect(answers).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    await until(() => answers.length === 2);
    expect(answers).toEqual([`one ${TIMED_OUT}`, `composed ${TIMED_OUT}`]);
  });

  it('needs its memory until it ends, at its next turn', async () => {
    let arrive: () => void = () => undefined;
    let turns = 0;
    const load: Load = async (_name, { nextTurn }) => {
      await new Promise<void>((resolve) => (arrive = resolve));
      for (; ; turns++) await nextTurn();
    };
    const { answers, admission, begin } = await startHurried(load, { memoryBytes: 100_000 });
    await begin('one');
    await vi.advanceTimersByTimeAsync(1);
    await until(() => answers.length > 0);
    expect(answers).toEqual([`one ${TIMED_OUT}`]);
    expect(admission.bytes.used).toBeGreaterThanOrEqual(100_000);
    arrive();
    await until(() => admission.bytes.used < 100_000);
    expect(turns).toBe(0);
  });

  it('is aborted; a result that arrives later is cached', async () => {
    let arrive: (thing: { data: string }) => void = () => undefined;
    let signal: AbortSignal | undefined;
    const load: Load = (_name, context) => {
      ({ signal } = context);
      return new Promise((resolve) => (arrive = resolve));
    };
    const { answers, begin, get, loaded } = await startHurried(load);
    await begin('one');
    expect(signal?.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    await until(() => answers.length > 0);
    expect(answers).toEqual([`one ${TIMED_OUT}`]);
    expect(signal?.reason).toMatchObject({ code: 'upstream_timeout' });
    arrive({ data: 'late' });
    expect((await get('/things/one')).text).toContain('late');
    expect(loaded).toEqual(['one']);
  });
});
