import { createContext } from 'preact';
import { useContext, useMemo } from 'preact/hooks';
import type { RankingEntry } from 'mokuroku-client/source';
import { Empty } from '../shell/answer-view.tsx';
import { useSettled } from '../shell/page-context.ts';
import { usePortions } from '../shell/progress.ts';
import { movementsOf } from './boards.ts';
import type { Movement } from './boards.ts';
import { Pill } from '../shell/form-controls.tsx';
import { untitled } from './novel-record.ts';
import type { RankedNovel } from './novel-record.ts';
import { NovelFacts, RowActions, TitleLink } from './novel-row.tsx';
import { useCatalogue } from './words.ts';

/** A slow phone renders so many rows in 50 ms, which is not yet felt as a delay. */
const PORTION = 5;

interface BoardProps {
  board: RankedNovel[];
  /** Number of entries of the whole ranking. */
  ranked: number;
  /** The previous ranking, if loaded. */
  before: RankingEntry[] | null;
  isLoading: boolean;
}

/** The ranks of a ranking, each with its movement. */
export function Board({ board, ranked, before, isLoading }: BoardProps) {
  const words = useCatalogue().words.ranking;
  const movements = useMemo(() => before && movementsOf(board, before), [board, before]);
  const maxPoints = Math.max(1, ...board.map(({ pt }) => pt));
  // Memoized: rows that are already rendered are not rendered again with the rest.
  const rows = useMemo(
    () => board.map((novel) => <BoardRow key={novel.rank} novel={novel} maxPoints={maxPoints} />),
    [board],
  );
  const drawn = usePortions(rows.length, PORTION);
  const isWhole = drawn >= rows.length;
  useSettled(isWhole && !isLoading);
  if (board.length === 0) return <Empty>{ranked === 0 ? words.empty : words.emptyFilter}</Empty>;
  return (
    <MovementsContext.Provider value={movements}>
      <ol class="board" aria-busy={!isWhole}>
        {rows.slice(0, drawn)}
      </ol>
    </MovementsContext.Provider>
  );
}

const JUMPS = [1, 51, 101, 151, 201, 251];

const rankOf = (place: HTMLElement): number => Number(place.id.replace('rank-', ''));

/** Moves the focus to the first visible rank from `rank` on, whatever the order of the list. */
function jumpTo(rank: number): void {
  const places = [...document.querySelectorAll<HTMLElement>('.board .place')];
  places.sort((a, b) => rankOf(a) - rankOf(b));
  const place = places.find((each) => rankOf(each) >= rank) ?? places.at(-1);
  place?.scrollIntoView({ block: 'start' });
  place?.querySelector<HTMLElement>('a.main')?.focus({ preventScroll: true });
}

/** Buttons that scroll to certain ranks, as far as the list has them. */
export function Jumps({ last }: { last: number }) {
  const words = useCatalogue().words.ranking;
  return (
    <div class="pills jumps beside tight" role="group" aria-label={words.jump}>
      <span class="fine" aria-hidden="true">
        {words.jump}
      </span>
      {JUMPS.filter((rank) => rank <= last).map((rank) => (
        <Pill key={rank} label={String(rank)} name={words.jumpTo(rank)} press={() => jumpTo(rank)} />
      ))}
    </div>
  );
}

/** The movement of each novel; loaded after the ranking. */
const MovementsContext = createContext<ReadonlyMap<string, Movement> | null>(null);

/**
 * One rank; `maxPoints`: the points of the first, for the bar. A novel that has been deleted keeps its rank and shows its
 * code.
 */
function BoardRow({ novel, maxPoints }: { novel: RankedNovel; maxPoints: number }) {
  const { words, format } = useCatalogue();
  const movement = useContext(MovementsContext)?.get(novel.ncode);
  return (
    <li class={novel.rank <= 3 ? 'place place-top' : 'place'} id={`rank-${novel.rank}`}>
      <span class="rank">
        <span class="hidden">{words.ranking.rank(format.number(novel.rank))}</span>
        <span aria-hidden="true">{novel.rank}</span>
      </span>
      {movement === undefined ? <span class="movement soft" /> : <MovementMark by={movement} />}
      <div class="row-text">
        {novel.title === undefined ? (
          <p class="fine">
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

/** The movement of a novel: ranks up (negative: down), or that it has entered. */
function MovementMark({ by }: { by: Movement }) {
  const { words, format } = useCatalogue();
  const places = by === 'entered' ? '' : format.number(Math.abs(by));
  const [look, shown, said] =
    by === 'entered'
      ? ['entered', words.ranking.enteredMark, words.ranking.entered]
      : by === 0
        ? ['same', '–', words.ranking.same]
        : by > 0
          ? ['up', `▲${places}`, words.ranking.up(places)]
          : ['down', `▼${places}`, words.ranking.down(places)];
  return (
    <span class={`movement soft ${look}`}>
      <span aria-hidden="true">{shown}</span>
      <span class="hidden">{said}</span>
    </span>
  );
}
