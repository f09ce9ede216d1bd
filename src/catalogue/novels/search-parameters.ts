import {
  MAX_NCODES,
  codeList,
  ncodeList,
  ofList,
  userid,
  useridList,
  wordList,
  xidList,
} from './code-parameters.ts';
import { EXAMPLES } from './examples.ts';
import { BIGGENRES, GENRES, NOCGENRES } from './genres.ts';
import { OF_FIELDS, ofCodesServedBy } from './of-fields.ts';
import { FACETS, TIME_WORDS, WORK_TYPES } from './novel-query.ts';
import { NOVEL18API_ORDERS, NOVELAPI_ORDERS, USERAPI_ORDERS } from './orders.ts';
import { flag, hiragana, oneOf, range, timeRange, wholeNumber, words } from './parameter-kinds.ts';

// The parameters of the searches, one table per endpoint. Names are those of the upstream (manuals of novelapi,
// novel18api and userapi, August 2025).

/** Each word costs a pass over the index. Nobody types thirty words, but a list of excluded words may have as many. */
const MAX_WORDS = 30;
const MAX_TYPED_WORDS = 10;

const MAX_LIM = 500;
export const DEFAULT_LIM = 20;

/** Ten digits, as in ranges. */
const ANY = 9_999_999_999;
const codeNumbers = (table: readonly { code: number }[]) => table.map((row) => row.code);

const NOT_WITH_LENGTH = 'Not together with length, minlen, maxlen.';
const SPAN =
  'thisweek (from Sunday), lastweek, sevenday, thismonth, lastmonth; Unix times in seconds (from-to); or days in Japan (from,to), both included. One end may be open (2026-10-01,).';

const without = (description: string) => flag({ description: `1: only novels without ${description}.` });
const withOnly = (description: string) => flag({ description: `1: only novels with ${description}.` });

/** The parameters of a page, on every search. */
const PAGE_PARAMETERS = {
  lim: wholeNumber(1, MAX_LIM, {
    description: `Number of results. Default: ${DEFAULT_LIM}, or the number of Ncodes if that is more.`,
    example: 20,
  }),
  st: wholeNumber(1, ANY, {
    description: 'Position of the first result, from 1. At most 2000 on the live upstream.',
    byDefault: 1,
    example: 1,
  }),
};

const WORD_PARAMETERS = {
  word: words(MAX_WORDS, {
    description:
      'Words that must all occur, separated by blanks (half- or full-width). A single Ncode finds that novel.',
    example: EXAMPLES.word,
  }),
  notword: words(MAX_WORDS, {
    description: 'Words to exclude, separated by blanks.',
    example: '悪役令嬢',
  }),
  title: flag({
    description: '1: search the title. If none of title, ex, keyword and wname is 1, all four are searched.',
  }),
  ex: flag({ description: '1: search the synopsis.' }),
  keyword: flag({ description: '1: search the keywords.' }),
  wname: flag({ description: "1: search the author's pen name." }),
};

const WRONG_TYPES = {
  all: 'no such type: leave it out for all types',
  tr: "known only to the site's own search page: request t (short) and r (ongoing) instead",
};

const NCODES = {
  description: `Ncodes, at most ${MAX_NCODES}, separated by commas. Results are sorted by \`order\`, not as listed.`,
};

