import { RANKING_TYPES } from '@mokuroku/narou';
import { pastedList } from '../shell/pasted-list.ts';

// The URL of a view is `/?...`, with the service's parameter names where they exist, so that a page's URL resembles
// its API call. The present parameters determine the view.

/** The texts searched for words, by the upstream's parameter names. Empty: all. */
export const WORD_TARGETS = ['', 'title', 'ex', 'keyword', 'wname'] as const;

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
export const codesIn = (list: string): string[] => [
  ...new Set(list.split(',').filter((code) => code !== '')),
];

/** Filters with a choice of a few ranges. */
export const RANGES = ['lastup', 'time', 'kaiwaritu'] as const;
export type RangeField = (typeof RANGES)[number];

/** Filters by a number between two ends, `from-to`; either may be missing. */
export const BOUNDED = ['length', 'episodes', 'points'] as const;
export type BoundedField = (typeof BOUNDED)[number];
/** Filters that are on or off. */
const FLAGS = [
  ...MARKS.flatMap((mark) => [`is${mark}`, `not${mark}`] as const),
  // Either of `tensei` and `tenni`.
  'istt',
] as const;
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
  ...FLAGS,
] as const;
export type SearchField = (typeof SEARCH_FIELDS)[number];

/** Filters that only one of the two searches supports. */
const ALL_AGES_ONLY = new Set<string>(['genre', 'biggenre', 'notgenre', 'notbiggenre', 'isr15', 'notr15']);
const ADULT_ONLY = new Set<string>(['nocgenre', 'notnocgenre']);
export const isKnownTo = (field: string, adult: boolean): boolean =>
  !(adult ? ALL_AGES_ONLY : ADULT_ONLY).has(field);

export const PAGE_LENGTH = 30;

/** Time ranges of a ranking history in days; 0: all. */
export const SPANS = [90, 365, 0] as const;

/** A value of a view, and its parameter in the URL. */
interface Parameter<Value> {
  /** The usual value if it is missing or has no meaning. */
  read: (query: URLSearchParams) => Value;
  write: (value: Value) => [name: string, value: string];
}
type ValuesOf<Parameters> = {
  readonly [Field in keyof Parameters]: Parameters[Field] extends Parameter<infer Value> ? Value : never;
};

const text = (name: string, usual = ''): Parameter<string> => ({
  read: (query) => query.get(name)?.trim() || usual,
  write: (value) => [name, value],
});

const flag = (name: string, set = '1'): Parameter<boolean> => ({
  read: (query) => query.get(name) === set,
  write: (isSet) => [name, isSet ? set : ''],
});

const choice = <Value extends string | number>(
  name: string,
  values: readonly Value[],
  usual: Value,
): Parameter<Value> => ({
  read: (query) => values.find((value) => String(value) === query.get(name)) ?? usual,
  write: (value) => [name, String(value)],
});

/** Behind the age confirmation. */
const adult = flag('r18');

/** The position of the first result, from 1. */
const st: Parameter<number> = {
  read: (query) => (/^[1-9]\d{0,8}$/.test(query.get('st') ?? '') ? Number(query.get('st')) : 1),
  write: (start) => ['st', String(start)],
};

const ncode: Parameter<string> = {
  ...text('ncode'),
  read: (query) => text('ncode').read(query).toUpperCase(),
};

const ncodes: Parameter<readonly string[]> = {
  read: (query) => pastedList(text('compare').read(query), (code) => code.toUpperCase()),
  write: (compared) => ['compare', compared.join(',')],
};

/** The settings of a chart. */
const chart = { period: choice('period', RANKING_TYPES, 'daily'), span: choice('span', SPANS, 365) };
export type ChartView = ValuesOf<typeof chart>;

/** `1`, or empty for any other text of a hand-written URL: the API's 0 means any. */
const flagText = (name: string): Parameter<string> => choice(name, ['', '1'], '');

/** A range; one without ends is none. Links may state those of the length as the API's other two parameters. */
const range = (name: string): Parameter<string> => ({
  ...text(name),
  read: (query) => {
    const ends = ['minlen', 'maxlen'];
    const isInParts = name === 'length' && ends.some((end) => query.has(end));
    const given = (isInParts ? ends : [name]).map((each) => text(each).read(query));
    return given.join('-').replace(/^-$/, '');
  },
});

