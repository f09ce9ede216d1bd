import type { ConnectionBurst } from './connection-burst.ts';
import { RoundRobin } from './round-robin.ts';

/** Requests that begin their work in one turn of the event loop, so that what others send is read in between. */
const BEGIN_AT_ONCE = 4;

/** Lets requests begin their work in turn: the networks in rotation, a few in each turn of the event loop. */
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

  /** Calls `begin` now, or in its turn. What is returned gives the turn up. */
  enter(network: string, begin: () => void): () => void {
    this.#schedule();
    if (this.#begun < BEGIN_AT_ONCE && !this.#burst.isActive) {
      this.#begun++;
      begin();
      return () => undefined;
    }
    this.#waiting.add(network, begin);
    return () => {
      this.#waiting.delete(network, begin);
    };
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(this.#beginRound);
  }

  readonly #beginRound = (): void => {
    this.#isScheduled = false;
    this.#begun = this.#burst.isActive ? 0 : Math.min(this.#waiting.size, BEGIN_AT_ONCE);
    // Each in a callback of its own: behind each, Node runs what has been resolved.
    for (let count = 0; count < this.#begun; count++) setImmediate(this.#beginNext);
    if (this.#waiting.size > 0) this.#schedule();
  };

  readonly #beginNext = (): void => {
    this.#waiting.shift()?.();
  };
}