const NARROWING_PARAMETERS = {
  type: oneOf(
    WORK_TYPES,
    {
      description: 't short, r ongoing serial, er complete serial, re serial, ter short or complete serial.',
      example: 'er',
    },
    WRONG_TYPES,
  ),
  minlen: wholeNumber(0, ANY, { description: 'Minimum length in characters.', example: 10_000 }),
  maxlen: wholeNumber(0, ANY, { description: 'Maximum length in characters.', example: 500_000 }),
  length: range({
    description: 'Length in characters: n, a-b, a- or -b. Not together with minlen, maxlen.',
    example: '10000-500000',
  }),
  mintime: wholeNumber(0, ANY, {
    description: `Minimum reading time in minutes. ${NOT_WITH_LENGTH}`,
    example: 30,
  }),
  maxtime: wholeNumber(0, ANY, {
    description: `Maximum reading time in minutes. ${NOT_WITH_LENGTH}`,
    example: 120,
  }),
  time: range({
    description: `Reading time in minutes: n, a-b, a- or -b. Not together with mintime, maxtime; ${NOT_WITH_LENGTH.toLowerCase()}`,
    example: '30-120',
  }),
  kaiwaritu: range({ description: 'Share of dialogue in per cent: n, a-b, a- or -b.', example: '40-' }),
  sasie: range({ description: 'Number of illustrations: n, a-b, a- or -b.', example: '1-' }),
  lastup: timeRange(TIME_WORDS, {
    description: `Publication of the latest episode. ${SPAN}`,
    example: 'sevenday',
  }),
  lastupdate: timeRange(TIME_WORDS, {
    description: `Last change of the novel. ${SPAN}`,
    example: 'sevenday',
  }),
  firstup: timeRange([], {
    description:
      'First publication: Unix times in seconds (from-to), or days in Japan (from,to), both included; one end may be open. (Not documented upstream.)',
    example: '2026-11-01,2026-11-20',
  }),
  buntai: codeList([1, 2, 4, 6], {
    description:
      'Style of the text: 1 no indents and many line breaks, 2 no indents, 4 indents and many line breaks, 6 indents.',
    example: 6,
  }),
  stop: oneOf(['1', '2'] as const, {
    description: '1 without novels on hiatus, 2 only those (no episode for 63 days).',
    example: '1',
  }),
  ispickup: flag({
    description:
      '1: only novels with an episode within 60 days that are short, complete or at least 100,000 characters long.',
  }),
  istt: withOnly('reincarnation in, or transfer to, another world'),
  isbl: withOnly("boys' love"),
  isgl: withOnly("girls' love"),
  iszankoku: withOnly('cruel depictions'),
  istensei: withOnly('reincarnation in another world'),
  istenni: withOnly('transfer to another world'),
  notbl: without("boys' love"),
  notgl: without("girls' love"),
  notzankoku: without('cruel depictions'),
  nottensei: without('reincarnation in another world'),
  nottenni: without('transfer to another world'),
};

/** Parameters of the interface for all ages only. The adult endpoint accepts and ignores them. */
const ALL_AGES_PARAMETERS = {
  genre: codeList(codeNumbers(GENRES), {
    description: 'Genre codes of /v1/meta/genres, separated by commas.',
    example: 201,
  }),
  notgenre: codeList(codeNumbers(GENRES), { description: 'Genre codes to exclude.', example: 101 }),
  biggenre: codeList(codeNumbers(BIGGENRES), {
    description: 'Big-genre codes of /v1/meta/genres.',
    example: 2,
  }),
  notbiggenre: codeList(codeNumbers(BIGGENRES), { description: 'Big-genre codes to exclude.', example: 1 }),
  userid: useridList({ description: 'Author ids, separated by commas.', example: String(EXAMPLES.userid) }),
  isr15: withOnly('the rating for readers of 15 and over'),
  notr15: without('the rating for readers of 15 and over'),
};

export const NOVEL_OF = ofList(ofCodesServedBy('novelapi'), {
  description: 'Codes of the fields to return, separated by hyphens. Default: all fields.',
  example: 't-n-w-g',
});

const OPT = oneOf(['weekly'], {
  description:
    'weekly adds `weekly_unique`, the unique readers of last week (Sunday to Saturday), to every record.',
  example: 'weekly',
});

export const NOVEL_SEARCH_PARAMETERS = {
  ...WORD_PARAMETERS,
  ...ALL_AGES_PARAMETERS,
  ncode: ncodeList({ ...NCODES, example: EXAMPLES.ncode }),
  ...NARROWING_PARAMETERS,
  opt: OPT,
  order: orderOf(NOVELAPI_ORDERS, 'hyoka'),
  ...PAGE_PARAMETERS,
  of: NOVEL_OF,
};

/** Accepts all 38 codes; `u bg g ir` select nothing here, because novel18api does not know them. */
const ADULT_OF = ofList(
  OF_FIELDS.map((row) => row.code),
  {
    description:
      'Codes of the fields to return, separated by hyphens. Default: all fields. u, bg, g and ir select nothing here.',
    example: 't-n-w-ng',
  },
);

