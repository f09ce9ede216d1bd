import type { SearchMeta } from 'mokuroku-client/source';
import { codesIn } from './conditions.ts';
import type { SearchInput } from './view.ts';

/** The fields by which all matches are counted, if the source supports it. */
export const COUNTED = ['genre', 'biggenre', 'type'] as const;
export const ADULT_COUNTED = ['nocgenre', 'type'] as const;
type Counted = (typeof COUNTED)[number] | (typeof ADULT_COUNTED)[number];

/** The number of matches with a value; null while loading, undefined if unknown. */
export type CountOf = (field: string, value: string) => number | null | undefined;

/** Filters that make counts of the same kind useless: among novels of one genre there are none of another. */
const NARROWED_BY: Readonly<Record<Counted, readonly (keyof SearchInput)[]>> = {
  genre: ['genre', 'biggenre', 'notgenre', 'notbiggenre'],
  biggenre: ['genre', 'biggenre', 'notgenre', 'notbiggenre'],
  nocgenre: ['nocgenre', 'notnocgenre'],
  type: ['type'],
};

const isNarrowed = (field: Counted, search: SearchInput) =>
  NARROWED_BY[field].some((name) => search[name] !== '');

/**
 * Reads the counts of a response; null: it is loading. A value without a match is 0, unless the search itself excludes
 * it.
 */
export function countsOf(facets: SearchMeta['facets'] | null, search: SearchInput): CountOf {
  return (field, value) => {
    if (value === '' || !Object.hasOwn(NARROWED_BY, field)) return undefined;
    const counted = field as Counted;
    const isOpen = !isNarrowed(counted, search);
    if (facets === null) return isOpen || codesIn(search[counted]).includes(value) ? null : undefined;
    const counts = facets?.[counted];
    return counts && (Object.hasOwn(counts, value) ? counts[value] : isOpen ? 0 : undefined);
  };
}
