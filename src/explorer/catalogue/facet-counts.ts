import type { SearchMeta } from '../../client/index.ts';
import type { SearchInput } from './view.ts';

/** What all matches are counted by, where the source can. */
export const COUNTED = ['genre', 'biggenre', 'type'] as const;
export const ADULT_COUNTED = ['nocgenre', 'type'] as const;
type Counted = (typeof COUNTED)[number] | (typeof ADULT_COUNTED)[number];

/** How many of all matches have a value; undefined where that is not known. */
export type CountOf = (field: string, value: string) => number | undefined;

/** Conditions that keep others of the same kind from being counted: among novels of one genre there are none of the next. */
const NARROWED_BY: Readonly<Record<Counted, readonly (keyof SearchInput)[]>> = {
  genre: ['genre', 'biggenre', 'notgenre', 'notbiggenre'],
  biggenre: ['genre', 'biggenre', 'notgenre', 'notbiggenre'],
  nocgenre: ['nocgenre', 'notnocgenre'],
  type: ['type'],
};

/** Reads the counts of a search's answer. A value without a match is 0, unless the search has left it out itself. */
export function countsOf(facets: SearchMeta['facets'], search: SearchInput): CountOf {
  return (field, value) => {
    const counts = facets?.[field as Counted];
    if (counts === undefined || value === '') return undefined;
    const isNarrowed = NARROWED_BY[field as Counted].some((name) => search[name] !== '');
    return Object.hasOwn(counts, value) ? counts[value] : isNarrowed ? undefined : 0;
  };
}
