import type { SearchMeta } from 'mokuroku-client/source';
import type { Format } from '../shell/format.ts';
import { ownValue } from '@mokuroku/kit';
import { wordFor } from '../shell/words.ts';
import { ANY_NOVEL, BOUNDED, CODE_LISTS, RANGES, SEARCH_FIELDS, codesIn } from './view.ts';
import type { CodeList, SearchInput, SearchField } from './view.ts';
import { fullGenreName, genreName } from './words.ts';
import type { CatalogueWords } from './words.ts';

/** Converts full-width digits and removes group separators; `１万` is still not a number. */
export function tidyNumber(text: string): string {
  return text.normalize('NFKC').replace(/[,\s]/g, '');
}

/** The ends of a range as texts; a number alone is both. */
export const endsOf = (range: string): readonly [from: string, to: string] => {
  const at = range.lastIndexOf('-');
  return at < 0 ? [range, range] : [range.slice(0, at), range.slice(at + 1)];
};

export const rangeOf = (from: string, to: string): string => (from + to === '' ? '' : `${from}-${to}`);

/** Whether both ends are whole numbers or empty, in the right order. */
export function isRange(range: string): boolean {
  const [from, to] = endsOf(range);
  return /^\d{0,9}(-\d{0,9})?$/.test(range) && (from === '' || to === '' || Number(from) <= Number(to));
}

/** The list with a code added or removed. */
export function withCode(list: string, code: string, isIn: boolean): string {
  const others = codesIn(list).filter((each) => each !== code);
  return [...others, ...(isIn ? [code] : [])].join(',');
}

/** One filter of a search. `value`: one code of a list. */
interface Condition {
  field: SearchField | 'target';
  value: string;
}

const isList = (field: string): field is CodeList => CODE_LISTS.some((each) => each === field);

/** The filters of a search; each code of a list is a filter. */
export const conditionsOf = (search: SearchInput): Condition[] =>
  [...SEARCH_FIELDS, 'target' as const].flatMap((field): Condition[] => {
    const value = search[field];
    if (isList(field)) return codesIn(value).map((code) => ({ field, value: code }));
    return value === '' ? [] : [{ field, value }];
  });

/** The search without one filter, from the first result. */
export function withoutCondition(search: SearchInput, { field, value }: Condition): SearchInput {
  const newValue = isList(field) ? withCode(search[field], value, false) : ANY_NOVEL[field];
  return { ...search, [field]: newValue, st: 1 };
}

const OF_BOTH_SITES = ['type', 'isstop', 'isbl', 'isgl', 'iszankoku', 'istensei', 'istenni'] as const;
/** The fields by which all matches are counted, if the source supports it. */
export const COUNTED = ['genre', 'biggenre', 'isr15', ...OF_BOTH_SITES] as const;
export const ADULT_COUNTED = ['nocgenre', ...OF_BOTH_SITES] as const;
type Counted = (typeof COUNTED)[number] | (typeof ADULT_COUNTED)[number];
const isCounted = (field: string): field is Counted =>
  [...COUNTED, ...ADULT_COUNTED].some((each) => each === field);

/** The number of matches with a value; null while loading, undefined if unknown. */
export type CountOf = (field: string, value: string) => number | null | undefined;

/** The filter of a flag or an exclusion. */
const filterOf = (field: string): string => field.replace(/^(not(big)?|is)/, '');

/** Genres and big genres are filters of one kind. */
const kindOf = (field: string): string => filterOf(field).replace('big', '');

/**
 * Reads the counts of a response; null: it is loading. A value without a match is 0, unless the search itself excludes
 * it: among novels of one genre there are none of another.
 */
export function countsOf(facets: SearchMeta['facets'] | null, search: SearchInput): CountOf {
  const set = conditionsOf(search);
  return (field, value) => {
    if (value === '' || !isCounted(field)) return undefined;
    const isOpen = set.every((each) => kindOf(each.field) !== kindOf(field));
    if (facets === null)
      return isOpen || set.some((each) => each.field === field && each.value === value) ? null : undefined;
    const counts = facets?.[field];
    return counts && (ownValue(counts, value) ?? (isOpen ? 0 : undefined));
  };
}

// The search in the words of its form: for the chips of its filters, and for the errors of its request.

/** The label of a filter; that of a big genre is that of genres. */
const labelOf = ({ filters }: CatalogueWords, name: string): string | undefined =>
  ownValue(filters, name.replace('big', ''));

/** A value in the words of the form; undefined if the filter has no words for its values. */
function wordOfValue(words: CatalogueWords, name: string, value: string): string | undefined {
  if (name === 'genre') return fullGenreName(words, value);
  if (name === 'biggenre') return words.form.wholeGenre(genreName(words, value));
  const values = ownValue<Readonly<Record<string, string>>>(words.values, name);
  return values && wordFor(values, value);
}

/** The form's words for a parameter of the search, or for one of its values; undefined for all others. */
export const faultLabels = (words: CatalogueWords) => (parameter: string, value?: string) =>
  value === undefined ? labelOf(words, parameter) : wordOfValue(words, filterOf(parameter), value);

/** Filters whose values alone would be unclear. */
const NAMED: ReadonlySet<string> = new Set([
  ...BOUNDED,
  ...RANGES,
  'target',
  'nocgenre',
  'anykeyword',
  'keyword',
]);

/** The label of a filter for readers. */
export function describeCondition(
  { words, format }: { words: CatalogueWords; format: Format },
  { field, value }: Condition,
): string {
  const name = filterOf(field);
  const end = (text: string) => (/^\d{1,9}$/.test(text) ? format.number(Number(text)) : text);
  const [from, to] = endsOf(value).map(end) as [string, string];
  const shown = BOUNDED.some((each) => each === name) ? words.list.range(from, to) : value;
  const word = ownValue(words.marks, name) ?? wordOfValue(words, name, shown);
  const named = NAMED.has(name) ? `${labelOf(words, name) ?? name} ` : '';
  const label = named + (word ?? shown);
  return field.startsWith('not') ? words.form.exclude(label) : label;
}
