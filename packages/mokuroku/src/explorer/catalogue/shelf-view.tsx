import { wordFor } from '../shell/words.ts';
import { ShelfList } from '../shell/shelf-list.tsx';
import { useShelf } from '../shell/shelf-parts.tsx';
import type { FollowedItem, ChangedFact } from '../shell/shelf.ts';
import { useTitle } from '../shell/page-context.ts';
import { pageFact } from '../shell/page-facts.ts';
import { useAnswer } from '../shell/use-answer.ts';
import { WITHDRAWN, shelfQuestion } from './shelf-news.ts';
import { hrefOfAuthor } from './novel-row.tsx';
import { hrefTo } from './view.ts';
import { useCatalogue } from './words.ts';

/** The followed novels and authors, with the changes since the last visit. */
export function ShelfView() {
  const { words, format } = useCatalogue();
  const shelf = useShelf();
  useTitle(words.titles.shelf);
  const request = useAnswer(shelfQuestion(shelf, pageFact('changes') !== undefined));
  const shelfWords = words.shelf;
  const number = (value: unknown) => (typeof value === 'number' ? format.number(value) : String(value));
  const stateOf = (state: unknown) =>
    state === WITHDRAWN ? shelfWords.withdrawn : wordFor(words.progress, String(state));
  const say = ({ name, before, after }: ChangedFact): string => {
    switch (name) {
      case 'rank':
        if (after === null) return shelfWords.rankLost(number(before));
        return before === null
          ? shelfWords.rankWon(number(after))
          : shelfWords.rank(number(before), number(after));
      case 'progress':
        return `${stateOf(before)} → ${stateOf(after)}`;
      case 'title':
        return shelfWords.renamed(String(before));
      case 'lastup':
        return shelfWords.lastup(format.japanDay(String(after)));
      default:
        return shelfWords.count(wordFor(shelfWords.counts, name), number(before), number(after));
    }
  };
  const factsOf = ({ latest }: FollowedItem) => [
    typeof latest?.['progress'] === 'string' && stateOf(latest['progress']),
    typeof latest?.['episodes'] === 'number' && words.list.episodes(number(latest['episodes'])),
    typeof latest?.['works'] === 'number' && words.list.count(number(latest['works'])),
    typeof latest?.['rank'] === 'number' && shelfWords.rankNow(number(latest['rank'])),
    typeof latest?.['lastup'] === 'string' && shelfWords.lastup(format.japanDay(latest['lastup'])),
  ];
  return (
    <>
      <h1 tabIndex={-1}>{words.titles.shelf}</h1>
      <ShelfList
        kinds={['novel', 'author']}
        request={request}
        say={say}
        factsOf={factsOf}
        how={shelfWords.how}
        hrefOf={({ kind, id }) => (kind === 'novel' ? hrefTo('novel', { ncode: id }) : hrefOfAuthor(id))}
      />
    </>
  );
}
