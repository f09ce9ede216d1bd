import { expect, it } from 'vitest';
import { readRetryAfter } from './retry-after.ts';

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
