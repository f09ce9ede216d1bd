import type { Clock } from '../process/clock.ts';

export interface BucketLimits {
  /** Mean calls per second; 0 or absent: no limit. */
  perSecond?: number;
  /** Calls at once after a quiet time; default 1. */
  burst?: number;
  /** The server's own rule: minimum time between two calls. Replaces rate and burst. */
  spacingMs?: number | undefined;
}

/** Limits the rate of calls by the generic cell rate algorithm, which stores one number instead of a list of times. */
export class TokenBucket {
  readonly #clock: Clock;
  readonly #intervalMs: number;
  /** Time by which a burst may exceed the rate. */
  readonly #allowanceMs: number;
  /** When the bucket is full again. */
  #fullAt = 0;

  constructor(clock: Clock, { perSecond = 0, burst = 1, spacingMs }: BucketLimits) {
    this.#clock = clock;
    this.#intervalMs = spacingMs ?? (perSecond === 0 ? 0 : 1_000 / perSecond);
    this.#allowanceMs = spacingMs === undefined ? this.#intervalMs * (burst - 1) : 0;
  }

  get isFull(): boolean {
    return this.#fullAt <= this.#clock.monotonic();
  }

  /** When (monotonic milliseconds) a call may start after `ahead` others. */
  startAt(ahead = 0): number {
    const now = this.#clock.monotonic();
    return Math.max(now, Math.max(now, this.#fullAt) + ahead * this.#intervalMs - this.#allowanceMs);
  }

  /** Takes a token. Returns when (monotonic milliseconds) it may be used. */
  acquire(): number {
    const startAt = this.startAt();
    this.#fullAt = Math.max(this.#clock.monotonic(), this.#fullAt) + this.#intervalMs;
    return startAt;
  }
}
