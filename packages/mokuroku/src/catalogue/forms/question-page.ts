import { PROGRESSES, PROGRESS_FILTERS, RANKING_TYPES } from '@mokuroku/narou';
import { text } from '@mokuroku/kit';
import type { Language, Text } from '@mokuroku/kit';
import type { RankingType } from '@mokuroku/narou';
import { parseQueryString, readParameters } from '@mokuroku/kit/http';
import type { ParameterTable } from '@mokuroku/kit/http';
import { ADULT_SEARCH_PARAMETERS, NOVEL_SEARCH_PARAMETERS, RANKING_FILTERS } from '@mokuroku/narou/queries';
import type { View } from '../../explorer/catalogue/view.ts';
import { titleOfQuestion } from './describe-conditions.ts';

// The page has the API's names for conditions. So the page of a question follows from its address, and the feed of a
// page from the page's.

/** The parameters of searches that shape a response: the question is the same without them. */
export const OF_RESPONSE: readonly string[] = ['of', 'opt', 'facets', 'lim'];

/** The parameters of a table that are conditions, wherever the page of results begins. */
const conditionsIn = (query: URLSearchParams, table: object): URLSearchParams =>
  new URLSearchParams(
    [...query].filter(
      ([name, value]) =>
        value !== '' && name !== 'st' && Object.hasOwn(table, name) && !OF_RESPONSE.includes(name),
    ),
  );

const { order } = RANKING_FILTERS;
/** The days of rankings are not checked here. */
const RANKING_TABLE = { ...RANKING_FILTERS, date: order, from: order, to: order };

const written = (path: string, query: URLSearchParams): string =>
  query.size === 0 ? path : `${path}?${query.toString()}`;

/** The parameters for the filters of a ranking's view that have other names there; undefined: not sent. */
function filtersOfView(view: URLSearchParams): Record<string, string | undefined> {
  const [genre, state] = [view.get('genre') ?? '', PROGRESSES.find((each) => each === view.get('state'))];
  return {
    ...(/^\d{1,2}$/.test(genre) && { genre: undefined, biggenre: genre }),
    ...(state && PROGRESS_FILTERS[state]),
    ...(view.get('sort') === 'rise' && { order: 'rise' }),
  };
}

/** The other way round: the query of a ranking's view. */
function viewOfRanking(type: string, filters: URLSearchParams): URLSearchParams {
  const view = new URLSearchParams([['ranking', type], ...filters]);
  const state = PROGRESSES.find((each) =>
    ['worktype', 'stop'].every((name) => (PROGRESS_FILTERS[each][name] ?? null) === view.get(name)),
  );
  if (state) view.set('state', state);
  if (view.has('biggenre')) view.set('genre', view.get('biggenre') ?? '');
  if (view.get('order') === 'rise') view.set('sort', 'rise');
  // Of several rankings the view shows the last.
  if (view.has('to')) view.set('date', view.get('to') ?? '');
  for (const name of ['order', 'biggenre', 'from', 'to', ...(state ? ['worktype', 'stop'] : [])])
    view.delete(name);
  return view;
}

/** The view that shows the question of a request, by the path and query of its address. */
export function pageOfQuestion(address: string): string {
  const { pathname, searchParams } = new URL(address);
  const [, type] = /^\/v1\/rankings\/(\w+)/.exec(pathname) ?? [];
  if (type !== undefined) return written('/', viewOfRanking(type, conditionsIn(searchParams, RANKING_TABLE)));
  const isAdult = pathname.startsWith('/v1/r18/');
  if (!isAdult && !['/v1/novels', '/v1/changes'].includes(pathname)) return '/';
  // Of changes, the view shows the novels.
  const query = conditionsIn(searchParams, isAdult ? ADULT_SEARCH_PARAMETERS : NOVEL_SEARCH_PARAMETERS);
  const ncode = query.get('ncode') ?? '';
  if (!/[,-]/.test(ncode)) {
    if (isAdult) query.set('r18', '1');
    return written('/', query);
  }
  return written('/', new URLSearchParams({ compare: ncode.replaceAll('-', ',') }));
}

interface PageFeed {
  language: Language;
  href: string;
  title: string;
}

