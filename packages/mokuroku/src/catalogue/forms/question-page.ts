import { PROGRESSES, PROGRESS_FILTERS, RANKING_TYPES } from '@mokuroku/narou';
import { text } from '@mokuroku/kit';
import type { Language, Text } from '@mokuroku/kit';
import type { RankingType } from '@mokuroku/narou';
import { parseQueryString, readParameters } from '@mokuroku/kit/http';
import type { ParameterTable } from '@mokuroku/kit/http';
import { ADULT_SEARCH_PARAMETERS, NOVEL_SEARCH_PARAMETERS, RANKING_FILTERS } from '@mokuroku/narou/queries';
import { rankingParameters, searchParameters, worksParameters } from '../../explorer/catalogue/view-lists.ts';
import { hrefOf, hrefTo, isAdult, readView } from '../../explorer/catalogue/view.ts';
import type { View } from '../../explorer/catalogue/view.ts';
import { titleOfQuestion } from './describe-conditions.ts';

// The page of a question follows from its address, and the feed of a page from the list that it shows.

/** The parameters of searches that shape a response: the question is the same without them. */
export const OF_RESPONSE: readonly string[] = ['of', 'opt', 'facets', 'lim'];

/** The view that shows a ranking; of several rankings it shows the last. */
function hrefOfRanking(type: RankingType, query: URLSearchParams): string {
  const value = (name: string) => query.get(name) ?? '';
  const state = PROGRESSES.find((each) =>
    ['worktype', 'stop'].every((name) => (PROGRESS_FILTERS[each][name] ?? '') === value(name)),
  );
  return hrefTo('ranking', {
    type,
    date: value('to') || value('date'),
    genre: value('biggenre') || value('genre'),
    state: state ?? value('worktype'),
    istt: value('istt'),
    minlen: value('minlen'),
    rising: value('order') === 'rise',
  });
}

/** The view that shows the question of a request, by the path and query of its address. */
export function pageOfQuestion(address: string): string {
  const { pathname, searchParams } = new URL(address);
  const type = RANKING_TYPES.find((each) => pathname.split('/')[3] === each);
  if (type !== undefined) return hrefOfRanking(type, searchParams);
  const isOfAdult = pathname.startsWith('/v1/r18/');
  if (!isOfAdult && !['/v1/novels', '/v1/changes'].includes(pathname)) return '/';
  const ncodes = (searchParams.get('ncode') ?? '').split(/[,-]/);
  if (ncodes.length > 1) return hrefTo('compare', { ncodes });
  // Of changes, the view shows the novels. Other names would select other views.
  const table = isOfAdult ? ADULT_SEARCH_PARAMETERS : NOVEL_SEARCH_PARAMETERS;
  const query = new URLSearchParams([...searchParams].filter(([name]) => Object.hasOwn(table, name)));
  query.delete('st');
  if (isOfAdult) query.set('r18', '1');
  return hrefOf(readView(query.toString()));
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

/** A list of novels and its parameters. */
interface PageList {
  path: string;
  subject: Text;
  table: ParameterTable;
  query: Readonly<Record<string, string | undefined>>;
}

/** What a view lists; undefined if that has no feed. */
function listOfView(view: View): PageList | undefined {
  const site = isAdult(view)
    ? { path: '/v1/r18/novels', table: ADULT_SEARCH_PARAMETERS }
    : { path: '/v1/novels', table: NOVEL_SEARCH_PARAMETERS };
  switch (view.name) {
    case 'search':
      return { ...site, subject: SUBJECTS[view.adult ? 'adult' : 'novels'], query: searchParameters(view) };
    case 'author':
      return { ...site, subject: SUBJECTS.novels, query: worksParameters(view) };
    case 'novel':
    case 'compare': {
      const ncode = view.name === 'novel' ? view.ncode : view.ncodes.join();
      return { ...site, subject: SUBJECTS.episodes, query: { ncode, feed: 'episodes' } };
    }
    case 'ranking':
      return {
        path: `/v1/rankings/${view.type}/hydrated`,
        subject: RANKING_TITLES[view.type],
        // The days of rankings are not checked here.
        table: RANKING_FILTERS,
        query: rankingParameters(view),
      };
    case 'authors':
    case 'shelf':
      return undefined;
  }
}

/**
 * The feed of a page by its query in each language, if its list has one. A service without adult novels has no feed of
 * them.
 */
export function feedsOfPage(search: string, withAdult: boolean): readonly PageFeed[] {
  const view = readView(search);
  const list = listOfView(view);
  if (list === undefined || (isAdult(view) && !withAdult)) return [];
  const { path, subject, table } = list;
  const given = Object.entries(list.query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as [string, string]],
  );
  const query = new URLSearchParams(given);
  if (readParameters(table, parseQueryString(query.toString())).faults.length > 0) return [];
  return (['ja', 'en'] as const).map((language) => {
    const asked = new URLSearchParams([...query, ['format', 'atom']]);
    if (language === 'en') asked.set('lang', language);
    return {
      language,
      href: `${path}?${asked.toString()}`,
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
  const view = readView(search);
  const [feed] = feedsOfPage(search, withAdult);
  if (!feed || isAdult(view) || view.name === 'compare' || /^\??$/.test(search)) return undefined;
  if (view.name === 'novel') return titleOf(view.ncode) ?? `作品 ${view.ncode}`;
  const date = view.name === 'ranking' ? (/^[\d-]{10}$/.exec(view.date)?.[0] ?? '') : '';
  return [feed.title, date].filter(Boolean).join(' ');
}
