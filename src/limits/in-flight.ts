import { NETWORK_SHARE } from './network.ts';

/** The owner of the memory: the limiter's client, and its network (IPv4 /24, IPv6 /48). */
export interface MemoryOwner {
  readonly key: string;
  readonly masked: string;
}

/** Frees the reserved memory; further calls have no effect. */
type Release = () => void;

interface InFlightOptions {
  /** For all clients together. */
  maxBytes: number;
  maxClientBytes: number;
  /** How long a request waits for free memory. */
  maxWaitMs?: number;
}

/** Share of the memory for waiting requests, whose loaded data need memory too. */
const WAITING_SHARE = 1 / 4;

const MAX_WAIT_MS = 1_000;

/** Bounded bytes. A body with several owners counts once, because they share its buffers. */
class Share {
  bytes = 0;
  readonly maxBytes: number;
  readonly #bodies = new Map<object, { bytes: number; owners: number }>();

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
  }

  get isEmpty(): boolean {
    return this.#bodies.size === 0;
  }

  fits(body: object, bytes: number): boolean {
    return this.#bodies.has(body) || this.bytes + this.#countOf(bytes) <= this.maxBytes;
  }

  add(body: object, bytes: number): void {
    const entry = this.#bodies.get(body);
    if (entry) {
      entry.owners++;
      return;
    }
    const count = this.#countOf(bytes);
    this.bytes += count;
    this.#bodies.set(body, { bytes: count, owners: 1 });
  }

  remove(body: object): void {
    const entry = this.#bodies.get(body);
    if (!entry || --entry.owners > 0) return;
    this.bytes -= entry.bytes;
    this.#bodies.delete(body);
  }

  /** Counts at most half the share, so that an oversized body and its request both fit. */
  #countOf(bytes: number): number {
    return Math.min(bytes, this.maxBytes / 2);
  }
}

/** A share, and its name in the map of its kind. */
interface OwnedShare {
  share: Share;
  of?: Map<string, Share>;
  name: string;
}

/** The shares of all clients, of each network and of each client. */
class Shares {
  readonly all: Share;
  readonly #ofNetworks = new Map<string, Share>();
  readonly #ofClients = new Map<string, Share>();
  readonly #maxClientBytes: number;

  constructor(maxBytes: number, maxClientBytes: number) {
    this.all = new Share(maxBytes);
    this.#maxClientBytes = Math.min(maxClientBytes, maxBytes);
  }

  fits(owner: MemoryOwner, body: object, bytes: number): boolean {
    return this.#of(owner).every(({ share }) => share.fits(body, bytes));
  }

  isFull({ key, masked }: MemoryOwner): boolean {
    const isFull = (share: Share | undefined) => share !== undefined && share.bytes >= share.maxBytes;
    return isFull(this.all) || isFull(this.#ofClients.get(key)) || isFull(this.#ofNetworks.get(masked));
  }

  add(owner: MemoryOwner, body: object, bytes: number): Release {
    const shares = this.#of(owner);
    for (const { share, of, name } of shares) {
      share.add(body, bytes);
      of?.set(name, share);
    }
    let isReserved = true;
    return () => {
      if (!isReserved) return;
      isReserved = false;
      for (const { share, of, name } of shares) {
        share.remove(body);
        if (share.isEmpty) of?.delete(name);
      }
    };
  }

  #of({ key, masked }: MemoryOwner): OwnedShare[] {
    const ofNetwork = this.#ofNetworks.get(masked) ?? new Share(this.all.maxBytes * NETWORK_SHARE);
    const ofClient = this.#ofClients.get(key) ?? new Share(this.#maxClientBytes);
    return [
      { share: this.all, name: '' },
      { share: ofNetwork, of: this.#ofNetworks, name: masked },
      { share: ofClient, of: this.#ofClients, name: key },
    ];
  }
}

interface Waiter {
  owner: MemoryOwner;
  body: object;
  bytes: number;
  admit: (release: Release | undefined) => void;
}

/**
 * Bounds the memory of requests and responses until they are sent: in total, per network and per client.
 */
export class InFlight {
  readonly #reserved: Shares;
  readonly #waiting: Shares;
  readonly #waiters = new Set<Waiter>();
  readonly #maxWaitMs: number;

  constructor({ maxBytes, maxClientBytes, maxWaitMs = MAX_WAIT_MS }: InFlightOptions) {
    this.#reserved = new Shares(maxBytes, maxClientBytes);
    this.#waiting = new Shares(maxBytes * WAITING_SHARE, maxClientBytes * WAITING_SHARE);
    this.#maxWaitMs = maxWaitMs;
  }

  get stats(): { bytes: number; waiting: number } {
    return { bytes: this.#reserved.all.bytes, waiting: this.#waiters.size };
  }

  /** Whether this client has used up its memory. */
  isFull(owner: MemoryOwner): boolean {
    return this.#reserved.isFull(owner);
  }

  /** Counts memory that is in use already, even beyond the bounds. */
  add(owner: MemoryOwner, body: object, bytes: number): Release {
    const release = this.#reserved.add(owner, body, bytes);
    return () => {
      release();
      this.#admitWaiters();
    };
  }

  /** Reserves `bytes` for `body` if they are free. */
  tryAdd(owner: MemoryOwner, body: object, bytes: number): Release | undefined {
    return this.#reserved.fits(owner, body, bytes) ? this.add(owner, body, bytes) : undefined;
  }

  /** Reserves `bytes` for `body`, if necessary after a short wait. Undefined if they do not become free in time. */
  reserve(owner: MemoryOwner, body: object, bytes: number): Promise<Release | undefined> {
    const release = this.tryAdd(owner, body, bytes);
    if (release || !this.#waiting.fits(owner, body, bytes)) return Promise.resolve(release);
    const stopWaiting = this.#waiting.add(owner, body, bytes);
    return new Promise((resolve) => {
      const timer = setTimeout(() => waiter.admit(undefined), this.#maxWaitMs);
      const waiter: Waiter = {
        owner,
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

  /** Admits waiting requests in their order, as far as memory is free. */
  #admitWaiters(): void {
    for (const waiter of this.#waiters) {
      const release = this.tryAdd(waiter.owner, waiter.body, waiter.bytes);
      if (release) waiter.admit(release);
    }
  }
}
