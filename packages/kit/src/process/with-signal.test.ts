import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import { withSignal } from './with-signal.ts';

it('a signal that outlives many calls has no listener of an ended one', async () => {
  const { signal } = new AbortController();
  expect(await withSignal(Promise.resolve('there'), signal)).toBe('there');
  await expect(withSignal(Promise.reject(new Error('broken')), signal)).rejects.toThrow('broken');
  await expect.poll(() => getEventListeners(signal, 'abort')).toEqual([]);
});
