import type { Clock } from '../process/clock.ts';
import type { PrimaryLink } from '../process/workers.ts';
import type { Store } from '../store/store.ts';
import { createSlidingWindow } from './rate-limiter.ts';
import type { RateLimiter } from './rate-limiter.ts';
import { StoreLimiter } from './store-limiter.ts';
import { createWorkerLimiter } from './worker-limiter.ts';

/** Clients remembered at once by one process: some 40 MB when each of them has used up its limit of 60. */
const MAX_CLIENTS = 100_000;

const WINDOW_SECONDS = 60;

interface LimiterOptions {
  /** Which service's clients are counted. */
  name: string;
  /** RATE_LIMIT: requests a minute and client; 0 means no limit. */
  requestsPerMinute: number;
  clock: Clock;
  /** Where this process is one of several workers: the limit holds for all of them together. */
  primary: PrimaryLink | undefined;
  /** Where replicas share a store: the limit holds for all of them together. */
  store: Store | undefined;
}

const windowOf = ({ requestsPerMinute, clock }: Pick<LimiterOptions, 'requestsPerMinute' | 'clock'>) =>
  createSlidingWindow({
    limit: requestsPerMinute,
    windowSeconds: WINDOW_SECONDS,
    clock,
    maxClients: MAX_CLIENTS,
  });

/** The limit of each client, whatever this process is one of; undefined where there is none. */
export function createLimiter(options: LimiterOptions): RateLimiter | undefined {
  const { name, requestsPerMinute, clock, primary, store } = options;
  if (requestsPerMinute === 0) return undefined;
  const limit = { limit: requestsPerMinute, windowSeconds: WINDOW_SECONDS };
  const local = primary ? createWorkerLimiter({ ...limit, name, primary }) : windowOf(options);
  return store ? new StoreLimiter({ store, clock, local }) : local;
}

/** What the primary process counts in for its workers: a window for each service, for `answerTake`. */
export function createPrimaryWindows(names: readonly string[], options: Parameters<typeof windowOf>[0]) {
  return new Map(names.map((name) => [name, windowOf(options)]));
}
