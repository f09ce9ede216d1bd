import { BIGGENRES, GENRES, biggenreOf } from '@mokuroku/narou';
import type { RankingType } from '@mokuroku/narou';
import type { Format } from '../shell/format.ts';
import { wordsHook } from '../shell/page-context.ts';
import type { CatalogueWords } from './words-ja.ts';

export type { CatalogueWords };

export const useCatalogue = wordsHook<CatalogueWords>('catalogue');

// The code tables are constant while the page is open, and equal to those of /v1/meta/*.

/** `ハイファンタジー〔ファンタジー〕` without its brackets. */
const shortLabel = (label: string): string => label.replace(/〔.*$/, '');

const GENRE_LABELS: ReadonlyMap<number, string> = new Map(
  [...GENRES, ...BIGGENRES].map(({ code, label_ja }) => [code, shortLabel(label_ja)]),
);

/** The name of a genre or big genre in the reader's language; an unknown code is unchanged. */
export function genreName(words: CatalogueWords, code: number | string): string {
  return words.genres[Number(code)] ?? GENRE_LABELS.get(Number(code)) ?? String(code);
}

/** The name of a genre, with its big genre if the Japanese name alone is ambiguous: 異世界. */
export function fullGenreName(words: CatalogueWords, code: number | string): string {
  const name = genreName(words, code);
  if (words.genres[Number(code)] !== undefined || biggenreOf(Number(code)) !== 1) return name;
  return `${name}〔${genreName(words, 1)}〕`;
}

/** Big genres with their genres in the site's order, without those that nobody searches for (not chosen). */
export function genreGroups(): { big: number; genres: number[] }[] {
  return BIGGENRES.filter(({ code }) => code !== 0).map(({ code: big }) => ({
    big,
    genres: GENRES.map(({ code }) => code).filter((code) => biggenreOf(code) === big),
  }));
}

/** The usual name of a ranking's date: the day, the week of its Monday, the month. */
export function nameOfBoard(words: CatalogueWords, format: Format, type: RankingType, date: string): string {
  if (type === 'daily') return format.date(date);
  return type === 'weekly' ? words.ranking.weekOf(format.date(date)) : format.month(date);
}
