import { dateOfDay, dayOfDate, weekdayOfDay } from '../../catalogue/novels/japan-date.ts';
import {
  FIRST_RANKING_DATE,
  RANKING_LETTERS,
  RANKING_TYPES,
  type RankingType,
} from '../../catalogue/novels/ranking-date.ts';
import type { Life } from './lives.ts';
import { findContenders, rankOf, type Contenders } from './rankings.ts';

/** One stored ranking in which a novel stood, with the names of the upstream. */
export interface HistoryRow {
  readonly pt: number;
  readonly rank: number;
  /** `20200107-w`. */
  readonly rtype: string;
}

const FIRST_DAY = dayOfDate(FIRST_RANKING_DATE) ?? 0;
const TUESDAY = 2;
// Long enough to share the work, short enough that few novels enter and leave within.
const SPAN_DAYS = 90;

/** Whether the upstream stores a ranking of a type under a day: any day, Tuesdays, or the first of a month. */
export function isRankingDay(type: RankingType, day: number): boolean {
  if (day < FIRST_DAY) return false;
  if (type === 'daily') return true;
  return type === 'weekly' ? weekdayOfDay(day) === TUESDAY : dateOfDay(day).endsWith('-01');
}

/** `20200107-w` for a Japanese day (the upstream's own, a Tuesday for weekly). */
export function rtypeOfDay(type: RankingType, day: number): string {
  return `${dateOfDay(day).replaceAll('-', '')}-${RANKING_LETTERS[type]}`;
}

/** Finds the rankings in which a novel stood; keeps what its searches have in common. */
export interface RankingHistories {
  /** Sorted by `rtype`, up to and including `lastDay`. */
  historyOf(index: number, lastDay: number): HistoryRow[];
}

/** `livesUntil` gives all lives born by a day. */
export function createRankingHistories(
  livesUntil: (day: number) => readonly Life[],
  seed: number,
): RankingHistories {
  const known = new Map<string, Contenders>();
  const contendersOf = (type: RankingType, first: number): Contenders => {
    const key = `${type} ${first}`;
    const last = first + SPAN_DAYS - 1;
    const found = known.get(key) ?? findContenders(type, first, last, livesUntil(last));
    known.set(key, found);
    return found;
  };
  const rowsOf = (type: RankingType, index: number, first: number, lastDay: number): HistoryRow[] => {
    const contenders = contendersOf(type, first);
    if (!contenders.indexes.includes(index)) return [];
    const rows: HistoryRow[] = [];
    const lives = livesUntil(first + SPAN_DAYS - 1);
    for (let day = first; day < first + SPAN_DAYS && day <= lastDay; day += 1) {
      if (!isRankingDay(type, day)) continue;
      const place = rankOf(type, day, index, contenders, lives, seed);
      if (place !== null) rows.push({ pt: place.pt, rank: place.rank, rtype: rtypeOfDay(type, day) });
    }
    return rows;
  };
  return {
    historyOf: (index, lastDay) => {
      const rows: HistoryRow[] = [];
      const born = livesUntil(lastDay)[index]?.bornDay ?? lastDay;
      const skipped = Math.max(0, Math.floor((born - FIRST_DAY) / SPAN_DAYS)) * SPAN_DAYS;
      for (let first = FIRST_DAY + skipped; first <= lastDay; first += SPAN_DAYS) {
        for (const type of RANKING_TYPES) rows.push(...rowsOf(type, index, first, lastDay));
      }
      return rows.sort((a, b) => (a.rtype < b.rtype ? -1 : 1));
    },
  };
}
