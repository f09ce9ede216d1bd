import type { RankingType } from '../novels/ranking-date.ts';
import type { NovelIndex } from './novel-index.ts';
import type { UserIndex } from './user-scan.ts';

/** A row of a ranking, with the upstream's names. */
export interface RankingRow {
  readonly ncode: string;
  readonly pt: number;
  readonly rank: number;
}

/** A ranking that contains a novel. */
export interface HistoryRow {
  readonly pt: number;
  readonly rank: number;
  /** `20200107-w`. */
  readonly rtype: string;
}

/** The data of the upstream's five interfaces. Row numbers are valid only until the next change. */
export interface Catalogue {
  novelIndex(): NovelIndex;
  adultNovelIndex(): NovelIndex;
  userIndex(): UserIndex;
  /**
   * The ranking stored under a Japanese day (`dayOfDate`), a Tuesday for weekly, a first of a month for monthly and
   * quarterly. Null: there is none (yet).
   */
  ranking(type: RankingType, day: number): readonly RankingRow[] | null;
  /** Every ranking that contains a novel, by `rtype`; null for an unknown upper-case Ncode. */
  rankingHistory(ncode: string): readonly HistoryRow[] | null;
}
