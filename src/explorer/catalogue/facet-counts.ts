import type { SearchMeta } from '../../client/index.ts';
import { codesIn } from './conditions.ts';
import type { SearchInput } from './view.ts';

/** What all matches are counted by, where the source can. */
export const COUNTED = ['genre', 'biggenre', 'type'] as const;
export const ADULT_COUNTED = ['nocgenre', 'type'] as const;
type Counted = (typeof COUNTED)[number] | (typeof ADULT_COUNTED)[number];

/** How many of all matches have a value; null until the answer is there, undefined where that is not known. */
export type CountOf = (field: string, value: string) => number | null | undefined;

/** Conditions that keep others of the same kind from being counted: among novels of one genre there are none of the next. */
const NARROWED_BY: Readonly<Record<Counted, readonly (keyof SearchInput)[]>> = {
  genre: ['genre', 'biggenre', 'notgenre', 'notbiggenre'],
  biggenre: ['genre', 'biggenre', 'notgenre', 'notbiggenre'],
  nocgenre: ['nocgenre', 'notnocgenre'],
  type: ['type'],
};

const isNarrowed = (field: Counted, search: SearchInput) =>
  NARROWED_BY[field].some((name) => search[name] !== '');

/** Of a search whose answer is loading: what will be counted. */
export function comingCounts(search: SearchInput): CountOf {
  return (field, value) => {
    if (!Object.hasOwn(NARROWED_BY, field) || value === '') return undefined;
    const counted = field as Counted;
    const isChosen = codesIn(search[counted]).includes(value);
    return isChosen || !isNarrowed(counted, search) ? null : undefined;
  };
}

/** Reads the counts of a search's answer. A value without a match is 0, unless the search has left it out itself. */
export function countsOf(facets: SearchMeta['facets'], search: SearchInput): CountOf {
  return (field, value) => {
    const counts = facets?.[field as Counted];
    if (counts === undefined || value === '') return undefined;
    if (Object.hasOwn(counts, value)) return counts[value];
    return isNarrowed(field as Counted, search) ? undefined : 0;
  };
}
