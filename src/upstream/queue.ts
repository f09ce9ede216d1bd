export interface QueueLimits {
  /** Permits given out at once. */
  places: number;
  /** Callers that may wait for one. */
  maxWaiting: number;
  /**
   * Nobody is let into the queue who would probably wait longer than this, or than one mean call where calls take
   * longer: an answer that comes too late is worth less than a refusal now. Left out: any wait will do.
   */
  tolerableWaitMs?: number;
}

/** Why a caller may not even wait; `waitMs` is when there should be room again. */
export class QueueFull extends Error {
  readonly waitMs: number;

  constructor(waitMs: number) {
    super(`the queue is full for about ${Math.ceil(waitMs)} ms`);
    this.name = 'QueueFull';
    this.waitMs = waitMs;
  }
}

/** Weight of the newest call in the mean. */
const NEWEST_SHARE = 0.1;

/** A bounded number of permits; callers beyond wait their turn, first come, first served. */
export class Queue {
  readonly #limits: QueueLimits;
  /** Insertion order is the order of arrival, and leaving from the middle costs nothing. */
  readonly #waiting = new Set<() => void>();
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

  /** Resolves with a permit taken. Rejects with QueueFull at once, or with the signal's reason. */
  enter(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.reject(signal.reason as Error);
    const { places, maxWaiting, tolerableWaitMs = Infinity } = this.#limits;
    if (this.#underWay < places) {
      this.#underWay++;
      return Promise.resolve();
    }
    const expectedMs = ((this.#waiting.size + 1) / places) * this.#meanMs;
    if (this.#waiting.size >= maxWaiting || expectedMs > Math.max(tolerableWaitMs, this.#meanMs)) {
      return Promise.reject(new QueueFull(expectedMs));
    }
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        this.#waiting.delete(go);
        reject(signal.reason as Error);
      };
      const go = () => {
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      this.#waiting.add(go);
      signal.addEventListener('abort', giveUp);
    });
  }

  /** Gives the permit to the next; `tookMs` is how long the call took, if one was made. */
  leave(tookMs: number | undefined): void {
    if (tookMs !== undefined) this.#meanMs += (tookMs - this.#meanMs) * NEWEST_SHARE;
    const [next] = this.#waiting;
    if (next) {
      this.#waiting.delete(next);
      next();
    } else {
      this.#underWay--;
    }
  }
}
