import { ERRORS, ServiceError } from '../errors.ts';
import { BoundedUse } from './bounded-use.ts';
import type { Release } from './bounded-use.ts';
import { RULES, boundOf } from './rules.ts';
import type { ClientIdentity } from './rules.ts';

export interface AdmissionOptions {
  maxBytes?: number;
  maxClientBytes?: number;
  maxConnections?: number;
  maxRequests?: number;
}

/** Work whose parts begin one a turn of the event loop: each kind has a line of its own. */
export type TurnKind = 'load' | 'page';

/** Node accepts one connection a turn: work that began in each would delay the last of a thousand by a thousand works. */
const MAX_TURNS_FOR_CONNECTIONS = 250;

/**
 * Begins one a turn of the event loop in which no connection came in, or in every so many: networks in rotation, each in
 * the order of arrival.
 */
class Line {
  readonly #countConnections: () => number;
  #seenConnections = 0;
  #turnsForConnections = 0;
  /** The one whose turn it is comes first. */
  readonly #networks = new Map<string, (() => void)[]>();

  constructor(countConnections: () => number) {
    this.#countConnections = countConnections;
  }

  next(network: string): Promise<void> {
    return new Promise((begin) => {
      if (this.#networks.size === 0) setImmediate(this.#beginOne);
      const waiting = this.#networks.get(network) ?? [];
      waiting.push(begin);
      this.#networks.set(network, waiting);
    });
  }

  readonly #beginOne = (): void => {
    const connections = this.#countConnections();
    const isForConnections = connections > this.#seenConnections;
    this.#seenConnections = connections;
    if (isForConnections && this.#turnsForConnections++ < MAX_TURNS_FOR_CONNECTIONS) {
      setImmediate(this.#beginOne);
      return;
    }
    this.#turnsForConnections = 0;
    for (const [network, waiting] of this.#networks) {
      waiting.shift()?.();
      this.#networks.delete(network);
      if (waiting.length > 0) this.#networks.set(network, waiting);
      break;
    }
    if (this.#networks.size > 0) setImmediate(this.#beginOne);
  };
}

/** Counts what is in use by `RULES`, and refuses what does not fit. Nothing waits for what others use. */
export class Admission {
  readonly connections: BoundedUse;
  readonly #requests: BoundedUse;
  readonly #bytes: BoundedUse;
  readonly #lines: Record<TurnKind, Line>;
  #connectionCount = 0;
  /** The end of the last compression of each place. */
  readonly #compressions: Promise<unknown>[] = Array.from({ length: RULES.compressions.all });

  constructor(options: AdmissionOptions) {
    const { maxBytes = RULES.bytes.all, maxClientBytes = RULES.bytes.client } = options;
    const { maxConnections = 10_000, maxRequests = RULES.requests.all } = options;
    this.connections = new BoundedUse(boundOf(RULES.connections, maxConnections));
    this.#requests = new BoundedUse(boundOf(RULES.requests, maxRequests));
    this.#bytes = new BoundedUse(boundOf(RULES.bytes, maxBytes, maxClientBytes));
    const countConnections = () => this.#connectionCount;
    this.#lines = { load: new Line(countConnections), page: new Line(countConnections) };
  }

  /** Requests in progress, and bytes in use. */
  get stats(): { requests: number; bytes: number } {
    return { requests: this.#requests.used, bytes: this.#bytes.used };
  }

  addConnection(client: ClientIdentity | undefined): Release {
    this.#connectionCount++;
    return this.connections.add(client, 1);
  }

  /** Whether this client has no space for more bytes. */
  isFull(client: ClientIdentity, bytes = 1): boolean {
    return this.#bytes.findFull(client, bytes) !== undefined;
  }

  /** Counts bytes that are in use already, even beyond the bounds. */
  addBytes(client: ClientIdentity, bytes: number, body?: object): Release {
    return this.#bytes.add(client, bytes, body);
  }

  /** Reserves bytes; those of a body count once for all who send it. Throws `overloaded`. */
  acquireBytes(client: ClientIdentity | undefined, bytes: number, body?: object): Release {
    refuseIfFull(this.#bytes, client, bytes, body);
    return this.#bytes.add(client, bytes, body);
  }

  /** Admits a request with the bytes of its head. Throws `overloaded`. */
  acquireRequest(client: ClientIdentity, bytes: number): Release {
    refuseIfFull(this.#requests, client, 1);
    const releaseBytes = this.acquireBytes(client, bytes);
    const releaseRequest = this.#requests.add(client, 1);
    return () => {
      releaseBytes();
      releaseRequest();
    };
  }

  /** Waits for a turn of the event loop in which nothing of this kind has begun; between two, connections come in. */
  nextTurn(kind: TurnKind, client: ClientIdentity | undefined): Promise<void> {
    return this.#lines[kind].next(client?.network ?? '');
  }

  /** Runs a compression when there is a place for it: more would occupy all threads, which others need. */
  async runCompression<T>(compress: () => Promise<T>): Promise<T> {
    const earlier = this.#compressions.shift();
    const done = Promise.resolve(earlier).then(compress);
    this.#compressions.push(done.catch(() => undefined));
    return done;
  }
}

function refuseIfFull(
  use: BoundedUse,
  client: ClientIdentity | undefined,
  amount: number,
  thing?: object,
): void {
  if (use.findFull(client, amount, thing) !== undefined)
    throw new ServiceError(ERRORS.overloaded, { retryAfterSeconds: 1 });
}