/** A filter of a search in the service's own text. Empty: any. */
const filter = (field: SearchField): Parameter<string> => {
  const isIn = (fields: readonly string[]) => fields.includes(field);
  const form = isIn(FLAGS) ? flagText : isIn(BOUNDED) || isIn(RANGES) ? range : text;
  const { read, write } = form(field);
  return { read: (query) => (isKnownTo(field, adult.read(query)) ? read(query) : ''), write };
};

const filters = Object.fromEntries(SEARCH_FIELDS.map((field) => [field, filter(field)])) as Record<
  SearchField,
  Parameter<string>
>;

const target: Parameter<(typeof WORD_TARGETS)[number]> = {
  read: (query) => WORD_TARGETS.find((name) => name !== '' && text(name).read(query) === '1') ?? '',
  write: (name) => [name, name && '1'],
};

/** The views in the order of matching, and their values in the order of the URL. */
const VALUES = {
  // The first `MAX_COMPARED` are shown.
  compare: { ncodes, ...chart },
  novel: { ncode, adult, ...chart },
  author: { userid: text('userid'), st },
  authors: { word: text('authors'), st },
  ranking: {
    type: choice('ranking', RANKING_TYPES, 'daily'),
    // Empty: the newest.
    date: text('date'),
    genre: text('genre'),
    state: text('state'),
    istt: flagText('istt'),
    minlen: text('minlen'),
    rising: flag('sort', 'rise'),
  },
  shelf: { shelf: flag('shelf') },
  search: { adult, ...filters, target, order: text('order', 'weeklypoint'), st },
};

/** The content of the page. */
export type View = {
  [Name in keyof typeof VALUES]: { readonly name: Name } & ValuesOf<(typeof VALUES)[Name]>;
}[keyof typeof VALUES];
export type ViewOf<Name extends View['name']> = Extract<View, { name: Name }>;
export type SearchInput = ViewOf<'search'>;

export const VIEW_NAMES = Object.keys(VALUES) as readonly View['name'][];

const parametersOf = (name: View['name']) =>
  Object.entries(VALUES[name] as Readonly<Record<string, Parameter<unknown>>>);

/** A view with the values of a URL, and the usual ones. */
function viewIn(name: View['name'], query: URLSearchParams): View {
  const values = parametersOf(name).map(([field, { read }]) => [field, read(query)] as const);
  return { name, ...Object.fromEntries(values) } as View;
}

/** A view with these values, and the usual ones. */
export const viewOf = <Name extends View['name']>(name: Name, values: Partial<ViewOf<Name>> = {}) =>
  ({ ...viewIn(name, new URLSearchParams()), ...values }) as ViewOf<Name>;

export const ANY_NOVEL = viewOf('search');

/** Views that are selected by the id of their content; the others by their own name with any text. */
const ID_OF: Partial<Record<View['name'], string>> = { novel: 'ncode', author: 'userid' };

/** The view of a URL (`location.search`). Every text matches a view. */
export function readView(search: string): View {
  const query = new URLSearchParams(search);
  const isSelected = (name: View['name']) => {
    const id = ID_OF[name];
    return id === undefined ? query.has(name) : text(id).read(query) !== '';
  };
  return viewIn(VIEW_NAMES.find(isSelected) ?? 'search', query);
}

const written = (view: View) =>
  parametersOf(view.name).map(([field, { write }]) => write(view[field as keyof View]));

/** The parameters of a view without usual values: the inverse of `readView`. */
export function writeView(view: View) {
  const usual = written(viewOf(view.name));
  return written(view).filter(([name, value], index) => value !== usual[index]?.[1] || name === view.name);
}

export function hrefOf(view: View): string {
  const query = new URLSearchParams(writeView(view)).toString();
  return query === '' ? '/' : `/?${query}`;
}

/** The URL of a view with these values, and the usual ones. */
export const hrefTo = <Name extends View['name']>(name: Name, values: Partial<ViewOf<Name>>): string =>
  hrefOf(viewOf(name, values));

export const isAdult = (view: View): boolean => 'adult' in view && view.adult;

/** The number of lines that remain distinguishable in a chart. */
export const MAX_COMPARED = 5;

/** The titles of novels to compare, by Ncode. */
export type Compared = ReadonlyMap<string, string>;

/** The novels to compare with one added, replacing the oldest if there are too many; or with one removed. */
export function toggleCompared(compared: Compared, ncode: string, title: string): Compared {
  const others = [...compared].filter(([each]) => each !== ncode);
  return new Map(compared.has(ncode) ? others : [...others, [ncode, title] as const].slice(-MAX_COMPARED));
}
