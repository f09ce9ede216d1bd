import type { RankingHistoryEntry } from 'mokuroku-client/source';
import { dayOfDate, fromRtype, rankingDateAfter } from '@mokuroku/narou';
import type { RankingType } from '@mokuroku/narou';
import type { ChartView } from './view.ts';

/** One rank in one ranking. `day` counts from 1970-01-01; `date` is in the service's form. */
export interface HistoryPoint {
  date: string;
  day: number;
  rank: number;
  pt: number;
}

/** What a chart draws; `today`: that of the response, since the reader's clock may be wrong. */
export type DrawnChart = ChartView & { today: number };

type RankHistory = Readonly<Record<RankingType, HistoryPoint[]>>;

/** A novel's history by ranking type, each sorted by time. Entries of unknown rankings are skipped. */
export function splitHistory(entries: readonly RankingHistoryEntry[]): RankHistory {
  const history: RankHistory = { daily: [], weekly: [], monthly: [], quarterly: [] };
  for (const { rtype, rank, pt } of entries) {
    const board = fromRtype(rtype);
    const day = board && dayOfDate(board.date);
    if (board && day !== null) history[board.type].push({ date: board.date, day, rank, pt });
  }
  for (const points of Object.values(history)) points.sort((a, b) => a.day - b.day);
  return history;
}

/** Splits points into runs without a missing ranking: the line has a gap where the novel was unranked. */
export function splitAtGaps(type: RankingType, points: readonly HistoryPoint[]): HistoryPoint[][] {
  const runs: HistoryPoint[][] = [];
  let expected: string | null = null;
  for (const point of points) {
    const run = point.date === expected ? runs.at(-1) : undefined;
    if (run) run.push(point);
    else runs.push([point]);
    expected = rankingDateAfter(type, point.date);
  }
  return runs;
}

/** The points of the last `days` days up to and including `lastDay`; 0 days: all. */
export function lastDays(points: readonly HistoryPoint[], days: number, lastDay: number): HistoryPoint[] {
  return days === 0 ? [...points] : points.filter(({ day }) => day > lastDay - days);
}

/** The most points of a novel's line: about as many as a chart has pixels. Compared, five share what a page may weigh. */
export const MAX_POINTS = { alone: 800, compared: 400 };
const DAYS_BETWEEN = { daily: 1, weekly: 7, monthly: 28, quarterly: 28 } as const satisfies Record<
  RankingType,
  number
>;

/** The latest entries of a history that contain those of the last `days` days; 0 days: as many as are drawn at `most`. */
export const entriesDrawn = (type: RankingType, days: number, most: number): number =>
  days === 0 ? most : Math.ceil(days / DAYS_BETWEEN[type]);

/** The best rank; of equal ones the first. Undefined without points. */
export function bestOf(points: readonly HistoryPoint[]): HistoryPoint | undefined {
  return points.toSorted((a, b) => a.rank - b.rank || a.day - b.day)[0];
}

/** Numbers of consecutive rankings: the longest run, and the run up to the latest point. */
export function streaksOf(
  type: RankingType,
  points: readonly HistoryPoint[],
): { longest: number; current: number } {
  const runs = splitAtGaps(type, points).map((run) => run.length);
  return { longest: Math.max(0, ...runs), current: runs.at(-1) ?? 0 };
}
