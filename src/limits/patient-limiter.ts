import type { LimitDecision, RateLimiter } from './rate-limiter.ts';

/**
 * A client that asks every second is never early by its own clock, but the network may bring a request some
 * milliseconds sooner than the one a window before it. Such a request waits for its turn instead of being refused.
 */
const MAX_EARLY_MS = 50;

/** Timers may fire up to a millisecond early. */
const TIMER_SLACK_MS = 1;

/** How many may wait at once; more are refused as ever. */
const MAX_WAITING = 1_000;

/** The same limit, exact as before, with patience for requests that come a moment too early. */
export function createPatientLimiter(
  inner: RateLimiter,
  wait: (milliseconds: number) => Promise<unknown>,
): RateLimiter {
  let waiting = 0;

  function decide(client: string, decision: LimitDecision): LimitDecision | Promise<LimitDecision> {
    const { waitMs } = decision;
    if (waitMs === undefined || waitMs > MAX_EARLY_MS || waiting >= MAX_WAITING) return decision;
    return takeLater(client, waitMs);
  }

  async function takeLater(client: string, waitMs: number): Promise<LimitDecision> {
    waiting++;
    try {
      await wait(Math.ceil(waitMs) + TIMER_SLACK_MS);
      return await inner.take(client);
    } finally {
      waiting--;
    }
  }

  return {
    limit: inner.limit,
    windowSeconds: inner.windowSeconds,
    take: (client) => {
      // Not awaited when there is nothing to wait for: most requests are decided in memory at once.
      const decision = inner.take(client);
      return decision instanceof Promise
        ? decision.then((decided) => decide(client, decided))
        : decide(client, decision);
    },
  };
}
