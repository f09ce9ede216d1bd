import type { RankingHistoryEntry } from '../../client/index.ts';
import { dayOfDate, dateOfDay } from '../../catalogue/novels/japan-date.ts';
import { fromRtype } from '../../catalogue/novels/ranking-date.ts';
import type { RankingType } from '../../catalogue/novels/ranking-date.ts';

/** One place in one board. `day` counts from 1970-01-01; `date` is the board's date in the service's form. */
export interface HistoryPoint {
  date: string;
  day: number;
  rank: number;
  pt: number;
}

type RankHistory = Readonly<Record<RankingType, HistoryPoint[]>>;

/** A novel's history apart by period, each in order of time. Entries that name no board are left out. */
export function readHistory(entries: readonly RankingHistoryEntry[]): RankHistory {
  const history: RankHistory = { daily: [], weekly: [], monthly: [], quarterly: [] };
  for (const { rtype, rank, pt } of entries) {
    const board = fromRtype(rtype);
    const day = board && dayOfDate(board.date);
    if (board && day !== null) history[board.type].push({ date: board.date, day, rank, pt });
  }
  for (const points of Object.values(history)) points.sort((a, b) => a.day - b.day);
  return history;
}

/** The day of the board that follows a day's board. */
export function dayOfNextBoard(type: RankingType, day: number): number {
  if (type === 'daily') return day + 1;
  if (type === 'weekly') return day + 7;
  const [year = 1970, month = 1] = dateOfDay(day).split('-').map(Number);
  return Date.UTC(year, month, 1) / 86_400_000;
}

/** Points apart into runs without a board missing between them: where the novel was unranked, the line breaks. */
export function splitAtGaps(type: RankingType, points: readonly HistoryPoint[]): HistoryPoint[][] {
  const runs: HistoryPoint[][] = [];
  let expected = Number.NaN;
  for (const point of points) {
    const run = point.day === expected ? runs.at(-1) : undefined;
    if (run) run.push(point);
    else runs.push([point]);
    expected = dayOfNextBoard(type, point.day);
  }
  return runs;
}

/** The points of the last `days` days before and with `lastDay`; 0 days: all of them. */
export function lastDays(points: readonly HistoryPoint[], days: number, lastDay: number): HistoryPoint[] {
  return days === 0 ? [...points] : points.filter(({ day }) => day > lastDay - days);
}

/** The best place; the latest one of equals. Undefined without points. */
export function bestOf(points: readonly HistoryPoint[]): HistoryPoint | undefined {
  let best: HistoryPoint | undefined;
  for (const point of points) if (best === undefined || point.rank <= best.rank) best = point;
  return best;
}

/** How many boards in a row it stood in: the longest run, and the one that reaches the latest point. */
export function streaksOf(
  type: RankingType,
  points: readonly HistoryPoint[],
): { longest: number; current: number } {
  const runs = splitAtGaps(type, points).map((run) => run.length);
  return { longest: Math.max(0, ...runs), current: runs.at(-1) ?? 0 };
}
