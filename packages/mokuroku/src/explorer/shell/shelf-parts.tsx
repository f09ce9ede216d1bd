import { useState } from 'preact/hooks';
import { useChanges } from './listeners.ts';
import { useShell } from './page-context.ts';
import type { Kind, Shelf } from './shelf.ts';

/** The shelf; renders again after each change in this or another tab. */
export const useShelf = (): Shelf => useChanges(useShell().shelf);

interface FollowButtonProps {
  kind: Kind;
  id: string;
  label: string;
  /** Whether a text stands beside the star. */
  inFull?: boolean;
}

/** Follows or unfollows an item; in a list its star marks followed items. */
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
      aria-label={inFull || isFull ? undefined : words.follow(label)}
      title={isFollowed ? words.followed : words.followShort}
      onClick={() => setFull(!shelf.toggle({ kind, id, label }))}
    >
      {isFollowed ? '★' : '☆'}
      {isFull && ` ${words.isFull}`}
      {inFull && !isFull && ` ${isFollowed ? words.followed : words.followShort}`}
    </button>
  );
}
