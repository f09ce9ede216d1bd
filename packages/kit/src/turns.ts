import { withSignal } from './deadline.ts';
import { NETWORK_SHARE, networkOf } from './limits/rules.ts';

/** Lets so many callers run at once. The others wait: their networks take turns, those without a client as one. */
export class Turns {
  readonly #atOnce: number;
  readonly #maxWaiting: number;
  /** The network to serve next comes first; each has a caller. */
  readonly #networks = new Map<string, Set<() => void>>();
  #running = 0;

  /** One network may have half of those that wait. */
  constructor(atOnce: number, maxWaiting = Infinity) {
    this.#atOnce = atOnce;
    this.#maxWaiting = maxWaiting;
  }

  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return [...this.#networks.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /** How many of those that wait start before this client, if it came now. */
  aheadOf(client = ''): number {
    const own = this.#networks.get(networkOf(client))?.size ?? 0;
    return [...this.#networks.values()].reduce((sum, { size }) => sum + Math.min(size, own + 1), 0);
  }

  /** Resolves when the caller may run, who then calls `leave`; false: too many wait. Rejects with the signal's reason. */
  async enter(signal?: AbortSignal, client = ''): Promise<boolean> {
    signal?.throwIfAborted();
    if (this.#running < this.#atOnce) {
      this.#running++;
      return true;
    }
    const network = networkOf(client);
    const callers = this.#networks.get(network) ?? new Set();
    const isShareFull = client !== '' && callers.size >= Math.ceil(this.#maxWaiting * NETWORK_SHARE);
    if (isShareFull || this.waiting >= this.#maxWaiting) return false;
    let start: () => void = () => undefined;
    const turn = new Promise<void>((resolve) => (start = resolve));
    this.#networks.set(network, callers.add(start));
    try {
      await (signal ? withSignal(turn, signal) : turn);
    } catch (error) {
      // Its turn may have come in the same tick.
      if (!this.#remove(network, callers, start)) this.leave();
      throw error;
    }
    return true;
  }

  /** Lets the next caller run. */
  leave(): void {
    for (const [network, callers] of this.#networks) {
      const [start] = callers;
      if (start === undefined) continue;
      this.#remove(network, callers, start);
      if (this.#networks.delete(network)) this.#networks.set(network, callers);
      start();
      return;
    }
    this.#running--;
  }

  #remove(network: string, callers: Set<() => void>, start: () => void): boolean {
    if (!callers.delete(start)) return false;
    if (callers.size === 0) this.#networks.delete(network);
    return true;
  }
}
