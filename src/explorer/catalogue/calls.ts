import type { RankingType } from '../../catalogue/novels/ranking-date.ts';
import { PAGE_LENGTH, isAdult } from './view.ts';
import type { NovelSearch, View } from './view.ts';
import { searchParameters } from './view-url.ts';

// The calls behind the views. Paths as they go over the wire, percent-encoded.

/** What a row of a list shows, and no more: a third of the bytes of a full record. */
const ROW_FIELDS = 't-n-u-w-s-g-k-gl-nt-e-ga-l-ti-i-ir-gp-wp-f';
const ADULT_ROW_FIELDS = 't-n-w-s-ng-k-gl-nt-e-ga-l-ti-i-gp-wp-f';
const RANKED_FIELDS = 't-n-u-w-g-nt-e-ga-l-i-ir-gl';

const withQuery = (path: string, parameters: [string, string][]): string =>
  parameters.length === 0 ? path : `${path}?${new URLSearchParams(parameters).toString()}`;

const page = (st: number): [string, string][] => [
  ['lim', String(PAGE_LENGTH)],
  ...(st > 1 ? [['st', String(st)] as [string, string]] : []),
];

export function novelsCall(search: NovelSearch, adult: boolean): string {
  return withQuery(adult ? '/v1/r18/novels' : '/v1/novels', [
    ...searchParameters(search).filter(([name]) => name !== 'order'),
    ['order', search.order],
    ...page(search.st),
    ['of', adult ? ADULT_ROW_FIELDS : ROW_FIELDS],
  ]);
}

export function novelCall(ncode: string, adult: boolean): string {
  return `${adult ? '/v1/r18/novels' : '/v1/novels'}/${encodeURIComponent(ncode)}`;
}

export function historyCall(ncode: string): string {
  return `/v1/novels/${encodeURIComponent(ncode)}/ranking-history`;
}

/** `date` null: the newest. */
export function boardCall(type: RankingType, date: string | null): string {
  const when: [string, string][] = date === null ? [] : [['date', date]];
  return withQuery(`/v1/rankings/${type}/hydrated`, [...when, ['of', RANKED_FIELDS]]);
}

/** The ranks alone: enough to say who has moved. */
export function ranksCall(type: RankingType, date: string): string {
  return withQuery(`/v1/rankings/${type}`, [['date', date]]);
}

export function userCall(userid: string): string {
  return `/v1/users/${encodeURIComponent(userid)}`;
}

export function worksCall(userid: string, st: number): string {
  return withQuery('/v1/novels', [['userid', userid], ['order', 'new'], ...page(st), ['of', ROW_FIELDS]]);
}

export function usersCall(word: string, st: number): string {
  return withQuery('/v1/users', [...(word === '' ? [] : [['word', word] as [string, string]]), ...page(st)]);
}

/** The first call of a view. Views for adults make none: they wait for the reader's confirmation. */
export function firstCallOf(view: View): string | null {
  if (isAdult(view)) return null;
  switch (view.name) {
    case 'search':
      return novelsCall(view.search, false);
    case 'ranking':
      return boardCall(view.type, view.date);
    case 'novel':
      return novelCall(view.ncode, false);
    case 'author':
      return userCall(view.userid);
    case 'authors':
      return usersCall(view.word, view.st);
  }
}
