import { compareNcodes } from '../../../narou/src/novels/ncode.ts';
import { OF_FIELDS, NOVELAPI_ORDERS } from '@mokuroku/narou';
import type { NovelapiOrder } from '@mokuroku/narou';
import { FIELD_ROWS } from '../../../narou/src/novels/search-conditions.ts';
import type { CatalogueNovel, CatalogueUser } from '../../../narou/src/scan/catalogue-novel.ts';

// A linear search, written from the manuals and the contract: the reference for the service. It shares the tables of
// conditions and orders, whose rows say which field is compared how.

export type SearchParameters = Readonly<Record<string, string>>;

const wordsOf = (text: string | undefined) => (text ?? '').split(/\s+/).filter((word) => word !== '');
const list = (text: string) => text.split(',');

/** A condition of a search. Each is read once per search. */
type NovelTest = (novel: CatalogueNovel) => boolean;

const TEXTS = { title: 'title', ex: 'story', keyword: 'keyword', wname: 'writer' } as const;

function textTest(sent: SearchParameters): NovelTest {
  const chosen = Object.entries(TEXTS).filter(([parameter]) => sent[parameter] === '1');
  const fields = (chosen.length === 0 ? Object.entries(TEXTS) : chosen).map(([, field]) => field);
  const words = wordsOf(sent['word']);
  const unwanted = wordsOf(sent['notword']);
  const [only = ''] = words;
  const ncode = words.length === 1 && /^[Nn]\d{4}[A-Za-z]{1,2}$/.test(only) ? only.toUpperCase() : undefined;
  if (words.length + unwanted.length === 0) return () => true;
  return (novel) => {
    const texts = fields.map((field) => novel[field]);
    const within = (word: string) => texts.some((text) => text?.includes(word));
    const hasWords = ncode === undefined ? words.every(within) : novel.ncode === ncode;
    return hasWords && (unwanted.length === 0 || (!texts.includes(undefined) && !unwanted.some(within)));
  };
}

/** A row over one field states how its values are compared. An unknown value satisfies no condition. */
function fieldTests(sent: SearchParameters): NovelTest[] {
  return FIELD_ROWS.flatMap((row): NovelTest[] => {
    const text = sent[row.name];
    if (text === undefined) return [];
    const holds = comparison(row, text);
    return [({ [row.field]: value }) => value !== undefined && holds(value)];
  });
}

function comparison(row: (typeof FIELD_ROWS)[number], text: string): (value: string | number) => boolean {
  switch (row.operator) {
    case 'oneOf':
    case 'noneOf': {
      const values = list(row.kind === 'ncodes' ? text.toUpperCase() : text);
      return (value) => values.includes(String(value)) === (row.operator === 'oneOf');
    }
    case 'someWord':
      return (value) => wordsOf(text).some((word) => String(value).includes(word));
    case 'noWord':
      return (value) => !wordsOf(text).some((word) => String(value).includes(word));
    case 'equal':
      return (value) => text !== '1' || value === row.value;
    case 'between':
      return within(...bounds(text));
    case 'betweenTimes': {
      const [from, to] = spanOf(text);
      return (value) => value >= from && value <= to;
    }
  }
}

const within = (least?: string, most?: string) => (value: string | number) =>
  Number(value) >= Number(least ?? 0) && Number(value) <= Number(most ?? Infinity);

/** `n`, `a-b`, `a-` or `-b`. */
function bounds(text: string): [least: string | undefined, most: string | undefined] {
  const [least, most = least] = text.split('-');
  return [least, most === '' ? undefined : most];
}

const TYPES: Readonly<Record<string, NovelTest>> = {
  t: (novel) => novel.noveltype === 2,
  r: (novel) => novel.noveltype === 1 && novel.end === 1,
  er: (novel) => novel.noveltype === 1 && novel.end === 0,
  re: (novel) => novel.noveltype === 1,
  ter: (novel) => novel.noveltype === 2 || (novel.noveltype === 1 && novel.end === 0),
};

function traitTests(sent: SearchParameters, now: number): NovelTest[] {
  const { type, stop, minlen, maxlen, mintime, maxtime } = sent;
  const tests: NovelTest[] = [
    ({ length = NaN }) => (minlen ?? maxlen) === undefined || within(minlen, maxlen)(length),
    ({ time = NaN }) => (mintime ?? maxtime) === undefined || within(mintime, maxtime)(time),
  ];
  if (type !== undefined) tests.push((novel) => TYPES[type]?.(novel) === true);
  if (sent['istt'] === '1') tests.push((novel) => novel.istensei === 1 || novel.istenni === 1);
  if (stop !== undefined) tests.push((novel) => novel.isstop === Number(stop) - 1);
  const least = inJapan(now - 60 * 86_400_000);
  if (sent['ispickup'] === '1') {
    tests.push(
      ({ general_lastup = '', end, length = 0 }) =>
        general_lastup >= least && (end === 0 || length >= 100_000),
    );
  }
  return tests;
}

