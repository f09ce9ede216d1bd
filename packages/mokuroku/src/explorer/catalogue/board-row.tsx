import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Movement } from './boards.ts';
import { MovementMark } from './movement-mark.tsx';
import { untitled } from './novel-record.ts';
import type { RankedNovel } from './novel-record.ts';
import { NovelFacts, RowActions, TitleLink } from './novel-row.tsx';
import { useCatalogue } from './words.ts';

/** The movement of each novel; loaded after the ranking. */
export const MovementsContext = createContext<ReadonlyMap<string, Movement> | null>(null);

/**
 * One rank; `maxPoints`: the points of the first, for the bar. A novel that has been deleted keeps its rank and shows its
 * code.
 */
export function BoardRow({ novel, maxPoints }: { novel: RankedNovel; maxPoints: number }) {
  const { words, format } = useCatalogue();
  const movement = useContext(MovementsContext)?.get(novel.ncode);
  return (
    <li class={novel.rank <= 3 ? 'place place-top' : 'place'} id={`rank-${novel.rank}`}>
      <span class="rank">
        <span class="hidden">{words.ranking.rank(format.number(novel.rank))}</span>
        <span aria-hidden="true">{novel.rank}</span>
      </span>
      {movement === undefined ? (
        <span class="movement soft" />
      ) : (
        <MovementMark by={movement} entered={words.ranking.entered} />
      )}
      <div class="row-text">
        {novel.title === undefined ? (
          <p class="gone">
            {untitled(words, novel)} <code>{novel.ncode}</code>
          </p>
        ) : (
          <>
            <h2 class="row-title" lang="ja">
              <TitleLink novel={novel} />
            </h2>
            <NovelFacts novel={novel} />
          </>
        )}
      </div>
      <svg class="bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">
        <rect width={(novel.pt / maxPoints) * 100} height="4" />
      </svg>
      <p class="pt">
        {format.number(novel.pt)} <small>pt</small>
      </p>
      {novel.title === undefined ? <span /> : <RowActions novel={novel} />}
    </li>
  );
}
