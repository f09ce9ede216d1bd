import { wordFor } from '../shell/words.ts';
import { genreName } from './words.ts';
import type { CatalogueWords } from './words.ts';

/** The form's words for a parameter of the search, or for one of its values; undefined for all others. */
export function faultLabels(words: CatalogueWords) {
  const { form, orders, ranking } = words;
  const names: Readonly<Record<string, string>> = {
    word: form.word,
    notword: form.notword,
    order: form.order,
    genre: form.genre,
    biggenre: form.genre,
    notgenre: form.notgenre,
    notbiggenre: form.notgenre,
    nocgenre: words.adult.genre,
    type: form.type,
    stop: form.type,
    minlen: `${form.length} ${form.minlen}`,
    maxlen: `${form.length} ${form.maxlen}`,
    length: form.length,
    lastup: form.ranges.lastup.label,
    time: form.ranges.time.label,
    kaiwaritu: form.ranges.kaiwaritu.label,
    date: ranking.date,
  };
  return (parameter: string, value?: string): string | undefined => {
    if (value === undefined) return names[parameter];
    if (parameter === 'order') return wordFor(orders, value);
    if (/^(?:not)?(?:big)?genre$/.test(parameter)) return genreName(words, value);
    return parameter === 'type' ? wordFor({ ...form.types, ...form.otherTypes }, value) : undefined;
  };
}
