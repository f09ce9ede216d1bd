import type { Clock } from '../process/clock.ts';
import type { Store } from '../store/store.ts';
import { createSlidingWindow } from './rate-limiter.ts';
import type { RateLimiter } from './rate-limiter.ts';
import { StoreLimiter } from './store-limiter.ts';

interface LimiterOptions {
  /** RATE_LIMIT: requests per minute of each client; 0 means no limit. */
  requestsPerMinute: number;
  windowSeconds?: number;
  clock: Clock;
  /** Set if processes share a store: they share the limit. */
  store: Store | undefined;
}

/** The rate limiter for this process, and for all that share its store; undefined without a limit. */
export function createLimiter(options: LimiterOptions): RateLimiter | undefined {
  const { requestsPerMinute: limit, windowSeconds = 60, clock, store } = options;
  if (limit === 0) return undefined;
  const local = createSlidingWindow({ limit, windowSeconds }, clock);
  return store ? new StoreLimiter({ store, clock, local }) : local;
}
