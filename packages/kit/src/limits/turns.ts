import { NETWORK_SHARE, networkOf } from './rules.ts';

/** A caller that waits. */
interface Waiting {
  readonly network: string;
  readonly round: number;
  readonly start: () => void;
}

/** Lets so many callers run at once. The others wait in rounds: in each, every network has one turn. */
export class Turns {
  readonly #atOnce: number;
  readonly #maxWaiting: number;
  /** In the order of their rounds. */
  #queue: Waiting[] = [];
  /** That of the caller that started last. */
  #round = 0;
  #running = 0;

  /** One network may have half of those that wait. Callers without a client are one, without that limit. */
  constructor(atOnce: number, maxWaiting = Infinity) {
    this.#atOnce = atOnce;
    this.#maxWaiting = maxWaiting;
  }

  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#queue.length;
  }

  /** How many of those that wait start before this client, if it came now. */
  aheadOf(client = ''): number {
    const round = this.#nextRoundOf(networkOf(client));
    return this.#queue.findLastIndex((each) => each.round <= round) + 1;
  }

  /** Resolves when the caller may run, who then calls `leave`; false: too many wait. Rejects with the signal's reason. */
  async enter(signal?: AbortSignal, client = ''): Promise<boolean> {
    signal?.throwIfAborted();
    if (this.#running < this.#atOnce) {
      this.#running++;
      return true;
    }
    const network = networkOf(client);
    const own = this.#queue.filter((each) => each.network === network);
    const isShareFull = client !== '' && own.length >= Math.ceil(this.#maxWaiting * NETWORK_SHARE);
    if (isShareFull || this.waiting >= this.#maxWaiting) return false;
    await new Promise<void>((resolve, reject) => {
      const start = () => {
        signal?.removeEventListener('abort', abort);
        resolve();
      };
      const caller = { network, round: this.#nextRoundOf(network), start };
      const abort = () => {
        this.#queue = this.#queue.filter((each) => each !== caller);
        reject(signal?.reason as Error);
      };
      this.#queue.splice(this.aheadOf(client), 0, caller);
      signal?.addEventListener('abort', abort);
    });
    return true;
  }

  /** Lets the next caller run. */
  leave(): void {
    const next = this.#queue.shift();
    if (next === undefined) this.#running--;
    else {
      this.#round = next.round;
      next.start();
    }
  }

  #nextRoundOf(network: string): number {
    const last = this.#queue.findLast((each) => each.network === network);
    return (last?.round ?? this.#round) + 1;
  }
}
