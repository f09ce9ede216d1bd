import { RANKING_TYPES, fromRtype, rankingDateBefore } from '../catalogue/novels/ranking-date.ts';
import type { RankingType } from '../catalogue/novels/ranking-date.ts';
import type { RankingHistoryEntry } from '../client/index.ts';

export interface DatedEntry {
  /** In the form of this service: a Monday for weekly. */
  date: string;
  type: RankingType;
  rank: number;
  pt: number;
}

/** One period's rankings in which a novel stood, oldest first. */
export interface RankingSeries {
  type: RankingType;
  entries: readonly DatedEntry[];
}

/** Entries by period, oldest first; what has no known `rtype` is left out. Periods without entries are left out. */
export function seriesOf(history: readonly RankingHistoryEntry[]): RankingSeries[] {
  const dated = history.flatMap(({ rtype, rank, pt }): DatedEntry[] => {
    const read = fromRtype(rtype);
    return read ? [{ ...read, rank, pt }] : [];
  });
  return RANKING_TYPES.map((type) => ({
    type,
    entries: dated
      .filter((entry) => entry.type === type)
      .sort((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0)),
  })).filter(({ entries }) => entries.length > 0);
}

/** The ranks of the last `count` rankings up to the newest entry, oldest first; null where the novel stood in none. */
export function lastRanks({ type, entries }: RankingSeries, count: number): (number | null)[] {
  const ranks = new Map(entries.map(({ date, rank }) => [date, rank]));
  const oldest = entries[0]?.date ?? '';
  const line: (number | null)[] = [];
  let date: string | null = entries.at(-1)?.date ?? null;
  while (date !== null && line.length < count && date >= oldest) {
    line.push(ranks.get(date) ?? null);
    date = rankingDateBefore(type, date);
  }
  return line.reverse();
}