export const ADULT_SEARCH_PARAMETERS = {
  ...WORD_PARAMETERS,
  nocgenre: codeList(codeNumbers(NOCGENRES), {
    description: 'Adult genre codes of /v1/meta/nocgenres, separated by commas.',
    example: 2,
  }),
  notnocgenre: codeList(codeNumbers(NOCGENRES), { description: 'Adult genre codes to exclude.', example: 1 }),
  xid: xidList({ description: 'Author ids of the adult site, separated by commas.', example: EXAMPLES.xid }),
  ncode: ncodeList({ ...NCODES, example: EXAMPLES.adultNcode }),
  ...NARROWING_PARAMETERS,
  opt: OPT,
  order: orderOf(NOVEL18API_ORDERS, 'hyoka'),
  ...PAGE_PARAMETERS,
  of: ADULT_OF,
};

type SearchParameter = keyof typeof NOVEL_SEARCH_PARAMETERS | keyof typeof ADULT_SEARCH_PARAMETERS;

/** Parameters of rows and fields, which every source supports. */
const ROWS_AND_FIELDS = ['of', 'order', 'lim', 'st'] as const;

/** A filter; each source lists those that it supports (`NovelSource.applies`). */
export type SearchCondition = Exclude<SearchParameter, (typeof ROWS_AND_FIELDS)[number]>;

export const CONDITION_NAMES: ReadonlySet<string> = new Set(
  Object.keys({ ...NOVEL_SEARCH_PARAMETERS, ...ADULT_SEARCH_PARAMETERS }).filter(
    (name) => !(ROWS_AND_FIELDS as readonly string[]).includes(name),
  ),
);

/** Accepted on the adult endpoint, never forwarded, and named in `meta.ignored`. */
export const IGNORED_ON_ADULT: readonly string[] = Object.keys(ALL_AGES_PARAMETERS);

const facetList = <Foreign extends (typeof FACETS)[number]>(foreign: readonly Foreign[]) =>
  wordList(
    FACETS.filter((name): name is Exclude<(typeof FACETS)[number], Foreign> =>
      foreign.every((each) => each !== name),
    ),
    {
      description:
        'Fields by which `meta.facets` counts all matches; type counts t, r and er. Needs a local catalogue or the sample: 501 on the live upstream.',
      example: 'type',
    },
  );

export const NOVEL_FACETS = facetList(['nocgenre']);
export const ADULT_FACETS = facetList(['genre', 'biggenre', 'isr15']);

export const SUGGEST_PARAMETERS = {
  q: words(MAX_TYPED_WORDS, {
    description: 'The typed words; each suggestion contains all of them. Empty: no suggestions.',
    example: '図書',
  }),
  lim: wholeNumber(1, 50, { description: 'Number of suggestions of each kind.', byDefault: 10, example: 10 }),
};

export const USER_SEARCH_PARAMETERS = {
  word: words(MAX_WORDS, {
    description: "Words that must all occur in the user's name or its reading, separated by blanks.",
    example: 'しおり',
  }),
  notword: words(MAX_WORDS, {
    description: "Words to exclude from the user's name and its reading.",
    example: '書房',
  }),
  userid: userid({ description: 'User id, one only.', example: EXAMPLES.userid }),
  name1st: hiragana({
    description: 'First hiragana of the reading of the user name. Voiced kana count as plain ones.',
    example: 'し',
  }),
  minnovel: wholeNumber(0, ANY, { description: 'Minimum number of novels.', example: 1 }),
  maxnovel: wholeNumber(0, ANY, { description: 'Maximum number of novels.', example: 10 }),
  minreview: wholeNumber(0, ANY, { description: 'Minimum number of reviews written.', example: 1 }),
  maxreview: wholeNumber(0, ANY, { description: 'Maximum number of reviews written.', example: 10 }),
  order: orderOf(USERAPI_ORDERS, 'sumglobalpoint'),
  ...PAGE_PARAMETERS,
};

/** The `order` parameter, with the meaning of each value. */
function orderOf<Order extends string>(orders: Readonly<Record<Order, string>>, example: NoInfer<Order>) {
  const meanings = Object.entries(orders).map(([order, meaning]) => `${order}: ${String(meaning)}`);
  return oneOf(Object.keys(orders) as Order[], {
    byDefault: 'new',
    example,
    description: `Order of the results. ${meanings.join('; ')}`,
  });
}
