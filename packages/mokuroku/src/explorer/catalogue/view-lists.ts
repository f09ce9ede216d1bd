import { ownValue } from '@mokuroku/kit';
import { GENRES, PROGRESS_FILTERS, biggenreOf, findNcode } from '@mokuroku/narou';
import { codesIn, writeView } from './view.ts';
import type { SearchInput, ViewOf } from './view.ts';

// The lists of novels that views show, as parameters of the service: for the requests of the page, and for the feeds
// that the service names in it.

type Parameters = Record<string, string | undefined>;

/** Works of an author, by their latest episode. */
export const WORKS_ORDER = 'new';

export const worksParameters = ({ userid }: ViewOf<'author'>): Parameters => ({ userid, order: WORKS_ORDER });

/** The filters and the order of a search, as they stand in the URL; big genres are merged into the list of genres. */
export function searchParameters(search: SearchInput): Parameters {
  const { r18: _site, st: _start, ...given } = Object.fromEntries(writeView(search));
  const { word = '', genre, biggenre = '' } = given;
  const parameters: Parameters = { ...given, order: search.order };
  const pasted = findNcode(word);
  if (pasted !== null) parameters['word'] = pasted;
  const bigs = new Set(codesIn(biggenre).map(Number));
  if (genre === undefined || bigs.size === 0) return parameters;
  const inBigs = GENRES.map(({ code }) => code).filter((code) => bigs.has(biggenreOf(code)));
  const genres = [...new Set([...codesIn(genre), ...inBigs.map(String)])].join(',');
  return { ...parameters, genre: genres, biggenre: undefined };
}

/** The filters of a ranking, as they stand in the URL. Without a date it is the newest. */
export function rankingParameters(view: ViewOf<'ranking'>): Parameters {
  const { date, genre, state, istt, minlen, rising } = view;
  const given: Parameters = {
    date,
    [genre.length < 3 ? 'biggenre' : 'genre']: genre,
    ...(ownValue(PROGRESS_FILTERS, state) ?? { worktype: state }),
    istt,
    minlen,
    order: rising ? 'rise' : '',
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''));
}
