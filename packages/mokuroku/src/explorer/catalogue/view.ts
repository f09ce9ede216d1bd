import { RANKING_TYPES } from '@mokuroku/narou';
import type { RankingType } from '@mokuroku/narou';

// The URL of a view is `/?...`, with the service's parameter names where they exist, so that a page's URL resembles
// its API call. The present parameters determine the view.

/** The texts searched for words, by the upstream's parameter names. Empty: all. */
export const WORD_TARGETS = ['', 'title', 'ex', 'keyword', 'wname'] as const;
type WordTarget = (typeof WORD_TARGETS)[number];

/** The flags of a novel; with `is` or `not` in front they are parameters of the service. */
export const MARKS = ['r15', 'zankoku', 'bl', 'gl', 'tensei', 'tenni'] as const;

/** Filters with several codes, separated by commas. */
export const CODE_LISTS = [
  'genre',
  'biggenre',
  'notgenre',
  'notbiggenre',
  'nocgenre',
  'notnocgenre',
] as const;
export type CodeList = (typeof CODE_LISTS)[number];

/** Filters with a choice of a few ranges. */
export const RANGES = ['lastup', 'time', 'kaiwaritu'] as const;
export type RangeField = (typeof RANGES)[number];

/** Filters by a number between two ends, `from-to`; either may be missing. */
export const BOUNDED = ['length', 'episodes', 'points'] as const;
export type BoundedField = (typeof BOUNDED)[number];
/** Filters by words without a choice of where they are searched. */
export const WORD_FILTERS = ['notword', 'anykeyword', 'notkeyword'] as const;

export const SEARCH_FIELDS = [
  'word',
  ...WORD_FILTERS,
  ...CODE_LISTS,
  'type',
  'stop',
  ...BOUNDED,
  ...RANGES,
  ...MARKS.flatMap((mark) => [`is${mark}`, `not${mark}`] as const),
  // Either of `tensei` and `tenni`.
  'istt',
] as const;
export type SearchField = (typeof SEARCH_FIELDS)[number];

/** Filters that only one of the two searches supports. */
const ALL_AGES_ONLY = new Set<string>(['genre', 'biggenre', 'notgenre', 'notbiggenre', 'isr15', 'notr15']);
const ADULT_ONLY = new Set<string>(['nocgenre', 'notnocgenre']);
export const isKnownTo = (field: string, adult: boolean): boolean =>
  !(adult ? ALL_AGES_ONLY : ADULT_ONLY).has(field);

export const PAGE_LENGTH = 30;
const DEFAULT_ORDER = 'weeklypoint';

/** A search in the service's own texts. Empty ones mean "any"; `st` counts from 1. */
export interface SearchInput extends Readonly<Record<SearchField, string>> {
  readonly target: WordTarget;
  readonly order: string;
  readonly st: number;
}

/** Time ranges of a ranking history in days; 0: all. */
export const SPANS = [90, 365, 0] as const;
type ChartSpan = (typeof SPANS)[number];
const DEFAULT_SPAN: ChartSpan = 365;

/** The settings of a chart. */
export interface ChartView {
  readonly period: RankingType;
  readonly span: ChartSpan;
}

const RANKING_FIELDS = ['genre', 'state', 'istt', 'minlen'] as const;

interface RankingPlace extends Readonly<Record<(typeof RANKING_FIELDS)[number], string>> {
  name: 'ranking';
  type: RankingType;
  /** null: the newest. */
  date: string | null;
  rising: boolean;
}

/** The content of the page. `adult` is only true behind the age confirmation. */
export type View =
  | { name: 'search'; adult: boolean; search: SearchInput }
  | RankingPlace
  // The first `MAX_COMPARED` are shown.
  | { name: 'compare'; ncodes: readonly string[]; period: RankingType; span: ChartSpan }
  | { name: 'novel'; adult: boolean; ncode: string; period: RankingType; span: ChartSpan }
  | { name: 'author'; userid: string; st: number }
  | { name: 'authors'; word: string; st: number }
  | { name: 'shelf' };

