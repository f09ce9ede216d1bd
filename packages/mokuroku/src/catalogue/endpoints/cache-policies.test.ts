import { expect, it } from 'vitest';
import { DAY, HOUR, MINUTE, fresh } from './cache-policies.ts';

it.each([
  [MINUTE, 12],
  [5 * MINUTE, 60],
  [HOUR, 5 * MINUTE],
  [DAY, 5 * MINUTE],
  // Data of two weeks must not be shown any longer.
  [14 * DAY, 0],
])(
  'a response that is fresh for %i s may be served for another %i s while it is fetched',
  (seconds, stale) => {
    const policy = fresh(seconds);
    expect([policy.freshSeconds, policy.staleWhileRevalidateSeconds]).toEqual([seconds, stale]);
  },
);
