import { EXAMPLES } from './examples.ts';
import { BIGGENRES, GENRES, NOCGENRES } from './genres.ts';
import { OF_FIELDS, ofCodesServedBy } from './of-fields.ts';
import { WORK_TYPES } from './novel-query.ts';
import { NOVEL18API_ORDERS, NOVELAPI_ORDERS } from './orders.ts';
import { MAX_NCODES, codeList, flag, hiragana, ncodeList, ofList } from './parameter-kinds.ts';
import { oneOf, userid, useridList, wholeNumber, words } from './parameter-kinds.ts';

// The parameters of the searches, one table an endpoint. Names are the upstream's own; those marked `added`
// stand in its manuals (novelapi, novel18api, August 2025) but not in the first contract of /v1.

export const MAX_LIM = 500;
export const DEFAULT_LIM = 20;

const ANY = Number.MAX_SAFE_INTEGER;
const codesOf = (table: readonly { code: number }[]) => table.map((row) => row.code);
const added = true;

const without = (description: string) =>
  flag({ description: `1: only novels without ${description}.`, added });
const withOnly = (description: string) => flag({ description: `1: only novels with ${description}.`, added });

/** How much is wanted, from where on: on every search. */
export const PAGE_PARAMETERS = {
  lim: wholeNumber(1, MAX_LIM, {
    description: `Number of results. Left out: ${DEFAULT_LIM}, or the number of Ncodes asked for if that is more.`,
    example: 20,
  }),
  st: wholeNumber(1, ANY, {
    description:
      'Position of the first result, counted from 1. The live upstream reaches no further than 2000.',
    byDefault: 1,
    example: 1,
  }),
};

const WORD_PARAMETERS = {
  word: words({
    description:
      'Words that must all occur, separated by blanks (half- or full-width). A single Ncode finds that novel.',
    example: EXAMPLES.word,
  }),
  notword: words({
    description: 'Words none of which may occur, separated by blanks.',
    example: '悪役令嬢',
    added,
  }),
  title: flag({
    description:
      '1: look for the words in the title. While none of title, ex, keyword, wname is 1, all four are looked at.',
  }),
  ex: flag({ description: '1: look for the words in the synopsis.' }),
  keyword: flag({ description: '1: look for the words in the keywords.' }),
  wname: flag({ description: "1: look for the words in the author's pen name.", added }),
};

const NARROWING_PARAMETERS = {
  ncode: ncodeList({
    description: `Ncodes, at most ${MAX_NCODES}, separated by commas. Answers are in the order of \`order\`, not of this list.`,
    example: EXAMPLES.ncode,
  }),
  type: oneOf(WORK_TYPES, {
    description: 't short, r ongoing serial, er complete serial, re serial, ter short or complete serial.',
    example: 'er',
    added,
  }),
  minlen: wholeNumber(0, ANY, { description: 'Least length in characters.', example: 10_000, added }),
  maxlen: wholeNumber(0, ANY, { description: 'Greatest length in characters.', example: 500_000, added }),
  stop: oneOf(['1', '2'] as const, {
    description:
      '1 without novels that have stopped for long, 2 only those (no episode for 63 days and more).',
    example: '1',
    added,
  }),
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

/** What only the interface for all ages has. On the adult endpoint they are accepted and have no effect. */
const ALL_AGES_PARAMETERS = {
  genre: codeList(codesOf(GENRES), {
    description: 'Genre codes of /v1/meta/genres, separated by commas.',
    example: 201,
  }),
  notgenre: codeList(codesOf(GENRES), { description: 'Genre codes to leave out.', example: 101 }),
  biggenre: codeList(codesOf(BIGGENRES), { description: 'Big-genre codes of /v1/meta/genres.', example: 2 }),
  notbiggenre: codeList(codesOf(BIGGENRES), { description: 'Big-genre codes to leave out.', example: 1 }),
  userid: useridList({ description: 'Author ids, separated by commas.', example: String(EXAMPLES.userid) }),
  isr15: withOnly('the mark for readers of 15 and over'),
  notr15: without('the mark for readers of 15 and over'),
};

export const NOVEL_OF = ofList(ofCodesServedBy('novelapi'), {
  description: 'Codes of the fields wanted, separated by hyphens. Left out: all fields.',
  example: 't-n-w-g',
});

export const NOVEL_SEARCH_PARAMETERS = {
  ...WORD_PARAMETERS,
  ...ALL_AGES_PARAMETERS,
  ...NARROWING_PARAMETERS,
  order: oneOf(Object.keys(NOVELAPI_ORDERS) as (keyof typeof NOVELAPI_ORDERS)[], {
    description: `Order of the results. ${describe(NOVELAPI_ORDERS)}`,
    byDefault: 'new',
    example: 'hyoka',
  }),
  ...PAGE_PARAMETERS,
  of: NOVEL_OF,
};

/** All 38 codes are accepted; `u bg g ir` select nothing here, because novel18api does not know them. */
export const ADULT_OF = ofList(
  OF_FIELDS.map((row) => row.code),
  {
    description:
      'Codes of the fields wanted, separated by hyphens. Left out: all fields. u, bg, g and ir select nothing here.',
    example: 't-n-w-ng',
  },
);

export const ADULT_SEARCH_PARAMETERS = {
  ...WORD_PARAMETERS,
  nocgenre: codeList(codesOf(NOCGENRES), {
    description: 'Adult genre codes of /v1/meta/nocgenres, separated by commas.',
    example: 2,
  }),
  notnocgenre: codeList(codesOf(NOCGENRES), {
    description: 'Adult genre codes to leave out.',
    example: 1,
    added,
  }),
  ...NARROWING_PARAMETERS,
  order: oneOf(Object.keys(NOVEL18API_ORDERS) as (keyof typeof NOVEL18API_ORDERS)[], {
    description: `Order of the results. ${describe(NOVEL18API_ORDERS)}`,
    byDefault: 'new',
    example: 'hyoka',
  }),
  ...PAGE_PARAMETERS,
  of: ADULT_OF,
};

/** Accepted on the adult endpoint, never forwarded, named in `meta.ignored`. */
export const IGNORED_ON_ADULT: readonly string[] = Object.keys(ALL_AGES_PARAMETERS);

export const USER_SEARCH_PARAMETERS = {
  word: words({
    description: "Words that must all occur in the user's name or its reading, separated by blanks.",
    example: 'しおり',
  }),
  userid: userid({ description: 'User id, one only.', example: EXAMPLES.userid }),
  name1st: hiragana({
    description:
      "First hiragana of the name's reading (the upstream files by the user name, not by a family name). Voiced kana count as the plain one.",
    example: 'し',
  }),
  ...PAGE_PARAMETERS,
};

function describe(orders: Readonly<Record<string, string>>): string {
  return Object.entries(orders)
    .map(([order, meaning]) => `${order}: ${meaning}`)
    .join('; ');
}
