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
  take(client: string): LimitDecision | Promise<LimitDecision>;
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

export interface SlidingWindowOptions extends Limit {
  clock: Clock;
  /** How many clients are remembered at once; the longest unseen is forgotten first. */
  maxClients: number;
}

export interface SlidingWindow extends LocalLimiter {
  take(client: string): LimitDecision;
  /** Remembered at present. */
  readonly clients: number;
}

/**
 * An exact sliding window in memory: never more than `limit` admissions in any span of `windowSeconds`,
 * whatever the arrival pattern. Memory is bounded by `maxClients` lists of at most `limit` times.
 */
export function createSlidingWindow(options: SlidingWindowOptions): SlidingWindow {
  const { clock, limit, windowSeconds } = options;
  const spanMs = windowSeconds * 1000;
  /** The moments of each client's admissions, oldest first. */
  const windows = new LRUCache<string, number[]>({ max: options.maxClients });

  /** The client's admissions that still count: each up to and including the last moment of its span. */
  function admissionsOf(client: string, now: number): number[] {
    const times = windows.get(client);
    if (!times) {
      const none: number[] = [];
      windows.set(client, none);
      return none;
    }
    let over = 0;
    while (over < times.length && now - (times[over] ?? 0) > spanMs) over++;
    if (over > 0) times.splice(0, over);
    return times;
  }

  return {
    limit,
    windowSeconds,
    take: (client) => {
      const now = clock.monotonic();
      const times = admissionsOf(client, now);
      const allowed = times.length < limit;
      if (allowed) times.push(now);
      // In this order: what has just been admitted is exactly a span from its end, without rounding.
      const waitMs = spanMs - (now - (times[0] ?? now));
      if (!allowed) return refusal(waitMs);
      return { allowed, remaining: limit - times.length, resetSeconds: Math.ceil(waitMs / 1000) };
    },
    giveBack: (client) => {
      windows.get(client)?.pop();
    },
    get clients() {
      return windows.size;
    },
  };
}
