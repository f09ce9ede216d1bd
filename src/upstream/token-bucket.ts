import type { Clock } from '../process/clock.ts';

export interface BucketLimits {
  /** Calls per second in the long run; 0 or left out: any number. */
  perSecond?: number;
  /** Calls that may go at once after a quiet time; 1 when left out. */
  burst?: number;
  /** A rule of the server's own: the least time between two calls, in place of rate and burst. */
  spacingMs?: number | undefined;
}

/** How often calls may start: the generic cell rate algorithm, which needs one number instead of a list of times. */
export class TokenBucket {
  readonly #clock: Clock;
  readonly #intervalMs: number;
  /** How far ahead of its rate a burst may run. */
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

  /** When (monotonic milliseconds) a call may start that has `ahead` others before it. */
  startAt(ahead = 0): number {
    const now = this.#clock.monotonic();
    return Math.max(now, Math.max(now, this.#fullAt) + ahead * this.#intervalMs - this.#allowanceMs);
  }

  /** Takes a token, to be used at `startAt`, which is given back. */
  acquire(): number {
    const startAt = this.startAt();
    this.#fullAt = Math.max(this.#clock.monotonic(), this.#fullAt) + this.#intervalMs;
    return startAt;
  }
}
