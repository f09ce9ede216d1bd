import type { OfCode } from './of-fields.ts';
import type { NovelapiOrder, UserapiOrder } from './orders.ts';
import type { NovelConditions } from './search-conditions.ts';

/** Fields by which matches are counted. `type` counts t, r and er, which have no novel in common. */
export const FACETS = [
  'genre',
  'biggenre',
  'nocgenre',
  'type',
  'buntai',
  'isstop',
  'isr15',
  'isbl',
  'isgl',
  'iszankoku',
  'istensei',
  'istenni',
] as const;
export type FacetName = (typeof FACETS)[number];

/**
 * A search of novels in its normal form, so that equal searches are equal objects: lists are sorted and unique,
 * Ncodes upper case, flags 1 or absent. Sources and the index both use it.
 */
export interface NovelQuery extends NovelConditions {
  readonly order: NovelapiOrder;
  /** The first row, from 1. */
  readonly st: number;
  /** Maximum number of rows. */
  readonly lim: number;
  /** The requested fields in record order; absent: all, empty: none. The index ignores it and returns records. */
  readonly of?: readonly OfCode[] | undefined;
  /** `weekly` adds `weekly_unique` to the records. The index ignores it too. */
  readonly opt?: 'weekly' | undefined;
}

/** A search of users: filters (manual of userapi, August 2025) and requested rows. */
export interface UserQuery {
  /** Words separated by spaces, each of which must occur in the name or its furigana. */
  readonly word?: string | undefined;
  readonly notword?: string | undefined;
  readonly userid?: number | undefined;
  /** One plain hiragana. */
  readonly name1st?: string | undefined;
  readonly minnovel?: number | undefined;
  readonly maxnovel?: number | undefined;
  readonly minreview?: number | undefined;
  readonly maxreview?: number | undefined;
  /** Default `new`. */
  readonly order?: UserapiOrder | undefined;
  readonly st: number;
  readonly lim: number;
}

/** Number of matches by value of a field, `{genre: {'201': 12}}`; values without a match are absent. */
export type FacetCounts = Partial<Record<FacetName, Record<string, number>>>;

/**
 * Suggestions for a partly typed text. Each contains every word of the text, as in a search. They are sorted by
 * weekly points: those of the best novel with the title or pen name, or the sum of all novels with the keyword. Ties
 * are sorted by Ncode, keywords by code units. Each title or pen name occurs once.
 */
export interface Suggestions {
  titles: { title: string; ncode: string }[];
  writers: { writer: string; userid?: number | undefined }[];
  keywords: { keyword: string; novels: number }[];
}

export type Awaitable<Value> = Value | Promise<Value>;
