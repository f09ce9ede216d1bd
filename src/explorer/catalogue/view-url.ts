import { RANKING_TYPES } from '../../catalogue/novels/ranking-date.ts';
import { DEFAULT_ORDER, SPANS, WORD_TARGETS } from './view.ts';
import type { NovelSearch, Span, View } from './view.ts';

// A view's address is `/?...`, in the service's own parameter names where it has one, so that an address of the
// page reads like the call behind it. Which view is meant shows in which parameter is there.

const DEFAULT_SPAN: Span = 365;

function startOf(query: URLSearchParams): number {
  const st = query.get('st') ?? '';
  return /^[1-9]\d{0,8}$/.test(st) ? Number(st) : 1;
}

function readSearch(query: URLSearchParams, adult: boolean): NovelSearch {
  const text = (name: string): string => query.get(name)?.trim() ?? '';
  const biggenre = text('biggenre');
  return {
    word: text('word'),
    notword: text('notword'),
    target: WORD_TARGETS.find((target) => target !== '' && text(target) === '1') ?? '',
    genre: adult ? '' : biggenre === '' ? text('genre') : `b${biggenre}`,
    nocgenre: adult ? text('nocgenre') : '',
    type: text('type'),
    minlen: text('minlen'),
    maxlen: text('maxlen'),
    order: text('order') || DEFAULT_ORDER,
    st: startOf(query),
  };
}

/** The view that an address (`location.search`) asks for. Every text is some view. */
export function readView(search: string): View {
  const query = new URLSearchParams(search);
  const adult = query.get('r18') === '1';
  const ncode = query.get('ncode');
  if (ncode) {
    const span = SPANS.find((each) => String(each) === query.get('span')) ?? DEFAULT_SPAN;
    return { name: 'novel', adult, ncode: ncode.trim().toUpperCase(), span };
  }
  const userid = query.get('userid');
  if (userid) return { name: 'author', userid, st: startOf(query) };
  const authors = query.get('authors');
  if (authors !== null) return { name: 'authors', word: authors.trim(), st: startOf(query) };
  const ranking = query.get('ranking');
  if (ranking !== null) {
    const type = RANKING_TYPES.find((each) => each === ranking) ?? 'daily';
    return { name: 'ranking', type, date: query.get('date') };
  }
  return { name: 'search', adult, search: readSearch(query, adult) };
}

/** The parameters of a search that differ from the default, by the service's names and in a fixed order. */
export function searchParameters(search: NovelSearch): [string, string][] {
  const { genre, order } = search;
  const all: [string, string][] = [
    ['word', search.word],
    ['notword', search.notword],
    ...(search.target === '' ? [] : [[search.target, '1'] as [string, string]]),
    genre.startsWith('b') ? ['biggenre', genre.slice(1)] : ['genre', genre],
    ['nocgenre', search.nocgenre],
    ['type', search.type],
    ['minlen', search.minlen],
    ['maxlen', search.maxlen],
    ['order', order === DEFAULT_ORDER ? '' : order],
  ];
  return all.filter(([, value]) => value !== '');
}

function parametersOf(view: View): [string, string][] {
  const from = (st: number): [string, string][] => (st > 1 ? [['st', String(st)]] : []);
  switch (view.name) {
    case 'search':
      return [
        ...(view.adult ? [['r18', '1'] as [string, string]] : []),
        ...searchParameters(view.search),
        ...from(view.search.st),
      ];
    case 'ranking':
      return [
        ['ranking', view.type],
        ...(view.date === null ? [] : [['date', view.date] as [string, string]]),
      ];
    case 'novel':
      return [
        ['ncode', view.ncode],
        ...(view.adult ? [['r18', '1'] as [string, string]] : []),
        ...(view.span === DEFAULT_SPAN ? [] : [['span', String(view.span)] as [string, string]]),
      ];
    case 'author':
      return [['userid', view.userid], ...from(view.st)];
    case 'authors':
      return [['authors', view.word], ...from(view.st)];
  }
}

/** The address of a view: the inverse of `readView`, without what is default anyway. */
export function hrefOf(view: View): string {
  const query = new URLSearchParams(parametersOf(view)).toString();
  return query === '' ? '/' : `/?${query}`;
}