/** Japan time of an instant in milliseconds, as text. */
const inJapan = (ms: number) => new Date(ms + 9 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');

/** Start and end of each time word on Saturday, 21 November 2026, in Japan time. */
const WORDS_OF_TIME: Readonly<Record<string, readonly [string, string]>> = {
  thisweek: ['2026-11-15 00:00:00', '~'],
  lastweek: ['2026-11-08 00:00:00', '2026-11-14 23:59:59'],
  sevenday: ['2026-11-14 00:00:00', '~'],
  thismonth: ['2026-11-01 00:00:00', '~'],
  lastmonth: ['2026-10-01 00:00:00', '2026-10-31 23:59:59'],
};

function spanOf(text: string): readonly [string, string] {
  const word = WORDS_OF_TIME[text];
  if (word) return word;
  const [first = '', last = ''] = text.split(',');
  if (last !== '') return [`${first} 00:00:00`, `${last} 23:59:59`];
  const [from = '', to = ''] = text.split('-');
  return [inJapan(Number(from) * 1000), inJapan(Number(to) * 1000)];
}

const compare = (a: number | string, b: number | string) => (a < b ? -1 : a > b ? 1 : 0);

const sortedLists = new WeakMap<readonly CatalogueNovel[], readonly CatalogueNovel[]>();

/** Sorted once for all searches in a list. */
function sortedByNcode(novels: readonly CatalogueNovel[]): readonly CatalogueNovel[] {
  const sorted = sortedLists.get(novels) ?? novels.toSorted((a, b) => compareNcodes(a.ncode, b.ncode));
  sortedLists.set(novels, sorted);
  return sorted;
}

/** `byNcode` is sorted by Ncode, lowest first, as equal keys stay. */
function inOrder(byNcode: readonly CatalogueNovel[], order: string): readonly CatalogueNovel[] {
  if (order === 'ncodeasc') return byNcode;
  if (order === 'ncodedesc') return byNcode.toReversed();
  const { field, first } = NOVELAPI_ORDERS[order as NovelapiOrder];
  return byNcode.toSorted((a, b) => {
    const [one, other] = [a[field], b[field]];
    // Unknown values come last in both directions.
    if (one === undefined || other === undefined)
      return Number(one === undefined) - Number(other === undefined);
    return first === 'low' ? compare(one, other) : compare(other, one);
  });
}

function page<Item>(items: readonly Item[], search: SearchParameters): { all: number; items: Item[] } {
  const codes = search['ncode'] === undefined ? 0 : new Set(list(search['ncode'].toUpperCase())).size;
  const lim = Number(search['lim'] ?? Math.max(20, codes));
  const st = Number(search['st'] ?? 1);
  return { all: items.length, items: items.slice(st - 1, st - 1 + lim) };
}

/** The clock stands at noon in Japan on Saturday, 21 November 2026. */
const NOON = Date.parse('2026-11-21T12:00:00+09:00');

export function searchByHand(novels: readonly CatalogueNovel[], sent: SearchParameters) {
  const tests = [textTest(sent), ...fieldTests(sent), ...traitTests(sent, NOON)];
  const matches = sortedByNcode(novels).filter((novel) => tests.every((test) => test(novel)));
  return page(inOrder(matches, sent['order'] ?? 'new'), sent);
}

const PLAIN: Readonly<Record<string, string>> = { が: 'か', ば: 'は', ぱ: 'は', で: 'て' };

const USER_ORDERS: Readonly<Record<string, (user: CatalogueUser) => number>> = {
  new: (user) => user.userid,
  old: (user) => -user.userid,
  novelcnt: (user) => user.novel_cnt,
  reviewcnt: (user) => user.review_cnt,
  novellength: (user) => user.novel_length,
  sumglobalpoint: (user) => user.sum_global_point,
};

export function searchUsersByHand(users: readonly CatalogueUser[], search: SearchParameters) {
  const { userid, name1st, minnovel = 0, maxnovel = Infinity, minreview = 0, maxreview = Infinity } = search;
  const has = (user: CatalogueUser) => (word: string) =>
    user.name.includes(word) || user.yomikata.includes(word);
  const result = users.filter(
    (user) =>
      wordsOf(search['word']).every(has(user)) &&
      !wordsOf(search['notword']).some(has(user)) &&
      (userid === undefined || user.userid === Number(userid)) &&
      (name1st === undefined || user.name1st === (PLAIN[name1st] ?? name1st)) &&
      user.novel_cnt >= Number(minnovel) &&
      user.novel_cnt <= Number(maxnovel) &&
      user.review_cnt >= Number(minreview) &&
      user.review_cnt <= Number(maxreview),
  );
  const measure = USER_ORDERS[search['order'] ?? 'new'];
  if (!measure) throw new Error(`no order ${search['order'] ?? ''}`);
  return page(
    result.sort((a, b) => measure(b) - measure(a) || a.userid - b.userid),
    search,
  );
}

/** Field names by `of` code; a test of the table compares them with the contract. */
const FIELD_OF = new Map<string, string>(OF_FIELDS.map(({ code, field }) => [code, field]));
export const OF_CODES = [...FIELD_OF.keys()];

const NOT_ON_ADULT = ['userid', 'biggenre', 'genre', 'isr15'];

/** The expected record of a novel; labels are checked elsewhere. */
export function recordByHand(novel: CatalogueNovel, of: string | undefined): Record<string, unknown> {
  const codes = of?.split('-') ?? OF_CODES;
  const record: Record<string, unknown> = of === undefined ? { gensaku: '' } : {};
  for (const code of codes) {
    const field = FIELD_OF.get(code) ?? '';
    if (novel.nocgenre !== undefined && NOT_ON_ADULT.includes(field)) continue;
    const value = novel[field as keyof CatalogueNovel];
    if (value !== undefined) record[field] = value;
  }
  return record;
}
