import { RoundRobin } from '../limits/round-robin.ts';

export interface QueueLimits {
  /** Permits given out at once. */
  places: number;
  /** Callers that may wait for one; those of one network at most half as many. */
  maxWaiting: number;
  /**
   * Nobody is let into the queue who would probably wait longer than this, or than one mean call where calls take
   * longer: an answer that comes too late is worth less than a refusal now. Left out: any wait will do.
   */
  tolerableWaitMs?: number;
}

/** Calls of our own are one group beside the networks. */
const NO_NETWORK = '';

/** Why a caller may not even wait; `waitMs` is when there should be room again. */
export class QueueFull extends Error {
  readonly waitMs: number;

  constructor(waitMs: number) {
    super(`the queue is full for about ${Math.ceil(waitMs)} ms`);
    this.name = 'QueueFull';
    this.waitMs = waitMs;
  }
}

/** The part of the queue that one network may fill. */
const NETWORK_SHARE = 1 / 2;

/** Weight of the newest call in the mean. */
const NEWEST_SHARE = 0.1;

/** A bounded number of permits; callers beyond wait their turn. The networks they come from are served in rotation. */
export class Queue {
  readonly #limits: QueueLimits;
  readonly #waiting = new RoundRobin<() => void>();
  #underWay = 0;
  #meanMs = 0;

  constructor(limits: QueueLimits) {
    this.#limits = limits;
  }

  get underWay(): number {
    return this.#underWay;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** How many of those that wait would get a permit after a caller of this network who came now. */
  behind(network = NO_NETWORK): number {
    return this.#waiting.size - this.#waiting.aheadOf(network);
  }

  /**
   * Resolves with a permit taken. Rejects with QueueFull at once, or with the signal's reason. `network` is left out
   * where we ask on our own behalf.
   */
  acquire(signal: AbortSignal, network = NO_NETWORK): Promise<void> {
    if (signal.aborted) return Promise.reject(signal.reason as Error);
    const { places, tolerableWaitMs = Infinity } = this.#limits;
    if (this.#underWay < places) {
      this.#underWay++;
      return Promise.resolve();
    }
    const expectedMs = ((this.#waiting.aheadOf(network) + 1) / places) * this.#meanMs;
    if (this.#isFull(network) || expectedMs > Math.max(tolerableWaitMs, this.#meanMs)) {
      return Promise.reject(new QueueFull(expectedMs));
    }
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        this.#waiting.delete(network, go);
        reject(signal.reason as Error);
      };
      const go = () => {
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      this.#waiting.add(network, go);
      signal.addEventListener('abort', giveUp);
    });
  }

  /** Gives the permit to the next; `tookMs` is how long the call took, if one was made. */
  release(tookMs: number | undefined): void {
    if (tookMs !== undefined) this.#meanMs += (tookMs - this.#meanMs) * NEWEST_SHARE;
    const next = this.#waiting.shift();
    if (next) next();
    else this.#underWay--;
  }

  #isFull(network: string): boolean {
    const { maxWaiting } = this.#limits;
    if (this.#waiting.size >= maxWaiting) return true;
    return network !== NO_NETWORK && this.#waiting.sizeOf(network) >= Math.ceil(maxWaiting * NETWORK_SHARE);
  }
}
