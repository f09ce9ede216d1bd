import { LRUCache } from 'lru-cache';
import type { Clock } from '../process/clock.ts';
import { Debts } from './debts.ts';
import { NETWORK_CLIENTS, networkOf } from './rules.ts';

/** The limiter's decision on one request. */
export type LimitDecision = {
  /** Requests left in the window after this one. */
  remaining: number;
  /** Seconds until a request is allowed (if refused), or until one more is (if allowed). */
  resetSeconds: number;
} & ({ isAllowed: true } | { isAllowed: false; /** Until a request is allowed. */ waitMs: number });

/** The limit of each client. */
interface Limit {
  /** Requests in any span of `windowSeconds`. */
  limit: number;
  windowSeconds: number;
}

export interface RateLimiter extends Readonly<Limit> {
  /** Counts one request of a client. A refused request is not counted, so obeying Retry-After always succeeds. */
  admit(client: string): LimitDecision | Promise<LimitDecision>;
}

/** A refusal. The wait is rounded up, so that a client that obeys it is admitted. */
export function createRefusal(waitMs: number): LimitDecision {
  const resetSeconds = Math.floor(waitMs / 1000) + 1;
  return { isAllowed: false, remaining: 0, resetSeconds, waitMs };
}

/** A client's admissions, oldest first; those before `first` have expired. */
interface Admissions {
  times: number[];
  first: number;
}

/** Maximum number of clients per process: 40 MB if each has used up a limit of 60. The least recently seen is dropped. */
const MAX_CLIENTS = 100_000;

export interface SlidingWindow extends RateLimiter {
  admit(client: string): LimitDecision;
  /** Removes the client's youngest admission: another limiter refused the request. */
  cancelAdmission(client: string): void;
}

/**
 * An exact sliding window in memory: never more than `limit` admissions in any span of `windowSeconds`, whatever the
 * arrival pattern. An IPv6 /48 has a bucket of `NETWORK_CLIENTS` limits, which refills. Memory is bounded by
 * `MAX_CLIENTS` lists of at most twice `limit` times.
 */
export function createSlidingWindow({ limit, windowSeconds }: Limit, clock: Clock): SlidingWindow {
  const spanMs = windowSeconds * 1000;
  const windows = new LRUCache<string, Admissions>({ max: MAX_CLIENTS });
  // An IPv4 /24 is bounded by the number of its clients.
  const networks = new Debts(clock, MAX_CLIENTS);
  const stepMs = spanMs / (limit * NETWORK_CLIENTS);
  const addToNetwork = (client: string, milliseconds: number) => {
    if (client.includes(':')) networks.add(networkOf(client), milliseconds);
  };

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
      const networkMs = client.includes(':') ? networks.of(networkOf(client)) : 0;
      if (isAllowed && networkMs > spanMs - stepMs) return createRefusal(networkMs - spanMs + stepMs);
      if (isAllowed) {
        times.push(now);
        addToNetwork(client, stepMs);
      }
      // In this order there is no rounding error for a request that was admitted just now.
      const waitMs = spanMs - (now - (times[first] ?? now));
      if (!isAllowed) return createRefusal(waitMs);
      const ofNetwork = Math.floor((spanMs - networkMs) / stepMs) - 1;
      const remaining = Math.min(limit - (times.length - first), ofNetwork);
      return { isAllowed, remaining, resetSeconds: Math.ceil(waitMs / 1000) };
    },
    cancelAdmission: (client) => {
      if (windows.get(client)?.times.pop() !== undefined) addToNetwork(client, -stepMs);
    },
  };
}
