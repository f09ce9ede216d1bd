import { networkOf } from './rules.ts';
import type { Bound } from './rules.ts';

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

/** The name of the share that counts the use of a client, its network, or all. */
export const ownerOf = (kind: keyof Bound, client = ''): string =>
  kind === 'all' ? kind : `${kind} ${kind === 'client' ? client : networkOf(client)}`;

/** What a use counts in, the narrowest first. Without a client it counts only among all. */
const kindsOf = (client: string | undefined): readonly (keyof Bound)[] =>
  client === undefined ? ['all'] : ['client', 'network', 'all'];

/** The use of one bounded amount. */
export class BoundedUse {
  readonly #bound: Bound;
  /** By owner: only those in use. */
  readonly #shares = new Map<string, Share>();

  constructor(bound: Bound) {
    this.#bound = bound;
  }

  get used(): number {
    return this.#shares.get(ownerOf('all'))?.used ?? 0;
  }

  /** Whose share has no space for this: the client's, its network's, or that of all. */
  findFull(client: string | undefined, amount: number): keyof Bound | undefined {
    return kindsOf(client).find((kind) => this.#shares.get(ownerOf(kind, client))?.fits(amount) === false);
  }

  /** Counts a use, even beyond the bound. */
  add(client: string | undefined, amount: number, thing: object = {}): Release {
    const owners = kindsOf(client).map((kind) => ({ name: ownerOf(kind, client), max: this.#bound[kind] }));
    for (const { name, max } of owners) {
      const share = this.#shares.get(name) ?? new Share(max);
      share.add(thing, amount);
      this.#shares.set(name, share);
    }
    return () => {
      for (const { name } of owners) {
        const share = this.#shares.get(name);
        share?.remove(thing);
        if (share?.used === 0) this.#shares.delete(name);
      }
    };
  }
}
