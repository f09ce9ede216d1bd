import { japanSeconds } from '../novels/japan-date.ts';
import { compareNcodes, ncodeToNumber } from '../novels/ncode.ts';
import type { FieldOfType } from '../novels/of-fields.ts';
import { NOVELAPI_ORDERS } from '../novels/orders.ts';
import type { NovelapiOrder, SortField } from '../novels/orders.ts';
import type { CatalogueNovel } from './catalogue-novel.ts';

type NumberField = SortField | FieldOfType<'integer' | 'flag' | 'datetime'> | 'fetched_at';

/** The value of a field as a number: of an Ncode its number, of a date Unix seconds; undefined if unknown. */
export function numberOf(novel: CatalogueNovel, field: NumberField): number | undefined {
  if (field === 'ncode') return ncodeToNumber(novel.ncode);
  const value = novel[field];
  return typeof value === 'string' ? japanSeconds(value) : value;
}

/** Sorts after every value; finite, so that two unknown values tie. */
const MAX_KEY = Number.MAX_VALUE;

/**
 * The novels in an order, as a new array. Unknown values are last in every order. Ties are sorted by Ncode, so that
 * pages never overlap.
 */
export function sortNovels(novels: readonly CatalogueNovel[], order: NovelapiOrder): CatalogueNovel[] {
  const { field, first } = NOVELAPI_ORDERS[order];
  const sign = first === 'high' ? -1 : 1;
  const keyOf = (value: number | undefined): number => (value === undefined ? MAX_KEY : sign * value);
  return novels
    .map((novel) => ({ novel, key: keyOf(numberOf(novel, field)) }))
    .sort((a, b) => a.key - b.key || compareNcodes(a.novel.ncode, b.novel.ncode))
    .map(({ novel }) => novel);
}
