import type { RankingEntry } from '../../client/index.ts';
import { checkRankingDate, rankingDateBefore } from '../../catalogue/novels/ranking-date.ts';
import type { RankingType } from '../../catalogue/novels/ranking-date.ts';
import type { AnyNovel } from './novel-record.ts';

/** How far down a flow is drawn. */
export const FLOW_DEPTH = 20;
/** How many boards it goes over: thirty days, a quarter of weeks, a year of months. */
export const FLOW_LENGTH: Readonly<Record<RankingType, number>> = {
  daily: 30,
  weekly: 13,
  monthly: 12,
  quarterly: 12,
};

/** The boards of a flow, oldest first. */
export interface Flow {
  dates: string[];
  boards: RankingEntry[][];
  /** Of everything that was ever on these boards, by ncode; one that is gone has none. */
  novels: ReadonlyMap<string, Pick<AnyNovel, 'title' | 'genre'>>;
}

/** Whether a view is the flow of a board: not where its date cannot be, which the board alone is refused for. */
export const showsFlow = (
  { flow, type, date }: { flow: boolean; type: RankingType; date: string | null },
  now: number,
): boolean => flow && (date === null || checkRankingDate(type, date, now).valid);

/** The date of the first board of a flow that ends with `last`. */
export function flowStart(type: RankingType, last: string): string {
  let first = last;
  for (let count = 1; count < FLOW_LENGTH[type]; count += 1) {
    const before = rankingDateBefore(type, first);
    if (before === null) break;
    first = before;
  }
  return first;
}

/** The way of one novel over the boards. */
export interface Course {
  ncode: string;
  /** Its place on each board, oldest first; null: not among those drawn. */
  ranks: (number | null)[];
}

/** Everything that was ever among the first places. */
export function coursesOf(boards: readonly (readonly RankingEntry[])[]): Course[] {
  const drawn = boards.map(
    (board) =>
      new Map(board.filter(({ rank }) => rank <= FLOW_DEPTH).map(({ ncode, rank }) => [ncode, rank])),
  );
  const ncodes = new Set(drawn.flatMap((board) => [...board.keys()]));
  return [...ncodes].map((ncode) => ({ ncode, ranks: drawn.map((board) => board.get(ncode) ?? null) }));
}

const rankAt = ({ ranks }: Course, board: number): number => ranks[board] ?? FLOW_DEPTH + 1;

/** Those on one board, in its order. */
export const onBoard = (courses: readonly Course[], board: number): Course[] =>
  courses
    .filter(({ ranks }) => typeof ranks[board] === 'number')
    .sort((a, b) => rankAt(a, board) - rankAt(b, board));

/** Those of the first board that are not on another one, in their order on the first. */
export const goneBy = (courses: readonly Course[], board: number): Course[] =>
  onBoard(courses, 0).filter(({ ranks }) => typeof ranks[board] !== 'number');

/**
 * What a novel on a board has done since the first: places gained (negative: lost), or since which board it has been
 * there without a break.
 */
export function changeBy({ ranks }: Course, board: number): { by: number } | { since: number } {
  const [first] = ranks;
  if (typeof first === 'number') return { by: first - (ranks[board] ?? first) };
  let since = board;
  while (typeof ranks[since - 1] === 'number') since -= 1;
  return { since };
}

/** So many stand out. */
const MOST_MOVED = 5;

/** The Ncodes of those that moved most between the first board and another; what is not there counts as just below. */
export function movedMost(courses: readonly Course[], board: number): ReadonlySet<string> {
  const distance = (course: Course) => Math.abs(rankAt(course, 0) - rankAt(course, board));
  const moved = courses.filter((course) => distance(course) > 0);
  moved.sort((a, b) => distance(b) - distance(a) || rankAt(a, board) - rankAt(b, board));
  return new Set(moved.slice(0, MOST_MOVED).map(({ ncode }) => ncode));
}

/** The one drawn nearest to a place of a board, at most one place away. */
export function courseNear(courses: readonly Course[], board: number, rank: number): Course | undefined {
  const away = ({ ranks }: Course) => Math.abs((ranks[board] ?? Number.POSITIVE_INFINITY) - rank);
  const [nearest] = courses.toSorted((a, b) => away(a) - away(b));
  return nearest && away(nearest) <= 1 ? nearest : undefined;
}

/**
 * Places as means over the boards around each, so that a line of thirty days can be followed by eye; exact on the first
 * board and on `exact`. What is not there counts as just below the last place.
 */
export function smoothed(ranks: Course['ranks'], half: number, exact: number): Course['ranks'] {
  if (half === 0) return ranks;
  return ranks.map((rank, board) => {
    if (board === 0 || board === exact) return rank;
    const around = ranks.slice(Math.max(0, board - half), board + half + 1);
    if (around.every((each) => each === null)) return null;
    return around.reduce<number>((sum, each) => sum + (each ?? FLOW_DEPTH + 1), 0) / around.length;
  });
}

/**
 * A smooth SVG path over the boards, from below the last place where it came, down there where it went; level at each
 * place, or in one sweep.
 */
export function coursePath(
  ranks: Course['ranks'],
  x: (board: number) => number,
  y: (rank: number) => number,
  isSweep = false,
): string {
  const isThere = (board: number) => typeof ranks[board] === 'number';
  const height = (board: number) => y(ranks[board] ?? FLOW_DEPTH + 1);
  const last = ranks.length - 1;
  /** Pixels up or down a third of the way to the next board; level at the ends and where a line turns. */
  const slope = (board: number) => {
    if (!isSweep || board === 0 || board === last) return 0;
    const [before, after] = [height(board) - height(board - 1), height(board + 1) - height(board)];
    return before * after > 0 ? (before + after) / 6 : 0;
  };
  const write = (...places: number[]) => places.map((place) => place.toFixed(1)).join(' ');
  return ranks
    .map((_, board) => {
      const place = [x(board), height(board)] as const;
      const before = board - 1;
      if (board === 0 || (!isThere(board) && !isThere(before))) {
        return isThere(board) || isThere(board + 1) ? `M${write(...place)}` : '';
      }
      const reach = (x(board) - x(before)) / (isSweep ? 3 : 2);
      const [leave, arrive] = [x(before) + reach, x(board) - reach];
      return `C${write(leave, height(before) + slope(before), arrive, place[1] - slope(board), ...place)}`;
    })
    .join('');
}

/** Of boards in order of importance, those whose marks on an axis do not touch, so far apart. */
export function marksApart(boards: readonly number[], x: (board: number) => number, least: number): number[] {
  const marked: number[] = [];
  for (const board of boards) {
    if (marked.every((other) => Math.abs(x(other) - x(board)) >= least)) marked.push(board);
  }
  return marked;
}
