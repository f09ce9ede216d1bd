import { ANY_NOVEL, CODE_LISTS, SEARCH_FIELDS } from './view.ts';
import type { CodeList, SearchInput, SearchField } from './view.ts';

/** The presets of the length filter, in characters. */
export const LENGTH_PRESETS: readonly { minlen: string; maxlen: string }[] = [
  { minlen: '', maxlen: '10000' },
  { minlen: '10000', maxlen: '100000' },
  { minlen: '100000', maxlen: '500000' },
  { minlen: '500000', maxlen: '1000000' },
  { minlen: '1000000', maxlen: '' },
];

const isWhole = (text: string): boolean => /^\d{0,9}$/.test(text);

/** Converts full-width digits and removes group separators; `１万` is still not a number. */
export function tidyNumber(text: string): string {
  return text.normalize('NFKC').replace(/[,\s]/g, '');
}

/** Whether both ends are whole numbers or empty, in the right order. */
export function isLengthRange(minlen: string, maxlen: string): boolean {
  if (!isWhole(minlen) || !isWhole(maxlen)) return false;
  return minlen === '' || maxlen === '' || Number(minlen) <= Number(maxlen);
}

export const codesIn = (list: string): string[] => list.split(',').filter((code) => code !== '');

/** The list with a code added or removed. */
export function withCode(list: string, code: string, isIn: boolean): string {
  const others = codesIn(list).filter((each) => each !== code);
  return [...others, ...(isIn ? [code] : [])].join(',');
}

/** One filter of a search. `value`: one code of a list; empty for a length. */
export interface Condition {
  field: SearchField | 'target' | 'length';
  value: string;
}

const isList = (field: string): field is CodeList => CODE_LISTS.some((each) => each === field);

/** The filters of a search; each code of a list is a filter, and both ends of the length are one. */
export function conditionsOf(search: SearchInput): Condition[] {
  const conditions = [...SEARCH_FIELDS, 'target' as const].flatMap((field): Condition[] => {
    const value = search[field];
    if (isList(field)) return codesIn(value).map((code) => ({ field, value: code }));
    return value === '' || field === 'minlen' || field === 'maxlen' ? [] : [{ field, value }];
  });
  return search.minlen + search.maxlen === '' ? conditions : [...conditions, { field: 'length', value: '' }];
}

/** The search without one filter, from the first result. */
export function withoutCondition(search: SearchInput, { field, value }: Condition): SearchInput {
  if (field === 'length') return { ...search, minlen: '', maxlen: '', st: 1 };
  const newValue = isList(field) ? withCode(search[field], value, false) : ANY_NOVEL[field];
  return { ...search, [field]: newValue, st: 1 };
}
