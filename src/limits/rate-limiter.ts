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

export interface RateLimiter {
  readonly limit: number;
  readonly windowSeconds: number;
  /** Counts one request of a client. A refused request is not counted, so obeying Retry-After always succeeds. */
  take(client: string): LimitDecision | Promise<LimitDecision>;
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

/** The last admissions of one client: a ring that grows up to the limit. */
interface Window {
  times: Float64Array;
  /** Index of the oldest admission. */
  head: number;
  count: number;
}

export interface SlidingWindowOptions {
  clock: Clock;
  /** Requests per window and client. */
  limit: number;
  windowSeconds: number;
  /** How many clients are remembered at once; the longest unseen is forgotten first. */
  maxClients: number;
}

/**
 * An exact sliding window in memory: never more than `limit` admissions in any span of `windowSeconds`,
 * whatever the arrival pattern. Memory is bounded by `maxClients` windows of at most `limit` times.
 */
export class SlidingWindowLimiter implements RateLimiter {
  readonly limit: number;
  readonly windowSeconds: number;
  readonly #clock: Clock;
  readonly #maxClients: number;
  /** In order of last use: a Map iterates in insertion order, and a used client is put in anew. */
  readonly #windows = new Map<string, Window>();

  constructor(options: SlidingWindowOptions) {
    this.limit = options.limit;
    this.windowSeconds = options.windowSeconds;
    this.#clock = options.clock;
    this.#maxClients = options.maxClients;
  }

  get clients(): number {
    return this.#windows.size;
  }

  take(client: string): LimitDecision {
    const now = this.#clock.monotonic();
    const window = this.#windowOf(client);
    const spanMs = this.windowSeconds * 1000;
    // An admission counts up to and including its 60th second: a closed span never holds one too many.
    while (window.count > 0 && now - (window.times[window.head] ?? 0) > spanMs) {
      window.head = (window.head + 1) % window.times.length;
      window.count--;
    }
    const allowed = window.count < this.limit;
    if (allowed) this.#push(window, now);
    const waitMs = (window.times[window.head] ?? now) + spanMs - now;
    if (!allowed) return refusal(waitMs);
    return { allowed, remaining: this.limit - window.count, resetSeconds: Math.ceil(waitMs / 1000) };
  }

  giveBack(client: string): void {
    const window = this.#windows.get(client);
    if (window && window.count > 0) window.count--;
  }

  #windowOf(client: string): Window {
    let window = this.#windows.get(client);
    if (window) {
      // Moving a client to the young end matters only when old ones are about to be dropped.
      if (this.#windows.size >= this.#maxClients >> 1) {
        this.#windows.delete(client);
        this.#windows.set(client, window);
      }
      return window;
    }
    if (this.#windows.size >= this.#maxClients) {
      for (const oldest of this.#windows.keys()) {
        this.#windows.delete(oldest);
        break;
      }
    }
    window = { times: new Float64Array(Math.min(4, this.limit)), head: 0, count: 0 };
    this.#windows.set(client, window);
    return window;
  }

  #push(window: Window, now: number): void {
    if (window.count === window.times.length) {
      const grown = new Float64Array(Math.min(this.limit, window.times.length * 2));
      for (let i = 0; i < window.count; i++) {
        grown[i] = window.times[(window.head + i) % window.times.length] ?? 0;
      }
      window.times = grown;
      window.head = 0;
    }
    window.times[(window.head + window.count) % window.times.length] = now;
    window.count++;
  }
}
