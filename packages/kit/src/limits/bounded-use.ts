import type { Bound, ClientIdentity } from './rules.ts';

/** Ends a use. Call it once. */
export type Release = () => void;

/** The use of one owner, or of all. A thing with several users counts once: a body whose buffers they share. */
class Share {
  used = 0;
  readonly #max: number;
  readonly #things = new Map<object, { amount: number; users: number }>();

  constructor(max: number) {
    this.#max = max;
  }

  fits(amount: number): boolean {
    return this.used + this.#countOf(amount) <= this.#max;
  }

  add(thing: object, amount: number): void {
    const entry = this.#things.get(thing) ?? { amount: this.#countOf(amount), users: 0 };
    if (entry.users++ > 0) return;
    this.used += entry.amount;
    this.#things.set(thing, entry);
  }

  remove(thing: object): void {
    const entry = this.#things.get(thing);
    if (!entry || --entry.users > 0) return;
    this.used -= entry.amount;
    this.#things.delete(thing);
  }

  /** Counts at most half the share, so that an oversized body and its request both fit. */
  #countOf(amount: number): number {
    return Math.min(amount, this.#max / 2);
  }
}

/** The use of one bounded amount. */
export class BoundedUse {
  readonly #bound: Bound;
  readonly #all: Share;
  readonly #networks = new Map<string, Share>();
  readonly #clients = new Map<string, Share>();

  constructor(bound: Bound) {
    this.#bound = bound;
    this.#all = new Share(bound.all);
  }

  get used(): number {
    return this.#all.used;
  }

  /** Whose share has no space for this: the client's, its network's, or that of all. */
  findFull(client: ClientIdentity | undefined, amount: number): keyof Bound | undefined {
    const isFull = (share: Share | undefined) => share !== undefined && !share.fits(amount);
    if (client && isFull(this.#clients.get(client.key))) return 'client';
    if (client && isFull(this.#networks.get(client.network))) return 'network';
    return isFull(this.#all) ? 'all' : undefined;
  }

  /** Counts a use, even beyond the bound. Without a client it counts only among all. */
  add(client: ClientIdentity | undefined, amount: number, thing: object = {}): Release {
    this.#all.add(thing, amount);
    const shares = client && [
      { map: this.#clients, name: client.key, max: this.#bound.client },
      { map: this.#networks, name: client.network, max: this.#bound.network },
    ];
    for (const { map, name, max } of shares ?? []) {
      const share = map.get(name) ?? new Share(max);
      share.add(thing, amount);
      map.set(name, share);
    }
    return () => {
      this.#all.remove(thing);
      for (const { map, name } of shares ?? []) {
        map.get(name)?.remove(thing);
        if (map.get(name)?.used === 0) map.delete(name);
      }
    };
  }
}
