import { LRUCache } from 'lru-cache';
import type { Clock } from '../process/clock.ts';

/** What the limiter says of one request. */
export interface LimitDecision {
  allowed: boolean;
  /** Requests left in the window after this one. */
  remaining: number;
  /** Seconds after which a request surely succeeds (refused), or one more is free again (allowed). */
  resetSeconds: number;
  /** The same for a refused request, exactly: milliseconds. */
  waitMs?: number;
}

/** How much a client may ask. */
export interface Limit {
  /** Requests in any span of `windowSeconds`. */
  limit: number;
  windowSeconds: number;
}

export interface RateLimiter extends Readonly<Limit> {
  /** Counts one request of a client. A refused request is not counted, so obeying Retry-After always succeeds. */
  admit(client: string): LimitDecision | Promise<LimitDecision>;
}

/** A limiter whose admissions somebody else may still refuse. */
export interface LocalLimiter extends RateLimiter {
  /** Takes back the client's youngest admission: the request did not go ahead after all. */
  giveBack(client: string): void;
}

/** More than floating point can lose in a sum of milliseconds. */
const ROUNDING_MS = 0.001;

/** What a refused client is told. It must be past the closed span when it comes back, so the wait is rounded up. */
export function refusal(waitMs: number): LimitDecision {
  const resetSeconds = Math.floor((waitMs + ROUNDING_MS) / 1000) + 1;
  return { allowed: false, remaining: 0, resetSeconds, waitMs };
}

/** A client's admissions, oldest first; those before `first` do not count any more. */
interface Admissions {
  times: number[];
  first: number;
}

interface SlidingWindowOptions extends Limit {
  clock: Clock;
  /** How many clients are remembered at once; the longest unseen is forgotten first. */
  maxClients: number;
}

export interface SlidingWindow extends LocalLimiter {
  admit(client: string): LimitDecision;
  /** Remembered at present. */
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

  /** The client's admissions, of which those count that are not further back than the last moment of their span. */
  function admissionsOf(client: string, now: number): Admissions {
    let admissions = windows.get(client);
    if (!admissions) windows.set(client, (admissions = { times: [], first: 0 }));
    const { times } = admissions;
    while (admissions.first < times.length && now - (times[admissions.first] ?? 0) > spanMs)
      admissions.first++;
    // Only now and then, so that a limit of a million costs each request no more than one of sixty.
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
      const allowed = times.length - first < limit;
      if (allowed) times.push(now);
      // In this order: what has just been admitted is exactly a span from its end, without rounding.
      const waitMs = spanMs - (now - (times[first] ?? now));
      if (!allowed) return refusal(waitMs);
      const remaining = limit - (times.length - first);
      return { allowed, remaining, resetSeconds: Math.ceil(waitMs / 1000) };
    },
    giveBack: (client) => {
      const admissions = windows.get(client);
      if (admissions && admissions.times.length > admissions.first) admissions.times.pop();
    },
    get clients() {
      return windows.size;
    },
  };
}
