import type { Clock } from '../process/clock.ts';

/** So many turns in a row, each with a connection, are a burst. */
const TURNS = 8;

/** Work waits no longer than this for connections, which then wait for work. */
const LONGEST_MS = 400;
const REST_MS = 100;

/**
 * Whether many connections wait to be accepted. libuv accepts one in each turn of the event loop, so that work between
 * the turns would keep every one of them waiting: while a burst lasts, none is begun.
 */
export class ConnectionBurst {
  readonly #clock: Clock;
  readonly #waiting: (() => void)[] = [];
  /** Turns in a row in which connections were accepted. */
  #turns = 0;
  #hasAccepted = false;
  #isActive = false;
  #startedAt = 0;
  #nextAt = -Infinity;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get isActive(): boolean {
    return this.#isActive;
  }

  /** A connection was accepted in this turn of the event loop. */
  note(): void {
    if (this.#turns === 0 && !this.#hasAccepted) setImmediate(this.#look);
    this.#hasAccepted = true;
  }

  /** Resolves when no burst lasts. */
  readonly over = (): Promise<void> =>
    this.#isActive ? new Promise((resolve) => this.#waiting.push(resolve)) : Promise.resolve();

  /** At the end of each turn, until there is one in which no connection was accepted. */
  readonly #look = (): void => {
    this.#turns = this.#hasAccepted ? this.#turns + 1 : 0;
    this.#hasAccepted = false;
    if (this.#turns > 0) setImmediate(this.#look);
    const now = this.#clock.monotonic();
    if (!this.#isActive && this.#turns >= TURNS && now >= this.#nextAt) {
      this.#isActive = true;
      this.#startedAt = now;
    } else if (this.#isActive) this.#endIfOver(now);
  };

  #endIfOver(now: number): void {
    const isTooLong = now - this.#startedAt >= LONGEST_MS;
    if (this.#turns > 0 && !isTooLong) return;
    if (isTooLong) this.#nextAt = now + REST_MS;
    this.#isActive = false;
    for (const resume of this.#waiting.splice(0)) resume();
  }
}
