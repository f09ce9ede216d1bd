import { expect, test } from 'vitest';
import { readStatedWait } from './judge.ts';

test.each([
  ['Try again in 45 seconds.', 45],
  ['Try again in 2 minutes.', 120],
  ['Try again in 1 hour.', 3_600],
  ['Try again in 0.5 hours.', 1_800],
  ['wait 1.2 sec', 2],
  ['Retry after 30s', null],
  ['Wait 90-SECONDS', 90],
  ['Wait 3 MINs', 180],
  ['within 5 and 10 minutes', 600],
  ['version 1.2.3 minutes', null],
  ['whois-45 seconds', null],
  ['-45 seconds', null],
  ['4500000 seconds', null],
  ['Try again later.', null],
])('%s: %s seconds', (line, seconds) => {
  expect(readStatedWait([line])).toBe(seconds);
});
