import { ANY_NOVEL, CODE_LISTS, SEARCH_FIELDS } from './view.ts';
import type { CodeList, SearchInput, SearchField } from './view.ts';

/** The presets of the length in characters. */
export const LENGTH_PRESETS = ['-10000', '10000-100000', '100000-500000', '500000-1000000', '1000000-'];

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

export const codesIn = (list: string): string[] => list.split(',').filter((code) => code !== '');

/** The list with a code added or removed. */
export function withCode(list: string, code: string, isIn: boolean): string {
  const others = codesIn(list).filter((each) => each !== code);
  return [...others, ...(isIn ? [code] : [])].join(',');
}

/** One filter of a search. `value`: one code of a list. */
export interface Condition {
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
