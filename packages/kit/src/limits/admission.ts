import { ERRORS, ServiceError } from '../errors.ts';
import { Turns } from '../turns.ts';
import { BoundedUse } from './bounded-use.ts';
import type { Release } from './bounded-use.ts';
import { boundOf } from './rules.ts';

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

/** Work begins one a turn of the event loop; turns in which connections came in do not count, but for every so many. */
class Line {
  readonly #countConnections: () => number;
  readonly #turns = new Turns(1);
  #seenConnections = 0;
  #turnsForConnections = 0;

  constructor(countConnections: () => number) {
    this.#countConnections = countConnections;
  }

  async next(client: string | undefined): Promise<void> {
    await this.#turns.enter(undefined, client);
    setImmediate(this.#endTurn);
  }

  readonly #endTurn = (): void => {
    const connections = this.#countConnections();
    const isForConnections = connections > this.#seenConnections;
    this.#seenConnections = connections;
    if (isForConnections && this.#turnsForConnections++ < MAX_TURNS_FOR_CONNECTIONS) {
      setImmediate(this.#endTurn);
      return;
    }
    this.#turnsForConnections = 0;
    this.#turns.leave();
  };
}

/** Counts what is in use, and refuses what does not fit. Nothing waits for what others use. */
export class Admission {
  readonly connections: BoundedUse;
  readonly #requests: BoundedUse;
  readonly #bytes: BoundedUse;
  readonly #lines: Record<TurnKind, Line>;
  #connectionCount = 0;

  constructor(options: AdmissionOptions) {
    const { maxBytes = 64_000_000, maxClientBytes = 16_000_000 } = options;
    const { maxConnections = 10_000, maxRequests = 5_000 } = options;
    this.connections = new BoundedUse(boundOf(maxConnections, maxConnections / 4));
    this.#requests = new BoundedUse(boundOf(maxRequests));
    this.#bytes = new BoundedUse(boundOf(maxBytes, maxClientBytes));
    const countConnections = () => this.#connectionCount;
    this.#lines = { load: new Line(countConnections), page: new Line(countConnections) };
  }

  /** Requests in progress, and bytes in use. */
  get stats(): { requests: number; bytes: number } {
    return { requests: this.#requests.used, bytes: this.#bytes.used };
  }

  addConnection(client: string | undefined): Release {
    this.#connectionCount++;
    return this.connections.add(client, 1);
  }

  /** Whether this client has no space for more bytes. */
  isFull(client: string): boolean {
    return this.#bytes.findFull(client, 1) !== undefined;
  }

  /** Counts bytes that are in use already, even beyond the bounds. */
  addBytes(client: string, bytes: number, body?: object): Release {
    return this.#bytes.add(client, bytes, body);
  }

  /** Reserves bytes; those of a body count once for all who send it. Throws `overloaded`. */
  acquireBytes(client: string | undefined, bytes: number, body?: object): Release {
    refuseIfFull(this.#bytes, client, bytes);
    return this.#bytes.add(client, bytes, body);
  }

  /** Admits a request with the bytes of its head. Throws `overloaded`. */
  acquireRequest(client: string, bytes: number): Release {
    refuseIfFull(this.#requests, client, 1);
    const releaseBytes = this.acquireBytes(client, bytes);
    const releaseRequest = this.#requests.add(client, 1);
    return () => {
      releaseBytes();
      releaseRequest();
    };
  }

  /** Waits for a turn of the event loop in which nothing of this kind has begun; between two, connections come in. */
  nextTurn(kind: TurnKind, client: string | undefined): Promise<void> {
    return this.#lines[kind].next(client);
  }
}

function refuseIfFull(use: BoundedUse, client: string | undefined, amount: number): void {
  if (use.findFull(client, amount) !== undefined)
    throw new ServiceError(ERRORS.overloaded, { retryAfterSeconds: 1 });
}
