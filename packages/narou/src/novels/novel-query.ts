import type { OfCode } from './of-fields.ts';
import type { NovelapiOrder } from './orders.ts';
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

/** Number of matches by value of a field, `{genre: {'201': 12}}`; values without a match are absent. */
export type FacetCounts = Partial<Record<FacetName, Record<string, number>>>;
