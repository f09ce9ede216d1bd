import type { Clock } from '../process/clock.ts';
import type { Store } from '../store/store.ts';
import { createSlidingWindow } from './rate-limiter.ts';
import type { RateLimiter } from './rate-limiter.ts';
import { StoreLimiter } from './store-limiter.ts';

/** Maximum number of clients per process: 40 MB if each has used up a limit of 60. */
const MAX_CLIENTS = 100_000;

const WINDOW_SECONDS = 60;

interface LimiterOptions {
  /** RATE_LIMIT: requests per minute of each client; 0 means no limit. */
  requestsPerMinute: number;
  clock: Clock;
  /** Set if processes share a store: they share the limit. */
  store: Store | undefined;
}

/** The rate limiter for this process, and for all that share its store; undefined without a limit. */
export function createLimiter({
  requestsPerMinute: limit,
  clock,
  store,
}: LimiterOptions): RateLimiter | undefined {
  if (limit === 0) return undefined;
  const local = createSlidingWindow({
    limit,
    windowSeconds: WINDOW_SECONDS,
    clock,
    maxClients: MAX_CLIENTS,
  });
  return store ? new StoreLimiter({ store, clock, local }) : local;
}
