import type { Clock } from '../process/clock.ts';
import type { PrimaryLink } from '../process/workers.ts';
import type { Store } from '../store/store.ts';
import { createSlidingWindow } from './rate-limiter.ts';
import type { RateLimiter } from './rate-limiter.ts';
import { StoreLimiter } from './store-limiter.ts';
import { createWorkerLimiter } from './worker-limiter.ts';

/** Maximum number of clients per process: 40 MB if each has used up a limit of 60. */
const MAX_CLIENTS = 100_000;

const WINDOW_SECONDS = 60;

interface LimiterOptions {
  /** Name of the service. */
  name: string;
  /** RATE_LIMIT: requests per minute of each client; 0 means no limit. */
  requestsPerMinute: number;
  clock: Clock;
  /** Set in a worker: all workers share the limit. */
  primary: PrimaryLink | undefined;
  /** Set if replicas share a store: they share the limit. */
  store: Store | undefined;
}

const windowOf = ({ requestsPerMinute, clock }: Pick<LimiterOptions, 'requestsPerMinute' | 'clock'>) =>
  createSlidingWindow({
    limit: requestsPerMinute,
    windowSeconds: WINDOW_SECONDS,
    clock,
    maxClients: MAX_CLIENTS,
  });

/** The rate limiter for this process, its workers and its replicas; undefined without a limit. */
export function createLimiter(options: LimiterOptions): RateLimiter | undefined {
  const { name, requestsPerMinute, clock, primary, store } = options;
  if (requestsPerMinute === 0) return undefined;
  const limit = { limit: requestsPerMinute, windowSeconds: WINDOW_SECONDS };
  const local = primary ? createWorkerLimiter({ ...limit, name, primary }) : windowOf(options);
  return store ? new StoreLimiter({ store, clock, local }) : local;
}

/** The primary process's windows, one for each service, for `decideForWorker`. */
export function createPrimaryWindows(names: readonly string[], options: Parameters<typeof windowOf>[0]) {
  return new Map(names.map((name) => [name, windowOf(options)]));
}
