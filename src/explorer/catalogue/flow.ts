import type { RankingEntry } from '../../client/index.ts';
import { rankingDateBefore } from '../../catalogue/novels/ranking-date.ts';
import type { RankingType } from '../../catalogue/novels/ranking-date.ts';

/** How far down a flow is drawn. */
export const FLOW_DEPTH = 20;
/** How many boards it goes over: thirty days, a quarter of weeks, a year of months. */
const FLOW_LENGTH: Readonly<Record<RankingType, number>> = {
  daily: 30,
  weekly: 13,
  monthly: 12,
  quarterly: 12,
};

/** The dates of the boards up to and with `last`; ascending. */
export function flowDates(type: RankingType, last: string): string[] {
  const dates = [last];
  for (let date = rankingDateBefore(type, last); date !== null; date = rankingDateBefore(type, date)) {
    if (dates.length === FLOW_LENGTH[type]) break;
    dates.push(date);
  }
  return dates.reverse();
}

/** The way of one novel over the boards. */
export interface Course {
  ncode: string;
  /** Its place on each board, oldest first; null: not among those drawn. */
  ranks: (number | null)[];
  /** `risen`, `fallen` or `level` between the first board and the last; `new` on the last or `gone` from it. */
  change: 'risen' | 'fallen' | 'level' | 'new' | 'gone';
}

function changeBetween(first: number | null, last: number | null): Course['change'] {
  if (last === null) return 'gone';
  if (first === null) return 'new';
  return last < first ? 'risen' : last > first ? 'fallen' : 'level';
}

/** The novels of the last board in its order, then those of the first board that are no longer there. */
export function coursesOf(boards: readonly (readonly RankingEntry[])[]): Course[] {
  const drawn = boards.map(
    (board) =>
      new Map(board.filter(({ rank }) => rank <= FLOW_DEPTH).map(({ ncode, rank }) => [ncode, rank])),
  );
  const ncodes = new Set([...(drawn.at(-1)?.keys() ?? []), ...(drawn[0]?.keys() ?? [])]);
  return [...ncodes].map((ncode) => {
    const ranks = drawn.map((board) => board.get(ncode) ?? null);
    return { ncode, ranks, change: changeBetween(ranks[0] ?? null, ranks.at(-1) ?? null) };
  });
}

/** Half the width of a place that stands alone. */
const STUB = 4;

/** An SVG path through the places of a course: a line for each run of boards, a stub where it stood on one alone. */
export function coursePath(
  ranks: Course['ranks'],
  x: (board: number) => number,
  y: (rank: number) => number,
): string {
  const isThere = (board: number) => ranks[board] !== null && ranks[board] !== undefined;
  return ranks
    .map((rank, board) => {
      if (rank === null) return '';
      const place = `${x(board).toFixed(1)} ${y(rank).toFixed(1)}`;
      if (isThere(board - 1)) return `L${place}`;
      return isThere(board + 1) ? `M${place}` : `M${place}m-${STUB} 0h${2 * STUB}`;
    })
    .join('');
}
