import type { CallEnd } from './call-end.ts';

export interface WaitingLineOptions {
  /** Calls under way at once. */
  places: number;
  /** Calls that may wait for a place. */
  maxWaiting: number;
  /**
   * Nobody is let into the line who would probably wait longer than this, or than one mean call where calls take
   * longer: an answer that comes too late is worth less than a refusal now.
   */
  tolerableWaitMs: number;
}

/** Why a call may not even wait; `waitMs` is when there should be room again. */
export class LineFull extends Error {
  readonly waitMs: number;

  constructor(waitMs: number) {
    super(`the line is full for about ${Math.ceil(waitMs)} ms`);
    this.name = 'LineFull';
    this.waitMs = waitMs;
  }
}

/** Weight of the newest call in the mean. */
const NEWEST_SHARE = 0.1;

/** A bounded number of calls at once; those beyond wait their turn, first come, first served. */
export class WaitingLine {
  readonly #options: WaitingLineOptions;
  /** Insertion order is the order of arrival, and leaving from the middle costs nothing. */
  readonly #waiting = new Set<() => void>();
  #underWay = 0;
  #meanMs = 0;

  constructor(options: WaitingLineOptions) {
    this.#options = options;
  }

  get figures(): { underWay: number; waiting: number; meanMs: number } {
    return { underWay: this.#underWay, waiting: this.#waiting.size, meanMs: this.#meanMs };
  }

  /** Resolves when a place is taken. Rejects with LineFull at once, or with the reason of the end. */
  enter(end: CallEnd): Promise<void> {
    if (this.#underWay < this.#options.places) {
      this.#underWay++;
      return Promise.resolve();
    }
    const expectedMs = ((this.#waiting.size + 1) / this.#options.places) * this.#meanMs;
    const tolerableMs = Math.max(this.#options.tolerableWaitMs, this.#meanMs);
    if (this.#waiting.size >= this.#options.maxWaiting || expectedMs > tolerableMs) {
      return Promise.reject(new LineFull(expectedMs));
    }
    return new Promise((resolve, reject) => {
      const giveUp = () => {
        this.#waiting.delete(go);
        reject(end.reason ?? new Error('the call is over'));
      };
      const go = () => {
        end.forget(giveUp);
        resolve();
      };
      this.#waiting.add(go);
      end.listen(giveUp);
    });
  }

  /** Gives the place to the next; `tookMs` is how long the call took, if one was made. */
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
