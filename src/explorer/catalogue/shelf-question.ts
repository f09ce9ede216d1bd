import type { Answered, ApiQuestion } from '../shell/answers.ts';
import { followedItemKey } from '../shell/shelf.ts';
import type { ShelfNews } from '../shell/shelf.ts';
import type { LastLoad, ShelfIds } from './shelf-request.ts';
import { loadShelf } from './shelf-news.ts';

export function shelfQuestion(
  ids: ShelfIds,
  shelf: LastLoad,
  hasChanges: boolean,
): ApiQuestion<Answered & { data: ShelfNews }> {
  return {
    key: JSON.stringify(['shelf', ids]),
    load: (client, signal) => {
      const labels = new Map(shelf.followed.map((one) => [followedItemKey(one), one.label]));
      return loadShelf(client, { ...ids, lastLoad: hasChanges ? shelf : null, labels }, signal);
    },
  };
}
