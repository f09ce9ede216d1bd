import { LRUCache } from 'lru-cache';
import type { Clock } from '../process/clock.ts';

/** The limiter's decision on one request. */
export type LimitDecision = {
  /** Requests left in the window after this one. */
  remaining: number;
  /** Seconds until a request is allowed (if refused), or until one more is (if allowed). */
  resetSeconds: number;
} & ({ isAllowed: true } | { isAllowed: false; /** Until a request is allowed. */ waitMs: number });

/** The limit of each client. */
export interface Limit {
  /** Requests in any span of `windowSeconds`. */
  limit: number;
  windowSeconds: number;
}

export interface RateLimiter extends Readonly<Limit> {
  /** Counts one request of a client. A refused request is not counted, so obeying Retry-After always succeeds. */
  admit(client: string): LimitDecision | Promise<LimitDecision>;
}

/** Above the rounding error of a sum of milliseconds. */
const ROUNDING_MS = 0.001;

/** A refusal. The wait is rounded up, so that a client that obeys it is admitted. */
export function createRefusal(waitMs: number): LimitDecision {
  const resetSeconds = Math.floor((waitMs + ROUNDING_MS) / 1000) + 1;
  return { isAllowed: false, remaining: 0, resetSeconds, waitMs };
}

/** A client's admissions, oldest first; those before `first` have expired. */
interface Admissions {
  times: number[];
  first: number;
}

interface SlidingWindowOptions extends Limit {
  clock: Clock;
  /** Maximum number of clients; the least recently seen is dropped. */
  maxClients: number;
}

export interface SlidingWindow extends RateLimiter {
  admit(client: string): LimitDecision;
  /** Removes the client's youngest admission: another limiter refused the request. */
  cancelAdmission(client: string): void;
  /** Current number of clients. */
  readonly clients: number;
}

/**
 * An exact sliding window in memory: never more than `limit` admissions in any span of `windowSeconds`,
 * whatever the arrival pattern. Memory is bounded by `maxClients` lists of at most twice `limit` times.
 */
export function createSlidingWindow(options: SlidingWindowOptions): SlidingWindow {
  const { clock, limit, windowSeconds } = options;
  const spanMs = windowSeconds * 1000;
  const windows = new LRUCache<string, Admissions>({ max: options.maxClients });

  /** The client's admissions, without those older than the span. */
  function admissionsOf(client: string, now: number): Admissions {
    let admissions = windows.get(client);
    if (!admissions) windows.set(client, (admissions = { times: [], first: 0 }));
    const { times } = admissions;
    while (admissions.first < times.length && now - (times[admissions.first] ?? 0) > spanMs)
      admissions.first++;
    // Only sometimes, so that the cost per request does not grow with the limit.
    if (admissions.first > times.length / 2) {
      times.splice(0, admissions.first);
      admissions.first = 0;
    }
    return admissions;
  }

  return {
    limit,
    windowSeconds,
    admit: (client) => {
      const now = clock.monotonic();
      const { times, first } = admissionsOf(client, now);
      const isAllowed = times.length - first < limit;
      if (isAllowed) times.push(now);
      // In this order there is no rounding error for a request that was admitted just now.
      const waitMs = spanMs - (now - (times[first] ?? now));
      if (!isAllowed) return createRefusal(waitMs);
      const remaining = limit - (times.length - first);
      return { isAllowed, remaining, resetSeconds: Math.ceil(waitMs / 1000) };
    },
    cancelAdmission: (client) => {
      windows.get(client)?.times.pop();
    },
    get clients() {
      return windows.size;
    },
  };
}
