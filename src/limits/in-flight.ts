/** Whose memory it is: the limiter's client, and the network of that client (IPv4 /24, IPv6 /48). */
export interface BytesHolder {
  readonly key: string;
  readonly masked: string;
}

/** Frees what was counted; further calls do nothing. */
export type Release = () => void;

interface InFlightOptions {
  /** Of all clients together. */
  maxBytes: number;
  maxClientBytes: number;
  /** How long a request waits for others to end. */
  patienceMs?: number;
}

/** No network of clients, such as an IPv6 /48 with its 65,536 of them, takes more than this of the whole. */
const NETWORK_SHARE = 1 / 2;

/** Of what may be held, as much again may wait: it holds memory too, its loaded data. */
const WAITING_SHARE = 1 / 4;

const PATIENCE_MS = 1_000;

/** Bytes within a bound. A body that many hold is counted once: they share its buffers. */
class Share {
  bytes = 0;
  readonly maxBytes: number;
  readonly #bodies = new Map<object, { bytes: number; holders: number }>();

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
  }

  fits(body: object, bytes: number): boolean {
    return this.#bodies.has(body) || this.bytes + this.#countOf(bytes) <= this.maxBytes;
  }

  add(body: object, bytes: number): void {
    const held = this.#bodies.get(body);
    if (held) {
      held.holders++;
      return;
    }
    const count = this.#countOf(bytes);
    this.bytes += count;
    this.#bodies.set(body, { bytes: count, holders: 1 });
  }

  remove(body: object): void {
    const held = this.#bodies.get(body);
    if (!held || --held.holders > 0) return;
    this.bytes -= held.bytes;
    this.#bodies.delete(body);
  }

  /** A body larger than the share must get through, too, beside the request that it belongs to. */
  #countOf(bytes: number): number {
    return Math.min(bytes, this.maxBytes / 2);
  }
}

/** The share of all, of each network and of each client. */
class Shares {
  readonly all: Share;
  readonly #others = new Map<string, Share>();
  readonly #maxClientBytes: number;

  constructor(maxBytes: number, maxClientBytes: number) {
    this.all = new Share(maxBytes);
    this.#maxClientBytes = Math.min(maxClientBytes, maxBytes);
  }

  fits(holder: BytesHolder, body: object, bytes: number): boolean {
    return this.#of(holder).every(([, share]) => share.fits(body, bytes));
  }

  isFull({ key, masked }: BytesHolder): boolean {
    const isFull = (share: Share | undefined) => share !== undefined && share.bytes >= share.maxBytes;
    return isFull(this.all) || isFull(this.#others.get(key)) || isFull(this.#others.get(networkKey(masked)));
  }

  add(holder: BytesHolder, body: object, bytes: number): Release {
    const shares = this.#of(holder);
    for (const [name, share] of shares) {
      share.add(body, bytes);
      if (name !== undefined) this.#others.set(name, share);
    }
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      for (const [name, share] of shares) {
        share.remove(body);
        if (name !== undefined && share.bytes === 0) this.#others.delete(name);
      }
    };
  }

  #of({ key, masked }: BytesHolder): [name: string | undefined, share: Share][] {
    const network = networkKey(masked);
    return [
      [undefined, this.all],
      [network, this.#others.get(network) ?? new Share(this.all.maxBytes * NETWORK_SHARE)],
      [key, this.#others.get(key) ?? new Share(this.#maxClientBytes)],
    ];
  }
}

/** Never the key of a client. */
const networkKey = (masked: string) => `network ${masked}`;

interface Waiter {
  holder: BytesHolder;
  body: object;
  bytes: number;
  admit: (release: Release | undefined) => void;
}

/**
 * The memory that requests and their responses hold until they have left: in all, for each network of clients and for
 * each client.
 */
export class InFlight {
  readonly #heldBytes: Shares;
  readonly #waiting: Shares;
  readonly #waiters = new Set<Waiter>();
  readonly #patienceMs: number;

  constructor({ maxBytes, maxClientBytes, patienceMs = PATIENCE_MS }: InFlightOptions) {
    this.#heldBytes = new Shares(maxBytes, maxClientBytes);
    this.#waiting = new Shares(maxBytes * WAITING_SHARE, maxClientBytes * WAITING_SHARE);
    this.#patienceMs = patienceMs;
  }

  get stats(): { bytes: number; waiting: number } {
    return { bytes: this.#heldBytes.all.bytes, waiting: this.#waiters.size };
  }

  /** Whether this client can hold nothing more for the moment. */
  isFull(holder: BytesHolder): boolean {
    return this.#heldBytes.isFull(holder);
  }

  /** Counts what is held already, within the bounds or not. */
  add(holder: BytesHolder, body: object, bytes: number): Release {
    const release = this.#heldBytes.add(holder, body, bytes);
    return () => {
      release();
      this.#admitWaiters();
    };
  }

  /** Counts `bytes` of `body` if there is room. */
  tryAdd(holder: BytesHolder, body: object, bytes: number): Release | undefined {
    return this.#heldBytes.fits(holder, body, bytes) ? this.add(holder, body, bytes) : undefined;
  }

  /** The same; waits a little for room where there is none. Undefined: none came, or too many wait. */
  acquire(holder: BytesHolder, body: object, bytes: number): Promise<Release | undefined> {
    const release = this.tryAdd(holder, body, bytes);
    if (release || !this.#waiting.fits(holder, body, bytes)) return Promise.resolve(release);
    const stopWaiting = this.#waiting.add(holder, body, bytes);
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        waiter.admit(undefined);
      }, this.#patienceMs);
      const waiter: Waiter = {
        holder,
        body,
        bytes,
        admit: (admitted) => {
          clearTimeout(timer);
          this.#waiters.delete(waiter);
          stopWaiting();
          resolve(admitted);
        },
      };
      this.#waiters.add(waiter);
    });
  }

  /** Those that came first, as far as there is room for them. */
  #admitWaiters(): void {
    for (const waiter of this.#waiters) {
      const release = this.tryAdd(waiter.holder, waiter.body, waiter.bytes);
      if (release) waiter.admit(release);
    }
  }
}
