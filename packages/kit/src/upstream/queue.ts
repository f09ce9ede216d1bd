import { NETWORK_SHARE } from '../limits/rules.ts';
import { FairQueue } from './fair-queue.ts';
import type { Clock } from '../process/clock.ts';

// The limits of the calls to a server: how many at once, and how many a second.

export interface QueueLimits {
  /** Maximum concurrent calls. */
  maxConcurrent: number;
  /** Maximum waiting callers; one network may have half of them. */
  maxWaiting: number;
  /**
   * A caller with a longer expected wait is refused at once, unless the wait is shorter than one mean call. Default:
   * no limit.
   */
  tolerableWaitMs?: number;
}

/** Group of calls without a client. */
const NO_NETWORK = '';

/** The queue is full; `waitMs` is the expected wait. */
export class QueueFull extends Error {
  readonly waitMs: number;

  constructor(waitMs: number) {
    super(`the queue is full for about ${Math.ceil(waitMs)} ms`);
    this.name = 'QueueFull';
    this.waitMs = waitMs;
  }
}

/** Weight of the newest call in the mean duration. */
const NEWEST_SHARE = 0.1;

/** Limits concurrent calls; others wait, with their networks served in rotation. */
export class Queue {
  readonly #limits: QueueLimits;
  readonly #waiting = new FairQueue<() => void>();
  #running = 0;
  #meanMs = 0;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** Number of waiting callers that a new caller of this network would overtake. */
  countOvertaken(network = NO_NETWORK): number {
    return this.#waiting.size - this.#waiting.aheadOf(network);
  }

  /**
   * Resolves when the call may start. Rejects with QueueFull at once, or with the signal's reason. `network` is absent
   * for calls without a client.
   */
  acquire(signal: AbortSignal, network = NO_NETWORK): Promise<void> {
    if (signal.aborted) return Promise.reject(signal.reason as Error);
    const { maxConcurrent, tolerableWaitMs = Infinity } = this.#limits;
    if (this.#running < maxConcurrent) {
      this.#running++;
      return Promise.resolve();
    }
    const expectedMs = ((this.#waiting.aheadOf(network) + 1) / maxConcurrent) * this.#meanMs;
    if (this.#isFull(network) || expectedMs > Math.max(tolerableWaitMs, this.#meanMs)) {
      return Promise.reject(new QueueFull(expectedMs));
    }
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        this.#waiting.delete(network, go);
        reject(signal.reason as Error);
      };
      const go = () => {
        // Node frees no signal of several sources that has a listener.
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      this.#waiting.add(network, go);
      signal.addEventListener('abort', giveUp);
    });
  }

  /** Starts the next caller; `tookMs` is the duration of the call, if one was made. */
  release(tookMs: number | undefined): void {
    if (tookMs !== undefined) this.#meanMs += (tookMs - this.#meanMs) * NEWEST_SHARE;
    const next = this.#waiting.shift();
    if (next) next();
    else this.#running--;
  }

  #isFull(network: string): boolean {
    const { maxWaiting } = this.#limits;
    if (this.#waiting.size >= maxWaiting) return true;
    return network !== NO_NETWORK && this.#waiting.sizeOf(network) >= Math.ceil(maxWaiting * NETWORK_SHARE);
  }
}

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
