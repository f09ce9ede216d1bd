import type { RankingEntry } from 'mokuroku-client/source';
import { biggenreOf, checkRankingDate, rankingDateBefore } from '@mokuroku/narou';
import type { RankingType } from '@mokuroku/narou';
import type { RankedNovel } from './novel-record.ts';

/** The number of ranks in a flow. */
export const FLOW_DEPTH = 20;
/** The number of rankings in a flow: thirty days, a quarter of weeks, a year of months. */
export const FLOW_LENGTH: Readonly<Record<RankingType, number>> = {
  daily: 30,
  weekly: 13,
  monthly: 12,
  quarterly: 12,
};

/** The rankings of a flow, oldest first. */
export interface Flow {
  dates: string[];
  boards: RankingEntry[][];
  /** All novels on these rankings, by Ncode; deleted ones are absent. */
  novels: ReadonlyMap<string, Pick<RankedNovel, 'title' | 'genre' | 'unknown'>>;
}

/** The big genre of a novel; undefined for a deleted one. */
export function bigGenreIn({ novels }: Flow, ncode: string): number | undefined {
  const genre = novels.get(ncode)?.genre;
  return genre === undefined ? undefined : biggenreOf(genre);
}

/** Whether a view is a flow. With an impossible date it is not: the ranking alone reports the error. */
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

/** The ranks of one novel over the dates. */
export interface Course {
  ncode: string;
  /** Its rank on each date, oldest first; null: not among the top. */
  ranks: (number | null)[];
}

/** State shared by the parts of a flow. */
export interface FlowState {
  type: RankingType;
  flow: Flow;
  /** The courses of the first ranking and of the one shown. */
  courses: readonly Course[];
  /** The ranking shown, an index of `flow.dates`. */
  board: number;
  /** The Ncodes with the largest movements up to it. */
  mostMoved: ReadonlySet<string>;
  /** The Ncode of the highlighted novel. */
  lit: string | null;
  light: (ncode: string | null) => void;
  show: (board: number) => void;
  isNarrow: boolean;
}

/** The courses of every novel that was ever among the top. */
export function coursesOf(boards: readonly (readonly RankingEntry[])[]): Course[] {
  const drawn = boards.map(
    (board) =>
      new Map(board.filter(({ rank }) => rank <= FLOW_DEPTH).map(({ ncode, rank }) => [ncode, rank])),
  );
  const ncodes = new Set(drawn.flatMap((board) => [...board.keys()]));
  return [...ncodes].map((ncode) => ({ ncode, ranks: drawn.map((board) => board.get(ncode) ?? null) }));
}

const rankAt = ({ ranks }: Course, board: number): number => ranks[board] ?? FLOW_DEPTH + 1;

/** The courses on one date, in its order. */
export const onBoard = (courses: readonly Course[], board: number): Course[] =>
  courses
    .filter(({ ranks }) => typeof ranks[board] === 'number')
    .sort((a, b) => rankAt(a, board) - rankAt(b, board));

/** The courses of the first date that are missing on another one, in the order of the first. */
export const goneBy = (courses: readonly Course[], board: number): Course[] =>
  onBoard(courses, 0).filter(({ ranks }) => typeof ranks[board] !== 'number');

/**
 * The change of a ranked novel since the first date: ranks gained (negative: lost), or the date since which it has
 * been ranked without a gap.
 */
export function changeBy({ ranks }: Course, board: number): { by: number } | { since: number } {
  const [first] = ranks;
  if (typeof first === 'number') return { by: first - (ranks[board] ?? first) };
  let since = board;
  while (typeof ranks[since - 1] === 'number') since -= 1;
  return { since };
}

/** Number of highlighted movements. */
const MAX_MOVED = 5;

/**
 * The Ncodes with the largest movements between the first date and another; an unranked novel counts as just below
 * the last rank.
 */
export function largestMovements(courses: readonly Course[], board: number): ReadonlySet<string> {
  const distance = (course: Course) => Math.abs(rankAt(course, 0) - rankAt(course, board));
  const moved = courses.filter((course) => distance(course) > 0);
  moved.sort((a, b) => distance(b) - distance(a) || rankAt(a, board) - rankAt(b, board));
  return new Set(moved.slice(0, MAX_MOVED).map(({ ncode }) => ncode));
}

/** The course nearest to a rank on a date, at most one rank away. */
export function courseNear(courses: readonly Course[], board: number, rank: number): Course | undefined {
  const away = ({ ranks }: Course) => Math.abs((ranks[board] ?? Number.POSITIVE_INFINITY) - rank);
  const [nearest] = courses.toSorted((a, b) => away(a) - away(b));
  return nearest && away(nearest) <= 1 ? nearest : undefined;
}

/**
 * Ranks averaged over neighbouring dates, so that the eye can follow a line of thirty days; exact on the first date
 * and on `exact`. An unranked novel counts as just below the last rank.
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
 * A smooth SVG path over the dates. An unranked novel counts as just below the last rank. The path is horizontal at each
 * rank; with `isSweep` only at its ends and where it turns.
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
  /** The vertical pixels at a third of the way to the next date; 0 at the ends and where a line turns. */
  const slope = (board: number) => {
    if (!isSweep || board === 0 || board === last) return 0;
    const [before, after] = [height(board) - height(board - 1), height(board + 1) - height(board)];
    return before * after > 0 ? (before + after) / 6 : 0;
  };
  const write = (...places: number[]) => places.map((coordinate) => coordinate.toFixed(1)).join(' ');
  return ranks
    .map((_, board) => {
      const point = [x(board), height(board)] as const;
      const before = board - 1;
      if (board === 0 || (!isThere(board) && !isThere(before))) {
        return isThere(board) || isThere(board + 1) ? `M${write(...point)}` : '';
      }
      const reach = (x(board) - x(before)) / (isSweep ? 3 : 2);
      const [leave, arrive] = [x(before) + reach, x(board) - reach];
      return `C${write(leave, height(before) + slope(before), arrive, point[1] - slope(board), ...point)}`;
    })
    .join('');
}

/** The dates, by importance, whose labels on an axis do not touch at this distance. */
export function marksApart(
  boards: readonly number[],
  x: (board: number) => number,
  minDistance: number,
): number[] {
  const marked: number[] = [];
  for (const board of boards) {
    if (marked.every((other) => Math.abs(x(other) - x(board)) >= minDistance)) marked.push(board);
  }
  return marked;
}
