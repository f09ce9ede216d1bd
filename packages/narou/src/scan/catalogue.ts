import type { FacetCounts, FacetName, NovelQuery } from '../novels/novel-query.ts';
import type { RankingEntry, RankingHistoryEntry, RankingType } from '../novels/ranking-date.ts';
import type { Suggestions } from '../novels/record-schemas.ts';
import type { NovelConditions } from '../novels/search-conditions.ts';
import type { UserQuery } from '../novels/search-query.ts';
import type { Awaitable } from '../source/index.ts';
import type { CatalogueNovel, CatalogueUser } from './catalogue-novel.ts';

/** The result of a search: the number of all matches, and the requested records in order. */
export interface FoundPage<Row> {
  readonly total: number;
  readonly records: readonly Row[];
}

/** Searches one population of novels, general or adult. */
export interface NovelIndex {
  search(query: NovelQuery): Awaitable<FoundPage<CatalogueNovel>>;
  facets(conditions: NovelConditions, names: readonly FacetName[]): Awaitable<FacetCounts>;
  /** At most `lim` of each kind; none for a text without words. */
  suggest(text: string, lim: number): Awaitable<Suggestions>;
}

export interface UserIndex {
  search(query: UserQuery): FoundPage<CatalogueUser>;
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
  ranking(type: RankingType, day: number): readonly RankingEntry[] | null;
  /** Every ranking that contains a novel, by `rtype`; null for an unknown upper-case Ncode. */
  rankingHistory(ncode: string): readonly RankingHistoryEntry[] | null;
}
