import { z } from 'zod';
import { NOVEL_ALLOWED, NOVEL_FAULTS } from './fault-texts.ts';
import { CHANGED_FIELDS, CHANGE_KINDS } from './change-kinds.ts';
import { codeList, ncodeList, ofList, userid, useridList, wordList, xidList } from './code-parameters.ts';
import { EXAMPLES } from './examples.ts';
import { OF_FIELDS, SERVED_CODES } from './of-fields.ts';
import { FACETS } from './novel-query.ts';
import type { FacetName } from './novel-query.ts';
import { NOVEL18API_ORDERS, NOVELAPI_ORDERS, USERAPI_ORDERS, describeOrders } from './orders.ts';
import { oneOf } from '@mokuroku/kit/http';
import type { About, Parameter } from '@mokuroku/kit/http';
import { MAX_RANKS, RANKING_TYPES } from './ranking-date.ts';
import { flag, hiragana, range, timeRange, wholeNumber, words } from './parameter-kinds.ts';
import { ADULT_NOVEL_ROWS, NOVEL_ROWS, RANKING_ROWS, TIME_WORDS } from './search-conditions.ts';
import type { ConditionRow, KindValues, ValueOf } from './search-conditions.ts';
import { LAST_START } from './upstream-facts.ts';

// The parameters of the searches, one table per endpoint. Names are those of the upstream (manuals of novelapi,
// novel18api and userapi, August 2025).

/** Each word costs a pass over the index. Nobody types thirty words, but a list of excluded words may have as many. */
const MAX_WORDS = 30;
const MAX_TYPED_WORDS = 10;

const MAX_LIM = 500;
export const DEFAULT_LIM = 20;

/** Ten digits, as in ranges. */
const ANY = 9_999_999_999;

/** The parameters of a page, on every search. */
const PAGE_PARAMETERS = {
  lim: wholeNumber(1, MAX_LIM, {
    en: `Number of results. Default: ${DEFAULT_LIM}, or the number of Ncodes if that is more.`,
    ja: `件数。省略時は ${DEFAULT_LIM}、Nコードをそれより多く指定した場合はその数。`,
    example: 20,
  }),
  st: wholeNumber(1, ANY, {
    en: `Position of the first result, from 1. At most ${LAST_START} on the live upstream.`,
    ja: `取得を始める位置（1 から）。実際の取得元では ${LAST_START} まで。`,
    byDefault: 1,
    example: 1,
  }),
};

/** What each kind of a condition makes of its row. */
const READERS: {
  readonly [Kind in Exclude<keyof KindValues, 'codes'>]: (about: About) => Parameter<KindValues[Kind]>;
} = {
  words: (about) => words(MAX_WORDS, about),
  flag,
  userids: useridList,
  xids: xidList,
  ncodes: ncodeList,
  number: (about) => wholeNumber(0, ANY, about),
  range,
  times: (about) => timeRange(TIME_WORDS, about),
  plainTimes: (about) => timeRange([], about),
};

function toParameter({ text, example, ...row }: ConditionRow): Parameter {
  const about = { ...text, ...(example !== undefined && { example }) };
  if (row.kind === 'choice') return oneOf(row.values, about, row.reasons);
  return row.kind === 'codes' ? codeList(row.codes, about) : READERS[row.kind](about);
}

const toParameters = <Rows extends Readonly<Record<string, ConditionRow>>>(rows: Rows) =>
  Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, toParameter(row)])) as {
    [Name in keyof Rows]: Parameter<ValueOf<Rows[Name]>>;
  };

/** The `order` parameter. */
const orderOf = <Rows extends Parameters<typeof describeOrders>[0]>(
  rows: Rows,
  example: keyof Rows & string,
) =>
  oneOf(Object.keys(rows) as (keyof Rows & string)[], {
    byDefault: 'new',
    example,
    ...describeOrders(rows),
  });

export const NOVEL_OF = ofList(SERVED_CODES.novelapi, {
  en: 'Codes of the fields to return, separated by hyphens. Default: all fields.',
  ja: '取得する項目のコード。ハイフン区切り。省略時はすべての項目。',
  example: 't-n-w-g',
});

export const NOVEL_SEARCH_PARAMETERS = {
  ...toParameters(NOVEL_ROWS),
  order: orderOf(NOVELAPI_ORDERS, 'hyoka'),
  ...PAGE_PARAMETERS,
  of: NOVEL_OF,
};

/** The filters of a ranking, as of a search, and its order. */
export const RANKING_FILTERS = {
  ...toParameters(RANKING_ROWS),
  order: oneOf(['rank', 'rise'], {
    en: `rise: by ranks gained since the ranking before, the most first. A novel that was not in it counts as number ${MAX_RANKS + 1}. Equal gains: by rank.`,
    ja: `rise なら、前回のランキングから上がった順位の多い順。前回になかった作品は ${MAX_RANKS + 1} 位だったものとして数えます。同じなら順位の順。`,
    byDefault: 'rank',
    example: 'rise',
  }),
};

/** Accepts all 38 codes; `u bg g ir` select nothing here, because novel18api does not know them. */
const ADULT_OF = ofList(
  OF_FIELDS.map((row) => row.code),
  {
    en: 'Codes of the fields to return, separated by hyphens. Default: all fields. u, bg, g and ir select nothing here.',
    ja: '取得する項目のコード。ハイフン区切り。省略時はすべての項目。ここでは u、bg、g、ir は無効です。',
    example: 't-n-w-ng',
  },
);

export const ADULT_SEARCH_PARAMETERS = {
  ...toParameters(ADULT_NOVEL_ROWS),
  order: orderOf(NOVEL18API_ORDERS, 'hyoka'),
  ...PAGE_PARAMETERS,
  of: ADULT_OF,
};

