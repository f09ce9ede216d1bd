import type { Format } from '../shell/format.ts';
import { wordFor } from '../shell/words.ts';
import type { Condition } from './conditions.ts';
import type { SearchInput } from './view.ts';
import { genreName } from './words.ts';
import type { CatalogueWords } from './words.ts';

// The search in the words of its form: for the chips of its filters, and for the errors of its request.

interface FilterWords {
  label: string;
  values?: Readonly<Record<string, string>>;
}

const filterWords = (words: CatalogueWords): Readonly<Record<string, FilterWords>> => {
  const { form, orders, adult, ranking } = words;
  return {
    ...form.ranges,
    word: { label: form.word },
    notword: { label: form.notword },
    target: { label: form.target, values: form.targets },
    order: { label: form.order, values: orders },
    genre: { label: form.genre },
    biggenre: { label: form.genre },
    notgenre: { label: form.notgenre },
    notbiggenre: { label: form.notgenre },
    nocgenre: { label: adult.genre },
    type: { label: form.type, values: { ...form.types, ...form.otherTypes } },
    stop: { label: form.type, values: form.stops },
    minlen: { label: `${form.length} ${form.minlen}` },
    maxlen: { label: `${form.length} ${form.maxlen}` },
    length: { label: form.length },
    date: { label: ranking.date },
  };
};

/** The filter of a flag or an exclusion. */
const filterOf = (field: string): string => field.replace(/^(not(big)?|is)/, '');

/** A value in the words of the form; undefined if the filter has no words for its values. */
function wordOfValue(words: CatalogueWords, name: string, value: string): string | undefined {
  if (name === 'genre') return genreName(words, value);
  if (name === 'biggenre') return words.form.wholeGenre(genreName(words, value));
  const { values } = filterWords(words)[name] ?? {};
  return values && wordFor(values, value);
}

/** The form's words for a parameter of the search, or for one of its values; undefined for all others. */
export const faultLabels = (words: CatalogueWords) => (parameter: string, value?: string) =>
  value === undefined ? filterWords(words)[parameter]?.label : wordOfValue(words, filterOf(parameter), value);

/** Filters whose values alone would be unclear. */
const NAMED: ReadonlySet<string> = new Set(['target', 'nocgenre', 'lastup', 'time', 'kaiwaritu', 'length']);

/** The label of a filter for readers. */
export function describeCondition(
  { words, format }: { words: CatalogueWords; format: Format },
  { minlen, maxlen }: SearchInput,
  { field, value }: Condition,
): string {
  const name = filterOf(field);
  const lengthOf = (length: string) => (/^\d{1,9}$/.test(length) ? format.number(Number(length)) : length);
  const shown = name === 'length' ? words.list.range(lengthOf(minlen), lengthOf(maxlen)) : value;
  const word = Object.hasOwn(words.marks, name)
    ? wordFor(words.marks, name)
    : wordOfValue(words, name, shown);
  const named = NAMED.has(name) ? `${filterWords(words)[name]?.label ?? name} ` : '';
  const label = named + (word ?? shown);
  return field.startsWith('not') ? words.form.exclude(label) : label;
}