export const RANKING_TITLES: Readonly<Record<RankingType, Text>> = {
  daily: text('Daily ranking', '日間ランキング'),
  weekly: text('Weekly ranking', '週間ランキング'),
  monthly: text('Monthly ranking', '月間ランキング'),
  quarterly: text('Quarterly ranking', '四半期ランキング'),
};
export const SUBJECTS = {
  novels: text('Novels', '小説'),
  adult: text('Adult novels', '成人向け小説'),
  episodes: text('Latest episodes', '最新話'),
};

/** The list of a view, with its parameters and what the view adds to its query. */
interface PageList {
  path: string;
  subject: Text;
  table: ParameterTable;
  added?: Readonly<Record<string, string | undefined>>;
}

function listOfPage(given: URLSearchParams): PageList {
  const type = given.get('ranking');
  if (type !== null) {
    const known = RANKING_TYPES.find((each) => each === type) ?? 'daily';
    const path = `/v1/rankings/${known}/hydrated`;
    const table = { ...RANKING_FILTERS, date: RANKING_FILTERS.order };
    return { path, subject: RANKING_TITLES[known], table, added: filtersOfView(given) };
  }
  const isAdult = given.get('r18') === '1';
  const path = isAdult ? '/v1/r18/novels' : '/v1/novels';
  const table = isAdult ? ADULT_SEARCH_PARAMETERS : NOVEL_SEARCH_PARAMETERS;
  const ncode = given.get('compare') ?? given.get('ncode');
  if (ncode !== null)
    return {
      path,
      subject: SUBJECTS.episodes,
      table: { ncode: table.ncode },
      added: { ncode, feed: 'episodes' },
    };
  const order = given.get('order') ?? (given.has('userid') ? 'new' : 'weeklypoint');
  return { path, subject: SUBJECTS[isAdult ? 'adult' : 'novels'], table, added: { order } };
}

/** Whether a view has a list with a feed. */
const HAS_FEED: Readonly<Record<View['name'], boolean>> = {
  compare: true,
  novel: true,
  author: true,
  authors: false,
  ranking: true,
  shelf: false,
  search: true,
};
/** Their addresses have a parameter of the same name. */
const WITHOUT_FEED = Object.entries(HAS_FEED).flatMap(([name, hasFeed]) => (hasFeed ? [] : [name]));

/**
 * The feed of a page by its query in each language, if its list has one. A service without adult novels has no feed of
 * them.
 */
export function feedsOfPage(search: string, withAdult: boolean): readonly PageFeed[] {
  const given = new URLSearchParams(search);
  if (WITHOUT_FEED.some((name) => given.has(name)) || (!withAdult && given.has('r18'))) return [];
  const { path, subject, table, added = {} } = listOfPage(given);
  const query = conditionsIn(given, table);
  for (const [name, value] of Object.entries(added)) {
    if (value === undefined) query.delete(name);
    else query.set(name, value);
  }
  const { date: _, ...checked } = table;
  if (readParameters(checked, parseQueryString(query.toString())).faults.length > 0) return [];
  return (['ja', 'en'] as const).map((language) => {
    const asked = new URLSearchParams([...query, ['format', 'atom']]);
    if (language === 'en') asked.set('lang', language);
    return {
      language,
      href: written(path, asked),
      title: titleOfQuestion(subject[language], query, language),
    };
  });
}

/**
 * What the page at an address shows, for its title and its card: a novel (by its code where `titleOf` has no title), a
 * ranking with its date, a search.
 */
export function titleOfPage(
  search: string,
  withAdult: boolean,
  titleOf: (ncode: string) => string | undefined,
): string | undefined {
  const given = new URLSearchParams(search);
  const ncode = given.get('ncode') ?? '';
  if (given.has('r18') || given.has('compare') || given.size === 0) return undefined;
  if (/^n\d+[a-z]+$/i.test(ncode)) return titleOf(ncode.toUpperCase()) ?? `作品 ${ncode.toUpperCase()}`;
  const [feed] = feedsOfPage(search, withAdult);
  const date = given.has('ranking') ? (/^[\d-]{10}$/.exec(given.get('date') ?? '')?.[0] ?? '') : '';
  return feed && [feed.title, date].filter(Boolean).join(' ');
}
