import { dateOfDay, dayOfDate, weekdayOfDay } from '../../catalogue/novels/japan-date.ts';
import { FIRST_RANKING_DATE, RANKING_LETTERS, RANKING_TYPES } from '../../catalogue/novels/ranking-date.ts';
import type { RankingType } from '../../catalogue/novels/ranking-date.ts';
import type { HistoryRow, RankingRow } from '../../catalogue/index/catalogue.ts';
import { PERIODS, points, READ_DAYS } from './points.ts';
import { countBorn, GENERAL } from './works.ts';
import type { Work } from './works.ts';

const ROWS = 300;
const FIRST_DAY = dayOfDate(FIRST_RANKING_DATE) ?? 0;
const TUESDAY = 2;

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

const isEvergreen = (work: Work): boolean => work.evergreen;

/** The rankings over a list of works that holds at least those born by the day asked about, by index. */
export function createRankings(works: readonly Work[], seed: number) {
  /** Those that can have points in any period of rankings that ends before a day: the young, and the evergreen. */
  const contenders = (day: number): Work[] => {
    const oldest = countBorn(GENERAL, day - READ_DAYS - PERIODS.quarterly - 2);
    return [...works.slice(0, oldest).filter(isEvergreen), ...works.slice(oldest, countBorn(GENERAL, day))];
  };
  /** The place of one novel, found by counting those before it: more points, or as many and an older Ncode. */
  const placeOf = (work: Work, type: RankingType, day: number): Omit<HistoryRow, 'rtype'> | null => {
    const pt = points(work, PERIODS[type], day, seed);
    let rank = 1;
    for (const other of pt === 0 ? [] : contenders(day)) {
      const theirs = points(other, PERIODS[type], day, seed);
      if (theirs > pt || (theirs === pt && other.index < work.index)) rank += 1;
      if (rank > ROWS) return null;
    }
    return pt === 0 ? null : { pt, rank };
  };
  return {
    /** 300 rows, ranks 1, 2, 3 ... though points may tie. Withdrawn novels are ranked: rankings outlive the novel. */
    ranking: (type: RankingType, day: number): RankingRow[] =>
      contenders(day)
        .map((work) => ({ work, pt: points(work, PERIODS[type], day, seed) }))
        .filter(({ pt }) => pt > 0)
        .sort((a, b) => b.pt - a.pt || a.work.index - b.work.index)
        .slice(0, ROWS)
        .map(({ work, pt }, place) => ({ ncode: work.ncode, pt, rank: place + 1 })),

    /** Every ranking in which a novel stood, by `rtype`, up to and including a day. */
    history: (work: Work, until: number): HistoryRow[] => {
      const rows: HistoryRow[] = [];
      const end = work.evergreen ? until : Math.min(until, work.bornDay + READ_DAYS + PERIODS.quarterly + 2);
      for (let day = Math.max(FIRST_DAY, work.bornDay + 1); day <= end; day += 1) {
        for (const type of RANKING_TYPES) {
          const place = isRankingDay(type, day) ? placeOf(work, type, day) : null;
          if (place) rows.push({ ...place, rtype: rtypeOfDay(type, day) });
        }
      }
      return rows.sort((a, b) => (a.rtype < b.rtype ? -1 : 1));
    },
  };
}
