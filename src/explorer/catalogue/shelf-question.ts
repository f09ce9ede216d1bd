import type { Answered, ApiQuestion } from '../shell/answers.ts';
import { followedKey } from '../shell/shelf.ts';
import type { ShelfNews } from '../shell/shelf.ts';
import type { Known, ShelfIds } from './shelf-request.ts';
import { loadShelf } from './shelf-news.ts';

export function shelfQuestion(
  ids: ShelfIds,
  shelf: Known,
  hasChanges: boolean,
): ApiQuestion<Answered & { data: ShelfNews }> {
  return {
    key: JSON.stringify(['shelf', ids]),
    load: (client, signal) => {
      const labels = new Map(shelf.followed.map((one) => [followedKey(one), one.label]));
      return loadShelf(client, { ...ids, known: hasChanges ? shelf : null, labels }, signal);
    },
  };
}