const facetList = (foreign: readonly FacetName[]) =>
  wordList(
    FACETS.filter((name) => !foreign.includes(name)),
    {
      en: 'Fields by which `meta.facets` counts all matches; type counts t, r and er. Needs a local catalogue or the sample: 501 on the live upstream.',
      ja: '全件を集計して `meta.facets` に入れる項目。type は t、r、er を数えます。ローカルカタログまたはサンプルが必要です。実際の取得元では 501 を返します。',
      example: 'type',
    },
  );

export const NOVEL_FACETS = facetList(['nocgenre']);
export const ADULT_FACETS = facetList(['genre', 'biggenre', 'isr15']);

export const SUGGEST_PARAMETERS = {
  q: words(MAX_TYPED_WORDS, {
    en: 'The typed words; each suggestion contains all of them. Empty: no suggestions. At most 10 different words.',
    ja: '入力された語。すべてを含むものが候補になります。空なら候補はありません。異なる語は 10 個まで。',
    example: '図書',
  }),
  lim: wholeNumber(1, 50, {
    en: 'Number of suggestions of each kind.',
    ja: '候補の数（種類ごと）。',
    byDefault: 10,
    example: 10,
  }),
};

export const USER_SEARCH_PARAMETERS = {
  word: words(MAX_WORDS, {
    en: "Words that must all occur in the user's name or its reading, separated by blanks. At most 30 different words.",
    ja: 'ユーザー名かその読みに、すべてを含む語。空白で区切ります。異なる語は 30 個まで。',
    example: 'しおり',
  }),
  notword: words(MAX_WORDS, {
    en: "Words to exclude from the user's name and its reading. At most 30 different words.",
    ja: 'ユーザー名にもその読みにも含まれてはならない語。異なる語は 30 個まで。',
    example: '書房',
  }),
  userid: userid({ en: 'User id, one only.', ja: 'ユーザー ID。1 つだけ。', example: EXAMPLES.userid }),
  name1st: hiragana({
    en: 'First hiragana of the reading of the user name. Voiced kana count as plain ones.',
    ja: '読みの最初のひらがな 1 文字（姓ではなくユーザー名の）。濁音は清音として数えます。',
    example: 'し',
  }),
  minnovel: wholeNumber(0, ANY, { en: 'Minimum number of novels.', ja: '作品数の下限。', example: 1 }),
  maxnovel: wholeNumber(0, ANY, { en: 'Maximum number of novels.', ja: '作品数の上限。', example: 10 }),
  minreview: wholeNumber(0, ANY, {
    en: 'Minimum number of reviews written.',
    ja: '書いたレビュー数の下限。',
    example: 1,
  }),
  maxreview: wholeNumber(0, ANY, {
    en: 'Maximum number of reviews written.',
    ja: '書いたレビュー数の上限。',
    example: 10,
  }),
  order: orderOf(USERAPI_ORDERS, 'sumglobalpoint'),
  ...PAGE_PARAMETERS,
};

const MAX_CHANGES = 500;
export const DEFAULT_CHANGES = 100;

/** A cursor, after which events are returned; `now`: only the current cursor. */
const CURSOR: Parameter<string> = {
  schema: z.string().regex(/^(now|[0-9a-f]{8}-\d{1,9}-\d{1,9})$/, NOVEL_FAULTS.notCursor.en),
  allowed: NOVEL_ALLOWED.cursor.en,
  en: 'Cursor to continue from: `meta.next` of the last response. `now`: no events, only the current cursor. Default: all events of the last two weeks.',
  ja: '続きの位置を示すカーソル。前回のレスポンスの `meta.next` です。`now` では変更を返さず、現在のカーソルだけを返します。省略すると過去 2 週間の変更すべて。',
  example: 'now',
  published: { type: 'string', pattern: '^(now|[0-9a-f]{8}-[0-9]{1,9}-[0-9]{1,9})$' },
};

const { userid: authors, genre, notgenre, biggenre, notbiggenre } = NOVEL_SEARCH_PARAMETERS;

/** Events of novels. `userid` is the author or the previous one. */
export const CHANGES_PARAMETERS = {
  since: CURSOR,
  lim: wholeNumber(1, MAX_CHANGES, {
    en: 'Number of events.',
    ja: '変更の件数。',
    byDefault: DEFAULT_CHANGES,
    example: 100,
  }),
  kind: wordList(CHANGE_KINDS, {
    en: 'Kinds of events, separated by commas.',
    ja: '変更の種類。カンマ区切り。',
    example: 'episode',
  }),
  changed: wordList(CHANGED_FIELDS, {
    en: 'Only events with a change of one of these fields, separated by commas; `end` for completed novels.',
    ja: 'いずれかの項目（カンマ区切り）が変わった変更だけ。完結した小説は `end`。',
    example: 'end',
  }),
  ncode: ncodeList({
    en: 'Ncodes, at most 500, separated by commas.',
    ja: 'Nコード。500 個まで、カンマ区切り。',
    example: EXAMPLES.ncode,
  }),
  userid: authors,
  genre,
  notgenre,
  biggenre,
  notbiggenre,
};

/** More than all rankings of a type in a quarter of a century. */
const MAX_ENTRIES = 10_000;

/** Which entries of a ranking history are sent. */
export const HISTORY_PARAMETERS = {
  type: oneOf(RANKING_TYPES, {
    en: 'Only the rankings of this period. Default: all.',
    ja: 'この期間のランキングだけ。省略時はすべて。',
    example: 'weekly',
  }),
  lim: wholeNumber(1, MAX_ENTRIES, {
    en: 'Only the latest entries, at most so many of each history. Default: all.',
    ja: '新しいほうから、小説ごとに最大この件数。省略時はすべて。',
    example: 100,
  }),
};
