import type { RankingType } from '../../catalogue/novels/ranking-date.ts';
import { formatDate, formatMonth } from '../shell/format.ts';
import type { Language } from '../shell/language.ts';
import type { CatalogueWords } from './catalogue-words.ts';

/** A board's date as readers call it: the day, the week of its Monday, the month. */
export function nameOfBoard(
  words: CatalogueWords,
  language: Language,
  type: RankingType,
  date: string,
): string {
  if (type === 'daily') return formatDate(language, date);
  return type === 'weekly' ? words.ranking.weekOf(formatDate(language, date)) : formatMonth(language, date);
}
