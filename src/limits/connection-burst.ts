import type { Clock } from '../process/clock.ts';
import { BURST_REST_SECONDS, MAX_BURST_SECONDS, RULES } from './rules.ts';

const MAX_MS = MAX_BURST_SECONDS * 1_000;
const REST_MS = BURST_REST_SECONDS * 1_000;

/**
 * Detects that many connections wait to be accepted. libuv accepts one per turn of the event loop, so work between the
 * turns delays all of them. During a burst, no work is started.
 */
export class ConnectionBurst {
  readonly #clock: Clock;
  readonly #waiting: (() => void)[] = [];
  /** Consecutive turns with accepted connections. */
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

  /** Call for each accepted connection. */
  countConnection(): void {
    if (this.#turns === 0 && !this.#hasAccepted) setImmediate(this.#endTurn);
    this.#hasAccepted = true;
  }

  /** Resolves when there is no burst. */
  readonly over = (): Promise<void> =>
    this.#isActive ? new Promise((resolve) => this.#waiting.push(resolve)) : Promise.resolve();

  /** Runs at the end of each turn, until one without a new connection. */
  readonly #endTurn = (): void => {
    this.#turns = this.#hasAccepted ? this.#turns + 1 : 0;
    this.#hasAccepted = false;
    if (this.#turns > 0) setImmediate(this.#endTurn);
    const now = this.#clock.monotonic();
    if (!this.#isActive && this.#turns >= RULES.burst.all && now >= this.#nextAt) {
      this.#isActive = true;
      this.#startedAt = now;
    } else if (this.#isActive) this.#endIfOver(now);
  };

  #endIfOver(now: number): void {
    const isTooLong = now - this.#startedAt >= MAX_MS;
    if (this.#turns > 0 && !isTooLong) return;
    if (isTooLong) this.#nextAt = now + REST_MS;
    this.#isActive = false;
    for (const resume of this.#waiting.splice(0)) resume();
  }
}
