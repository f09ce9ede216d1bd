import { expect, it } from 'vitest';
import { createSharedCalls } from './shared-calls.ts';

interface Call {
  signal: AbortSignal;
  finish: (result: string) => void;
}

/** Calls that a test finishes. */
function manualCalls() {
  const calls: Call[] = [];
  const share = createSharedCalls<string>();
  const call = (signal: AbortSignal) => new Promise<string>((finish) => void calls.push({ signal, finish }));
  const request = (signal?: AbortSignal) => share('a.test', call, signal);
  return { calls, request };
}

it('callers of one key share a call; it is not aborted when they have its result', async () => {
  const { calls, request } = manualCalls();
  const both = Promise.all([request(), request(new AbortController().signal)]);
  calls[0]?.finish('done');
  expect(await both).toEqual(['done', 'done']);
  expect([calls.length, calls[0]?.signal.aborted]).toEqual([1, false]);
});

it('a caller who has left makes no call', async () => {
  const { calls, request } = manualCalls();
  await expect(request(AbortSignal.abort('left'))).rejects.toBe('left');
  expect(calls).toEqual([]);
});

it('a call is aborted with the reason of the last caller who leaves', async () => {
  const { calls, request } = manualCalls();
  const [first, last] = [new AbortController(), new AbortController()];
  const both = [request(first.signal), request(last.signal)];
  first.abort('first');
  await expect(both[0]).rejects.toBe('first');
  expect(calls[0]?.signal.aborted).toBe(false);
  last.abort('last');
  await expect(both[1]).rejects.toBe('last');
  expect(calls[0]?.signal.reason).toBe('last');
});

it('a caller after an abort makes a new call, which later callers share', async () => {
  const { calls, request } = manualCalls();
  const leaving = new AbortController();
  const abandoned = request(leaving.signal);
  leaving.abort('left');
  await expect(abandoned).rejects.toBe('left');
  const second = request();
  calls[0]?.finish('too late');
  await new Promise((done) => setImmediate(done));
  const third = request();
  expect(calls).toHaveLength(2);
  calls[1]?.finish('done');
  expect(await Promise.all([second, third])).toEqual(['done', 'done']);
});
