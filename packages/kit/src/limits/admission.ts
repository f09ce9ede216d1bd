import { ERRORS, ServiceError } from '../errors.ts';
import { Turns } from './turns.ts';
import { NETWORK_SHARE, networkOf } from './rules.ts';

export interface AdmissionOptions {
  maxBytes?: number;
  maxClientBytes?: number;
  maxConnections?: number;
  maxRequests?: number;
}

/** An amount that may be in use at once: in all, by one network and by one client. */
interface Bound {
  readonly all: number;
  readonly network: number;
  readonly client: number;
}

/** Whose share a use counts in. */
export type OwnerKind = keyof Bound;

/** Ends a use. Call it once. */
export type Release = () => void;

/** The use of one owner. */
interface Share {
  used: number;
  readonly things: Map<object | string, { readonly amount: number; users: number }>;
}

/** The name of the share that counts the use of a client, its network, or all. */
export const ownerOf = (kind: OwnerKind, client = ''): string =>
  kind === 'all' ? kind : `${kind} ${kind === 'client' ? client : networkOf(client)}`;

/** What a use counts in, the narrowest first. Without a client it counts only among all. */
const kindsOf = (client: string | undefined): readonly OwnerKind[] =>
  client === undefined ? ['all'] : ['client', 'network', 'all'];

/**
 * The use of one bounded amount. A thing with several users counts once an owner: a body whose buffers they share.
 */
class BoundedUse {
  readonly #bound: Bound;
  /** By owner: only those in use. */
  readonly #shares = new Map<string, Share>();
  #added = 0;

  constructor(all: number, client = all) {
    this.#bound = { all, network: all * NETWORK_SHARE, client };
  }

  get used(): number {
    return this.#shares.get(ownerOf('all'))?.used ?? 0;
  }

  /** All uses since the start. */
  get added(): number {
    return this.#added;
  }

  /** Whose share has no space for this: the client's, its network's, or that of all. */
  findFull(client: string | undefined, amount: number): OwnerKind | undefined {
    // Every hit asks. No amount counts more than half a bound, so that it fits where nothing is in use.
    if (this.#shares.size === 0) return undefined;
    return kindsOf(client).find((kind) => {
      const { used = 0 } = this.#shares.get(ownerOf(kind, client)) ?? {};
      return used + this.#counted(amount, kind) > this.#bound[kind];
    });
  }

  /** Counts a use. Throws `overloaded` if there is no space for it. */
  acquire(client: string | undefined, amount: number, thing?: object | string): Release {
    if (this.findFull(client, amount) !== undefined)
      throw new ServiceError(ERRORS.overloaded, { retryAfterSeconds: 1 });
    return this.add(client, amount, thing);
  }

  /** Counts a use, even beyond the bound. */
  add(client: string | undefined, amount: number, thing: object | string = {}): Release {
    this.#added++;
    const uses = kindsOf(client).map((kind) => {
      const owner = ownerOf(kind, client);
      const share: Share = this.#shares.get(owner) ?? { used: 0, things: new Map() };
      this.#shares.set(owner, share);
      const use = share.things.get(thing) ?? { amount: this.#counted(amount, kind), users: 0 };
      if (use.users++ === 0) {
        share.used += use.amount;
        share.things.set(thing, use);
      }
      return { owner, share, use };
    });
    return () => {
      for (const { owner, share, use } of uses) {
        if (--use.users > 0) continue;
        share.used -= use.amount;
        share.things.delete(thing);
        if (share.things.size === 0) this.#shares.delete(owner);
      }
    };
  }

  /** At most half the bound, so that an oversized body and its request both fit. */
  #counted(amount: number, kind: OwnerKind): number {
    return Math.min(amount, this.#bound[kind] / 2);
  }
}

/** Work whose parts begin one a turn of the event loop: each kind has a line of its own. */
export type TurnKind = 'load' | 'page';

/** Node accepts one connection a turn: work that began in each would delay the last of a thousand by a thousand works. */
const MAX_TURNS_FOR_CONNECTIONS = 250;

/** Work begins one a turn of the event loop; turns in which connections came in do not count, but for every so many. */
class Line {
  readonly turns = new Turns(1);
  readonly #connections: BoundedUse;
  #seenConnections = 0;
  #turnsForConnections = 0;

  constructor(connections: BoundedUse) {
    this.#connections = connections;
  }

  readonly endTurn = (): void => {
    const { added } = this.#connections;
    const isForConnections = added > this.#seenConnections;
    this.#seenConnections = added;
    if (isForConnections && this.#turnsForConnections++ < MAX_TURNS_FOR_CONNECTIONS) {
      setImmediate(this.endTurn);
      return;
    }
    this.#turnsForConnections = 0;
    this.turns.leave();
  };
}

/** Counts what is in use, and refuses what does not fit. Nothing waits for what others use. */
export class Admission {
  readonly connections: BoundedUse;
  readonly requests: BoundedUse;
  /** Those of a body count once for all who send it. */
  readonly bytes: BoundedUse;
  readonly #lines: Record<TurnKind, Line>;

  constructor(options: AdmissionOptions) {
    const { maxBytes = 64_000_000, maxClientBytes = 16_000_000 } = options;
    const { maxConnections = 10_000, maxRequests = 5_000 } = options;
    this.connections = new BoundedUse(maxConnections, maxConnections / 4);
    this.requests = new BoundedUse(maxRequests);
    this.bytes = new BoundedUse(maxBytes, maxClientBytes);
    this.#lines = { load: new Line(this.connections), page: new Line(this.connections) };
  }

  /** Waits for a turn of the event loop in which nothing of this kind has begun; between two, connections come in. */
  async nextTurn(kind: TurnKind, client: string | undefined): Promise<void> {
    const { turns, endTurn } = this.#lines[kind];
    await turns.enter(undefined, client);
    setImmediate(endTurn);
  }
}
