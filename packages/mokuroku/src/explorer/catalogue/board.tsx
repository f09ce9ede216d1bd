import { useMemo } from 'preact/hooks';
import type { RankingEntry } from 'mokuroku-client/source';
import { Empty } from '../shell/answer-view.tsx';
import { moveAmongRows } from '../shell/keyboard.ts';
import { useSettled } from '../shell/page-context.ts';
import { usePortions } from '../shell/portions.ts';
import { BoardRow, MovementsContext } from './board-row.tsx';
import { movementsOf } from './boards.ts';
import { Pill } from './form-fields.tsx';
import type { RankedNovel } from './novel-record.ts';
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
      <ol class="board" aria-busy={!isWhole} onKeyDown={moveAmongRows}>
        {rows.slice(0, drawn)}
      </ol>
    </MovementsContext.Provider>
  );
}

const JUMPS = [1, 51, 101, 151, 201, 251];

/** Moves the focus to the first visible rank from `rank` on. */
function jumpTo(rank: number): void {
  const places = [...document.querySelectorAll<HTMLElement>('.board .place')];
  const place = places.find((each) => Number(each.id.replace('rank-', '')) >= rank) ?? places.at(-1);
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
