import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import { Queue, QueueFull } from './queue.ts';
import type { QueueLimits } from './queue.ts';

const { signal } = new AbortController();

it('gives a permit to the longest waiting caller', async () => {
  const queue = new Queue({ maxConcurrent: 1, maxWaiting: 2 });
  const order: string[] = [];
  await queue.acquire(signal);
  const first = queue.acquire(signal).then(() => order.push('first'));
  const second = queue.acquire(signal).then(() => order.push('second'));
  expect([queue.running, queue.waiting]).toEqual([1, 2]);
  queue.release(10);
  await first;
  expect([order, queue.running, queue.waiting]).toEqual([['first'], 1, 1]);
  queue.release(10);
  await second;
  queue.release(10);
  expect([order, queue.running, queue.waiting]).toEqual([['first', 'second'], 0, 0]);
});

/** Fills a queue after calls of these durations; undefined: a permit without a call. */
async function fill(limits: QueueLimits, durations: readonly (number | undefined)[], network?: string) {
  const queue = new Queue(limits);
  for (const tookMs of durations) {
    await queue.acquire(signal);
    queue.release(tookMs);
  }
  await queue.acquire(signal, network);
  return queue;
}
const refusalOf = (queue: Queue, network?: string): Promise<unknown> =>
  queue.acquire(signal, network).catch((error: unknown) => error);

it.each([
  [[1_000], 100],
  [[1_000, 1_000, 0], 171],
  [[1_000, undefined], 100],
] as const)(
  'after calls of %j ms rejects with their moving mean as the expected wait',
  async (took, waitMs) => {
    const refusal = await refusalOf(await fill({ maxConcurrent: 1, maxWaiting: 0 }, took));
    expect(refusal).toBeInstanceOf(QueueFull);
    expect((refusal as QueueFull).waitMs).toBeCloseTo(waitMs);
    expect((refusal as QueueFull).message).toContain(`${waitMs} ms`);
  },
);

it.each([
  ['beyond its bound', { maxConcurrent: 1, maxWaiting: 1 }],
  [
    'beyond a tolerable wait: one caller may wait for a call',
    { maxConcurrent: 1, maxWaiting: 5, tolerableWaitMs: 50 },
  ],
])('rejects the second waiting caller %s', async (_why, limits) => {
  const queue = await fill(limits, [1_000]);
  void queue.acquire(signal);
  expect(await refusalOf(queue)).toMatchObject({ waitMs: 200 });
});

it('an aborted caller leaves the queue, with the reason', async () => {
  const queue = new Queue({ maxConcurrent: 1, maxWaiting: 5 });
  const patience = new AbortController();
  await queue.acquire(signal);
  const waiting = queue.acquire(patience.signal);
  patience.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
  await expect(queue.acquire(patience.signal)).rejects.toThrow('enough');
  expect(queue.waiting).toBe(0);
  queue.release(10);
  expect(queue.running).toBe(0);
});

it('no listener is left at the signal of a caller that got its place', async () => {
  const queue = new Queue({ maxConcurrent: 1, maxWaiting: 5 });
  const patience = new AbortController();
  await queue.acquire(signal);
  const waiting = queue.acquire(patience.signal);
  expect(getEventListeners(patience.signal, 'abort')).toHaveLength(1);
  queue.release(10);
  await waiting;
  expect(getEventListeners(patience.signal, 'abort')).toEqual([]);
});

it('serves networks in rotation, and lets none fill more than half of it', async () => {
  const queue = new Queue({ maxConcurrent: 1, maxWaiting: 8 });
  const order: string[] = [];
  await queue.acquire(signal, 'many');
  const waiting = ['many', 'many', 'many', 'many', 'few', 'few', 'one'].map((network) =>
    queue.acquire(signal, network).then(() => {
      order.push(network);
      queue.release(undefined);
    }),
  );
  await expect(queue.acquire(signal, 'many')).rejects.toBeInstanceOf(QueueFull);
  expect([queue.countOvertaken('many'), queue.countOvertaken('new')]).toEqual([0, 4]);
  queue.release(undefined);
  await Promise.all(waiting);
  expect(order).toEqual(['many', 'few', 'one', 'many', 'few', 'many', 'many']);
});

it('forgets a network without waiting callers: when it comes again, it is behind those that wait', async () => {
  const queue = new Queue({ maxConcurrent: 1, maxWaiting: 8 });
  const order: string[] = [];
  const wait = (network: string) => queue.acquire(signal, network).then(() => order.push(network));
  await queue.acquire(signal);
  const first = wait('again');
  queue.release(undefined);
  await first;
  const others = [wait('other'), wait('again')];
  for (let count = 0; count < others.length; count++) queue.release(undefined);
  await Promise.all(others);
  expect(order).toEqual(['again', 'other', 'again']);
});

it('lets a network fill half of it, rounded up', async () => {
  const queue = new Queue({ maxConcurrent: 1, maxWaiting: 3 });
  await queue.acquire(signal, 'many');
  for (let count = 0; count < 2; count++) void queue.acquire(signal, 'many');
  await expect(queue.acquire(signal, 'many')).rejects.toBeInstanceOf(QueueFull);
  expect(queue.waiting).toBe(2);
});

it('predicts the wait of a caller by its network', async () => {
  const queue = await fill({ maxConcurrent: 1, maxWaiting: 100, tolerableWaitMs: 350 }, [1_000], 'many');
  for (let count = 0; count < 3; count++) void queue.acquire(signal, 'many');
  expect(await refusalOf(queue, 'many')).toMatchObject({ waitMs: 400 });
  void queue.acquire(signal, 'one');
  expect(queue.waiting).toBe(4);
});
