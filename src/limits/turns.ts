import type { ConnectionBurst } from './connection-burst.ts';
import { RoundRobin } from './round-robin.ts';

/** Requests that start in one turn of the event loop, so that other connections are read in between. */
const BEGIN_AT_ONCE = 4;

/** Starts requests in turn: a few per turn of the event loop, with the networks in rotation. */
export class Turns {
  readonly #burst: ConnectionBurst;
  readonly #waiting = new RoundRobin<() => void>();
  #begun = 0;
  #isScheduled = false;

  constructor(burst: ConnectionBurst) {
    this.#burst = burst;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  /** Calls `begin` now, or in its turn. The returned function cancels the turn. */
  start(network: string, begin: () => void): () => void {
    this.#schedule();
    if (this.#begun < BEGIN_AT_ONCE && !this.#burst.isActive) {
      this.#begun++;
      begin();
      return () => undefined;
    }
    this.#waiting.add(network, begin);
    return () => this.#waiting.delete(network, begin);
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(this.#beginRound);
  }

  readonly #beginRound = (): void => {
    this.#isScheduled = false;
    this.#begun = this.#burst.isActive ? 0 : Math.min(this.#waiting.size, BEGIN_AT_ONCE);
    // Each in its own callback, because Node runs resolved promises after each callback.
    for (let count = 0; count < this.#begun; count++) setImmediate(this.#beginNext);
    if (this.#waiting.size > 0) this.#schedule();
  };

  readonly #beginNext = (): void => {
    this.#waiting.shift()?.();
  };
}
