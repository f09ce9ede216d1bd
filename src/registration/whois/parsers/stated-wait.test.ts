import { expect, test } from 'vitest';
import { readStatedWait } from './stated-wait.ts';

test.each([
  ['Try again in 45 seconds.', 45],
  ['Try again in 2 minutes.', 120],
  ['Try again in 1 hour.', 3_600],
  ['Try again in 0.5 hours.', 1_800],
  ['Try again later.', null],
])('%s: %s seconds', (line, seconds) => {
  expect(readStatedWait([line])).toBe(seconds);
});
