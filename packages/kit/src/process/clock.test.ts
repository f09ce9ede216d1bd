import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import { readRetryAfter, withSignal } from './clock.ts';

it.each([
  ['30', 30],
  [['5', '7'], 5],
  ['Thu, 01 Jan 2026 00:01:00 GMT', 60],
  ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
  ['soon', undefined],
  // Date.parse accepts both as years.
  ['-1', undefined],
  ['1.5', undefined],
  [undefined, undefined],
])('a Retry-After of %j is %j seconds', (header, seconds) => {
  expect(readRetryAfter(header, Date.UTC(2026, 0, 1))).toBe(seconds);
});

it('a signal that outlives many calls has no listener of an ended one', async () => {
  const { signal } = new AbortController();
  expect(await withSignal(Promise.resolve('there'), signal)).toBe('there');
  await expect(withSignal(Promise.reject(new Error('broken')), signal)).rejects.toThrow('broken');
  await expect.poll(() => getEventListeners(signal, 'abort')).toEqual([]);
});
