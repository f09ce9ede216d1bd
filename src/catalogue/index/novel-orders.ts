import { japanSeconds } from '../novels/japan-date.ts';
import { compareNcodes, ncodeToNumber } from '../novels/ncode.ts';
import { SORT_RULES } from '../novels/orders.ts';
import type { NovelapiOrder, SortField } from '../novels/orders.ts';
import type { CatalogueNovel } from './catalogue-novel.ts';

/** The value of a field by which an order sorts, as a number; undefined if unknown. */
export function sortValue(novel: CatalogueNovel, field: SortField): number | undefined {
  switch (field) {
    case 'ncode':
      return ncodeToNumber(novel.ncode);
    case 'general_lastup':
    case 'general_firstup':
      return japanSeconds(novel[field]);
    default:
      return novel[field];
  }
}

/** Sorts after every value; finite, so that two unknown values tie. */
const MAX_KEY = Number.MAX_VALUE;

/**
 * The novels in an order, as a new array. Unknown values are last in every order. Ties are sorted by Ncode, so that
 * pages never overlap.
 */
export function sortNovels(novels: readonly CatalogueNovel[], order: NovelapiOrder): CatalogueNovel[] {
  const { field, first } = SORT_RULES[order];
  const sign = first === 'high' ? -1 : 1;
  const keyOf = (value: number | undefined): number => (value === undefined ? MAX_KEY : sign * value);
  return novels
    .map((novel) => ({ novel, key: keyOf(sortValue(novel, field)) }))
    .sort((a, b) => a.key - b.key || compareNcodes(a.novel.ncode, b.novel.ncode))
    .map(({ novel }) => novel);
}
