import type { FacetCounts, FacetName, NovelQuery } from '../novels/novel-query.ts';
import type { Suggestions } from '../novels/record-schemas.ts';
import type { Awaitable } from '../source/index.ts';
import type { NovelConditions } from '../novels/search-conditions.ts';
import type { CatalogueNovel } from './catalogue-novel.ts';

/** The result of a search: the number of all matches, and the requested records in order. */
export interface FoundPage<Row> {
  readonly total: number;
  readonly records: readonly Row[];
}

/**
 * Searches one population of novels (general or adult), for the sample, narou-server and the local catalogue. There are
 * two implementations: a plain scan of a few thousand records, and an index for a million.
 */
export interface NovelIndex<Row = CatalogueNovel> {
  search(query: NovelQuery): Awaitable<FoundPage<Row>>;
  facets(conditions: NovelConditions, names: readonly FacetName[]): Awaitable<FacetCounts>;
  /** At most `lim` of each kind; none for a text without words. */
  suggest(text: string, lim: number): Awaitable<Suggestions>;
}
