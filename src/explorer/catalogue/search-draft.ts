import { ANY_NOVEL } from './view.ts';
import type { NovelSearch } from './view.ts';

/** The presets of the length filter, in characters. */
export const LENGTH_PRESETS: readonly { minlen: string; maxlen: string }[] = [
  { minlen: '', maxlen: '10000' },
  { minlen: '10000', maxlen: '100000' },
  { minlen: '100000', maxlen: '500000' },
  { minlen: '500000', maxlen: '' },
];

const isWhole = (text: string): boolean => /^\d{0,9}$/.test(text);

/** Full-width digits become plain ones, and group separators go: `１万` is still not a number. */
export function tidyNumber(text: string): string {
  return text.normalize('NFKC').replace(/[,\s]/g, '');
}

/** Whether both ends are whole numbers (or left open) in the right order. */
export function isLengthRange(minlen: string, maxlen: string): boolean {
  if (!isWhole(minlen) || !isWhole(maxlen)) return false;
  return minlen === '' || maxlen === '' || Number(minlen) <= Number(maxlen);
}

export type Condition = 'word' | 'notword' | 'target' | 'genre' | 'nocgenre' | 'type' | 'length';

/** The conditions that narrow a search, in the order of the form. */
export function conditionsOf(search: NovelSearch): Condition[] {
  const conditions: Condition[] = [];
  for (const name of ['word', 'notword', 'target', 'genre', 'nocgenre', 'type'] as const) {
    if (search[name] !== '') conditions.push(name);
  }
  if (search.minlen !== '' || search.maxlen !== '') conditions.push('length');
  return conditions;
}

/** The search with one condition less, from the first result on. */
export function withoutCondition(search: NovelSearch, condition: Condition): NovelSearch {
  const cleared = condition === 'length' ? { minlen: '', maxlen: '' } : { [condition]: ANY_NOVEL[condition] };
  return { ...search, ...cleared, st: 1 };
}
