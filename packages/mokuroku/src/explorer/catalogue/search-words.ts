import type { Format } from '../shell/format.ts';
import { wordFor } from '../shell/words.ts';
import { endsOf } from './conditions.ts';
import type { Condition } from './conditions.ts';
import { BOUNDED, RANGES } from './view.ts';
import { genreName } from './words.ts';
import type { CatalogueWords } from './words.ts';

// The search in the words of its form: for the chips of its filters, and for the errors of its request.

/** The label of a filter; that of a big genre is that of genres. */
const labelOf = ({ filters }: CatalogueWords, name: string): string | undefined =>
  (filters as Readonly<Record<string, string>>)[name.replace('big', '')];

/** The filter of a flag or an exclusion. */
const filterOf = (field: string): string => field.replace(/^(not(big)?|is)/, '');

/** A value in the words of the form; undefined if the filter has no words for its values. */
function wordOfValue(words: CatalogueWords, name: string, value: string): string | undefined {
  if (name === 'genre') return genreName(words, value);
  if (name === 'biggenre') return words.form.wholeGenre(genreName(words, value));
  const values = (words.values as Readonly<Record<string, Readonly<Record<string, string>>>>)[name];
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
  const word = Object.hasOwn(words.marks, name)
    ? wordFor(words.marks, name)
    : wordOfValue(words, name, shown);
  const named = NAMED.has(name) ? `${labelOf(words, name) ?? name} ` : '';
  const label = named + (word ?? shown);
  return field.startsWith('not') ? words.form.exclude(label) : label;
}