export type ViewOf<Name extends View['name']> = Extract<View, { name: Name }>;

export const isAdult = (view: View): boolean =>
  (view.name === 'search' || view.name === 'novel') && view.adult;

/** The number of lines that remain distinguishable in a chart. */
export const MAX_COMPARED = 5;
export const compareOf = (ncodes: readonly string[]): ViewOf<'compare'> => ({
  name: 'compare',
  ncodes,
  period: 'daily',
  span: DEFAULT_SPAN,
});

/** The titles of novels to compare, by Ncode. */
export type Compared = ReadonlyMap<string, string>;

/** The novels to compare with one added, replacing the oldest if there are too many; or with one removed. */
export function toggleCompared(compared: Compared, ncode: string, title: string): Compared {
  const others = [...compared].filter(([each]) => each !== ncode);
  return new Map(compared.has(ncode) ? others : [...others, [ncode, title] as const].slice(-MAX_COMPARED));
}

export const novelViewOf = (ncode: string, adult: boolean): ViewOf<'novel'> => ({
  name: 'novel',
  ncode,
  adult,
  period: 'daily',
  span: DEFAULT_SPAN,
});

const parameterText = (query: URLSearchParams, name: string): string => query.get(name)?.trim() ?? '';

function firstRow(query: URLSearchParams): number {
  const st = query.get('st') ?? '';
  return /^[1-9]\d{0,8}$/.test(st) ? Number(st) : 1;
}

const valuesOf = <Field extends string>(fields: readonly Field[], valueOf: (field: Field) => string) =>
  Object.fromEntries(fields.map((field) => [field, valueOf(field)])) as Record<Field, string>;

function readSearch(query: URLSearchParams, adult: boolean): SearchInput {
  // Links may state the ends of the length as the API's other two parameters.
  const [minlen, maxlen] = ['minlen', 'maxlen'].map((name) => parameterText(query, name));
  const ends = query.has('minlen') || query.has('maxlen') ? { length: `${minlen}-${maxlen}` } : {};
  return {
    ...valuesOf(SEARCH_FIELDS, (field) => (isKnownTo(field, adult) ? parameterText(query, field) : '')),
    ...ends,
    target: WORD_TARGETS.find((target) => target !== '' && parameterText(query, target) === '1') ?? '',
    order: parameterText(query, 'order') || DEFAULT_ORDER,
    st: firstRow(query),
  };
}

export const ANY_NOVEL: SearchInput = readSearch(new URLSearchParams(), false);

type ViewParameter = [name: string, value: string];
type ViewParameters = ViewParameter[];

/** The filters and the order that differ from the default, by the service's names and in a fixed order. */
export function searchParameters(search: SearchInput): ViewParameters {
  const all: ViewParameters = [
    ...SEARCH_FIELDS.map((field): ViewParameter => [field, search[field]]),
    [search.target, search.target && '1'],
    ['order', search.order === DEFAULT_ORDER ? '' : search.order],
  ];
  return all.filter(([, value]) => value !== '');
}

/** A ranking type from a parameter; `daily` if it is missing or unknown. */
const typeIn = (query: URLSearchParams, name: string): RankingType =>
  RANKING_TYPES.find((each) => each === query.get(name)) ?? 'daily';

const readRanking = (query: URLSearchParams): RankingPlace => ({
  name: 'ranking',
  type: typeIn(query, 'ranking'),
  date: parameterText(query, 'date') || null,
  ...valuesOf(RANKING_FIELDS, (field) => parameterText(query, field)),
  rising: query.get('sort') === 'rise',
});
export const rankingViewOf = (type: RankingType) => readRanking(new URLSearchParams({ ranking: type }));

