import type { FacetName, NovelConditions, NovelQuery } from '../novels/novel-query.ts';
import type { CatalogueNovel } from './catalogue-novel.ts';

/** What a search finds: all matches counted, and the records of the rows asked for, in order. */
export interface Found<Row> {
  readonly total: number;
  readonly records: readonly Row[];
}

/** Number of matches by value of a field, `{genre: {'201': 12}}`; values without a match are left out. */
export type FacetCounts = Partial<Record<FacetName, Record<string, number>>>;

/**
 * What may be meant by a text while it is typed. Each holds every word of the text (as in a search), the more weekly
 * points the earlier: those of the best novel of a title or pen name, for a keyword those of all its novels together.
 * Ties: the lower Ncode, keywords by their letters. A title or pen name comes once, however many novels bear it.
 */
export interface Suggestions {
  readonly titles: readonly { readonly title: string; readonly ncode: string }[];
  readonly writers: readonly { readonly writer: string; readonly userid?: number }[];
  readonly keywords: readonly { readonly keyword: string; readonly novels: number }[];
}

export type Awaitable<Value> = Value | Promise<Value>;

/**
 * Searches one population of novels (general or adult): the sample, narou-server and the local catalogue stand on
 * this. Two ways lie behind it: a plain scan of a few thousand records, and an index for a million.
 */
export interface NovelIndex<Row = CatalogueNovel> {
  search(query: NovelQuery): Awaitable<Found<Row>>;
  facets(conditions: NovelConditions, names: readonly FacetName[]): Awaitable<FacetCounts>;
  /** At most `lim` of each kind; none for a text without words. */
  suggest(text: string, lim: number): Awaitable<Suggestions>;
}
