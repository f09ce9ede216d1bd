import { getEventListeners } from 'node:events';
import { setImmediate as nextTick } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { collectGarbage } from '../../../test/collect-garbage.ts';
import { DeadlineError, withDeadline, withSignal } from './deadline.ts';

const never = () => new Promise<never>(() => undefined);
const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;

describe('withDeadline', () => {
  it('gives the result or the error of use, and leaves no timer', async () => {
    const before = timers();
    expect(await withDeadline(60_000, undefined, () => Promise.resolve(1))).toBe(1);
    const fault = new Error('fault');
    await expect(withDeadline(60_000, undefined, () => Promise.reject(fault))).rejects.toBe(fault);
    const thrower = () => {
      throw fault;
    };
    await expect(withDeadline(60_000, undefined, thrower)).rejects.toBe(fault);
    expect(timers()).toBe(before);
  });

  it('rejects at the deadline, also when use ignores its signal, which then is aborted', async () => {
    let seen: AbortSignal | undefined;
    const ignoring = (signal: AbortSignal) => {
      seen = signal;
      return never();
    };
    await expect(withDeadline(5, undefined, ignoring)).rejects.toBeInstanceOf(DeadlineError);
    expect(seen?.reason).toBeInstanceOf(DeadlineError);
  });

  it('rejects with the reason of the given signal, and does not begin after it', async () => {
    const ending = new AbortController();
    const given = withDeadline(60_000, ending.signal, never);
    const reason = new Error('enough');
    ending.abort(reason);
    await expect(given).rejects.toBe(reason);
    let uses = 0;
    await expect(withDeadline(60_000, ending.signal, () => uses++)).rejects.toBe(reason);
    expect(uses).toBe(0);
  });

  it('waits as long as a timer can', async () => {
    const ending = new AbortController();
    const given = withDeadline(Number.MAX_SAFE_INTEGER, ending.signal, never);
    await nextTick();
    await nextTick();
    ending.abort(new Error('enough'));
    await expect(given).rejects.toThrow('enough');
  });

  // Waits with no other reference: Node 20 collects the time-out of AbortSignal.any([x, AbortSignal.timeout(ms)]).
  it('ends a use after a garbage collection during the wait', async () => {
    let ended = 0;
    const hang = (signal: AbortSignal) =>
      new Promise<never>((_, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason as Error)),
      );
    const waiting = Array.from({ length: 20 }, () =>
      withDeadline(200, new AbortController().signal, hang).catch(() => ended++),
    );
    await collectGarbage();
    await Promise.all(waiting);
    expect(ended).toBe(20);
  });
});

it('a promise is not awaited with a signal that has aborted', async () => {
  await expect(withSignal(never(), AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone');
});

it('a signal that outlives many calls has no listener of an ended one', async () => {
  const { signal } = new AbortController();
  expect(await withSignal(Promise.resolve('there'), signal)).toBe('there');
  await expect(withSignal(Promise.reject(new Error('broken')), signal)).rejects.toThrow('broken');
  expect(await withDeadline(60_000, signal, () => 'there')).toBe('there');
  await expect.poll(() => getEventListeners(signal, 'abort')).toEqual([]);
});
