import type { RankingType } from '../novels/ranking-date.ts';
import type { NovelIndex } from './novel-index.ts';
import type { UserIndex } from './user-scan.ts';

/** One row of a ranking, with the names of the upstream. */
export interface RankingRow {
  readonly ncode: string;
  readonly pt: number;
  readonly rank: number;
}

/** One stored ranking in which a novel stood. */
export interface HistoryRow {
  readonly pt: number;
  readonly rank: number;
  /** `20200107-w`. */
  readonly rtype: string;
}

/** All that the upstream's five interfaces can be asked for. Indexes are those of the moment: not to be kept. */
export interface Catalogue {
  novelIndex(): NovelIndex;
  adultNovelIndex(): NovelIndex;
  userIndex(): UserIndex;
  /**
   * The ranking stored under a Japanese day (`dayOfDate`), a Tuesday for weekly, a first of a month for monthly and
   * quarterly. Null: there is none (yet).
   */
  ranking(type: RankingType, day: number): readonly RankingRow[] | null;
  /** Every ranking in which a novel stood, by `rtype`; null for an upper-case Ncode that never existed. */
  rankingHistory(ncode: string): readonly HistoryRow[] | null;
}
