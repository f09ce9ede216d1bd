import type { FollowedItem, Shelf } from '../shell/shelf.ts';

export interface ShelfIds {
  novels: readonly string[];
  authors: readonly string[];
}

export function followedIds(followed: readonly FollowedItem[]): ShelfIds {
  const ids = (kind: FollowedItem['kind']) => followed.filter((one) => one.kind === kind).map(({ id }) => id);
  return { novels: ids('novel'), authors: ids('author') };
}

/** In place of a state: the novel is no longer in the catalogue. */
export const WITHDRAWN = 'withdrawn';

/** The followed items and the cursor: read when the request is sent, not when the view is rendered. */
export type LastLoad = Pick<Shelf, 'followed' | 'cursor'>;

export interface ShelfRequest extends ShelfIds {
  /** null: the catalogue does not record changes. */
  lastLoad: LastLoad | null;
  /** Labels by `followedItemKey`. */
  labels: ReadonlyMap<string, string>;
}