export const chartOf = ({ period, span }: ChartView): ChartView => ({ period, span });
const readChart = (query: URLSearchParams): ChartView => ({
  period: typeIn(query, 'period'),
  span: SPANS.find((each) => String(each) === query.get('span')) ?? DEFAULT_SPAN,
});
const writeChart = ({ period, span }: ChartView): ViewParameters => [
  ['period', period === 'daily' ? '' : period],
  ['span', span === DEFAULT_SPAN ? '' : String(span)],
];
const from = (st: number): ViewParameter => ['st', st > 1 ? String(st) : ''];
const isAdultIn = (query: URLSearchParams): boolean => query.get('r18') === '1';
const r18 = (adult: boolean): ViewParameter => ['r18', adult ? '1' : ''];

interface Address<Name extends View['name']> {
  /** null if the URL is that of another view. */
  read: (query: URLSearchParams) => ViewOf<Name> | null;
  write: (view: ViewOf<Name>) => ViewParameters;
}

/** The views and their URLs in the order of matching; the last one matches every URL. */
const ADDRESSES: { readonly [Name in View['name']]: Address<Name> } = {
  compare: {
    read: (query) => {
      const compared = query.get('compare');
      if (compared === null) return null;
      const ncodes = [...new Set(compared.toUpperCase().split(/[\s,]+/))].filter((each) => each !== '');
      return { ...compareOf(ncodes), ...readChart(query) };
    },
    write: (view) => [['compare', view.ncodes.join(',')], ...writeChart(view)],
  },
  novel: {
    read: (query) => {
      const ncode = parameterText(query, 'ncode').toUpperCase();
      return ncode === '' ? null : { ...novelViewOf(ncode, isAdultIn(query)), ...readChart(query) };
    },
    write: (view) => [['ncode', view.ncode], r18(view.adult), ...writeChart(view)],
  },
  author: {
    read: (query) => {
      const userid = parameterText(query, 'userid');
      return userid ? { name: 'author', userid, st: firstRow(query) } : null;
    },
    write: (view) => [['userid', view.userid], from(view.st)],
  },
  authors: {
    read: (query) => {
      const word = query.get('authors');
      return word === null ? null : { name: 'authors', word: word.trim(), st: firstRow(query) };
    },
    write: (view) => [['authors', view.word], from(view.st)],
  },
  ranking: {
    read: (query) => (query.has('ranking') ? readRanking(query) : null),
    write: (view) => [
      ['ranking', view.type],
      ['date', view.date ?? ''],
      ...RANKING_FIELDS.map((field): ViewParameter => [field, view[field]]),
      ['sort', view.rising ? 'rise' : ''],
    ],
  },
  shelf: {
    read: (query) => (query.has('shelf') ? { name: 'shelf' } : null),
    write: () => [['shelf', '1']],
  },
  search: {
    read: readAnySearch,
    write: ({ adult, search }) => [r18(adult), ...searchParameters(search), from(search.st)],
  },
};

export const VIEW_NAMES = Object.keys(ADDRESSES) as readonly View['name'][];

function readAnySearch(query: URLSearchParams): ViewOf<'search'> {
  const adult = isAdultIn(query);
  return { name: 'search', adult, search: readSearch(query, adult) };
}

/** The view of a URL (`location.search`). Every text matches a view. */
export function readView(search: string): View {
  const query = new URLSearchParams(search);
  const views = VIEW_NAMES.map((name) => ADDRESSES[name].read(query));
  return views.find((view) => view !== null) ?? readAnySearch(query);
}

/** The URL of a view: the inverse of `readView`, without default values. */
export function hrefOf(view: View): string {
  const { write } = ADDRESSES[view.name] as Address<View['name']>;
  const written = write(view).filter(
    ([name, value]) => value !== '' || name === 'authors' || name === 'compare',
  );
  const query = new URLSearchParams(written).toString();
  return query === '' ? '/' : `/?${query}`;
}
