import type { RankingEntry, RankingHistoryEntry, RankingType } from '../novels/ranking-date.ts';
import type { NovelIndex } from './novel-index.ts';
import type { UserIndex } from './user-scan.ts';

/** The data of the upstream's five interfaces. Row numbers are valid only until the next change. */
export interface Catalogue {
  novelIndex(): NovelIndex;
  adultNovelIndex(): NovelIndex;
  userIndex(): UserIndex;
  /**
   * The ranking stored under a Japanese day (`dayOfDate`), a Tuesday for weekly, a first of a month for monthly and
   * quarterly. Null: there is none (yet).
   */
  ranking(type: RankingType, day: number): readonly RankingEntry[] | null;
  /** Every ranking that contains a novel, by `rtype`; null for an unknown upper-case Ncode. */
  rankingHistory(ncode: string): readonly RankingHistoryEntry[] | null;
}
