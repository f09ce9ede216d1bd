import { useEffect, useReducer, useState } from 'preact/hooks';
import { useShell } from './page-context.ts';
import type { Kind, Shelf } from './shelf.ts';

/** What the reader follows, drawn anew whenever it changes, in this tab or another. */
export function useShelf(): Shelf {
  const { shelf } = useShell();
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  useEffect(() => shelf.onChange(() => redraw(undefined)), [shelf]);
  return shelf;
}

interface FollowButtonProps {
  kind: Kind;
  id: string;
  label: string;
  /** With a word beside the star. */
  inFull?: boolean;
}

/** Follows something, or no longer; in a list its star says which are followed. */
export function FollowButton({ kind, id, label, inFull = false }: FollowButtonProps) {
  const words = useShell().words.shelf;
  const shelf = useShelf();
  const [isFull, setFull] = useState(false);
  const isFollowed = shelf.has(kind, id);
  return (
    <button
      type="button"
      class="quiet follow-button"
      aria-pressed={isFollowed}
      aria-label={inFull ? undefined : words.follow(label)}
      title={isFollowed ? words.followed : words.followShort}
      onClick={() => setFull(!shelf.toggle({ kind, id, label }))}
    >
      {isFollowed ? '★' : '☆'}
      {inFull && ` ${isFull ? words.isFull : isFollowed ? words.followed : words.followShort}`}
    </button>
  );
}

/** Says that something is followed, where there is no room for the button. */
export function FollowMark({ kind, id }: Pick<FollowButtonProps, 'kind' | 'id'>) {
  const words = useShell().words.shelf;
  if (!useShelf().has(kind, id)) return null;
  return (
    <span class="follow-mark" title={words.followed}>
      <span aria-hidden="true">★</span>
      <span class="hidden">{words.followed}</span>{' '}
    </span>
  );
}
