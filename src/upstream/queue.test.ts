import { expect, it } from 'vitest';
import { Queue, QueueFull } from './queue.ts';

const { signal } = new AbortController();

it('gives a permit to the one who has waited longest', async () => {
  const queue = new Queue({ places: 1, maxWaiting: 2 });
  const order: string[] = [];
  await queue.enter(signal);
  const first = queue.enter(signal).then(() => order.push('first'));
  const second = queue.enter(signal).then(() => order.push('second'));
  expect([queue.underWay, queue.waiting]).toEqual([1, 2]);
  queue.leave(10);
  await first;
  expect([order, queue.underWay, queue.waiting]).toEqual([['first'], 1, 1]);
  queue.leave(10);
  await second;
  queue.leave(10);
  expect([order, queue.underWay, queue.waiting]).toEqual([['first', 'second'], 0, 0]);
});

it('refuses the one beyond its bound, and says when there should be room', async () => {
  const queue = new Queue({ places: 1, maxWaiting: 1 });
  await queue.enter(signal);
  // The mean moves a tenth of the way to each new call: 100 ms.
  queue.leave(1_000);
  await queue.enter(signal);
  void queue.enter(signal);
  const refusal: unknown = await queue.enter(signal).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(QueueFull);
  expect(refusal).toMatchObject({ waitMs: 200, message: expect.stringContaining('200 ms') as string });
});

it('lets one wait for as long as one call takes, even where less is tolerable; a second not', async () => {
  const queue = new Queue({ places: 1, maxWaiting: 5, tolerableWaitMs: 50 });
  await queue.enter(signal);
  queue.leave(1_000);
  await queue.enter(signal);
  void queue.enter(signal);
  await expect(queue.enter(signal)).rejects.toMatchObject({ waitMs: 200 });
});

it('a place that was left without a call does not count for the mean', async () => {
  const queue = new Queue({ places: 1, maxWaiting: 0 });
  await queue.enter(signal);
  queue.leave(1_000);
  await queue.enter(signal);
  queue.leave(undefined);
  await queue.enter(signal);
  await expect(queue.enter(signal)).rejects.toMatchObject({ waitMs: 100 });
});

it('whoever gives up while waiting leaves the queue, with the reason', async () => {
  const queue = new Queue({ places: 1, maxWaiting: 5 });
  const patience = new AbortController();
  await queue.enter(signal);
  const waiting = queue.enter(patience.signal);
  patience.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
  await expect(queue.enter(patience.signal)).rejects.toThrow('enough');
  expect(queue.waiting).toBe(0);
  queue.leave(10);
  expect(queue.underWay).toBe(0);
});

it('the mean goes a tenth of the way to each call', async () => {
  const queue = new Queue({ places: 1, maxWaiting: 0 });
  for (const tookMs of [1_000, 1_000, 0]) {
    await queue.enter(signal);
    queue.leave(tookMs);
  }
  await queue.enter(signal);
  const refusal: unknown = await queue.enter(signal).catch((error: unknown) => error);
  expect((refusal as QueueFull).waitMs).toBeCloseTo(171);
});
