import type { Followed, Shelf } from '../shell/shelf.ts';

export interface ShelfIds {
  novels: readonly string[];
  authors: readonly string[];
}

export function idsOf(followed: readonly Followed[]): ShelfIds {
  const ids = (kind: Followed['kind']) => followed.filter((one) => one.kind === kind).map(({ id }) => id);
  return { novels: ids('novel'), authors: ids('author') };
}

/** In place of a state: it is not in the catalogue any more. */
export const WITHDRAWN = 'withdrawn';

/** What is to be asked for, and what is known of it: read when the request is sent, not when the view is drawn. */
export type Known = Pick<Shelf, 'followed' | 'cursor'>;

export interface ShelfAsked extends ShelfIds {
  /** null: the catalogue does not note what changes. */
  known: Known | null;
  /** By `keyOf`. */
  labels: ReadonlyMap<string, string>;
}
