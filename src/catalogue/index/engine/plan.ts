import { ncodeToNumber, parseNcode } from '../../novels/ncode.ts';
import { NOT_FLAGS, NOVEL_FLAGS, TEXT_TARGETS } from '../../novels/novel-query.ts';
import type { NovelConditions } from '../../novels/novel-query.ts';
import { splitWords } from '../novel-conditions.ts';
import { timesOf } from '../when.ts';
import { KINDS, xidToNumber } from './columns.ts';
import type { ColumnName } from './columns.ts';
import { TEXTS } from './layout.ts';
import type { KeyColumn, RangeColumn } from './orders.ts';

/** Ids that have one of some values, or none of them. */
export interface ValueFilter {
  readonly column: ColumnName;
  readonly values: readonly number[];
  readonly isWanted: boolean;
}

/** Ids whose value lies between two, both included. */
export interface RangeFilter {
  readonly column: RangeColumn;
  readonly min: number;
  readonly max: number;
}

/** Few ids, to be looked up by a column. */
export interface KeyFilter {
  readonly column: KeyColumn;
  readonly values: readonly number[];
}

/** What a question asks, in the numbers of the index. */
export interface Plan {
  readonly wanted: readonly string[];
  readonly unwanted: readonly string[];
  /** A bit for each of TEXTS that words are looked for in. */
  readonly texts: number;
  readonly keys: readonly KeyFilter[];
  readonly values: readonly ValueFilter[];
  readonly ranges: readonly RangeFilter[];
}

export const ALL_TEXTS = 2 ** TEXTS.length - 1;

const TEXT_OF_TARGET = { title: 'title', ex: 'story', keyword: 'keyword', wname: 'writer' } as const;

const KINDS_OF_TYPE = { t: ['t'], r: ['r'], er: ['er'], re: ['r', 'er'], ter: ['t', 'er'] } as const;

const PICKUP_SECONDS = 60 * 86_400;

function textsOf(conditions: NovelConditions): number {
  const given = TEXT_TARGETS.filter((target) => conditions[target] === 1);
  if (given.length === 0) return ALL_TEXTS;
  return given.reduce((texts, target) => texts | (1 << TEXTS.indexOf(TEXT_OF_TARGET[target])), 0);
}

function* keyFilters(conditions: NovelConditions, ncode: string | null): Iterable<KeyFilter> {
  const { ncode: ncodes, userid, xid } = conditions;
  const numbersOf = (codes: readonly string[]): number[] =>
    codes.filter((code) => parseNcode(code) === code).map(ncodeToNumber);
  if (ncode !== null) yield { column: 'ncode', values: numbersOf([ncode]) };
  if (ncodes) yield { column: 'ncode', values: numbersOf(ncodes) };
  if (userid) yield { column: 'userid', values: userid };
  if (xid) yield { column: 'xid', values: xid.map(xidToNumber).filter((number) => number !== 0) };
}

function* valueFilters(conditions: NovelConditions): Iterable<ValueFilter> {
  const { genre, biggenre, nocgenre, buntai, notgenre, notbiggenre, notnocgenre } = conditions;
  for (const [column, values] of Object.entries({ genre, biggenre, nocgenre, buntai })) {
    if (values) yield { column: column as ColumnName, values, isWanted: true };
  }
  for (const [column, values] of Object.entries({
    genre: notgenre,
    biggenre: notbiggenre,
    nocgenre: notnocgenre,
  })) {
    if (values) yield { column: column as ColumnName, values, isWanted: false };
  }
  for (const [place, flag] of NOVEL_FLAGS.entries()) {
    const without = NOT_FLAGS[place];
    if (conditions[flag] === 1) yield { column: flag, values: [1], isWanted: true };
    if (without && conditions[without] === 1) yield { column: flag, values: [0], isWanted: true };
  }
  const { type, stop, istt, ispickup } = conditions;
  if (type) {
    const values = KINDS_OF_TYPE[type].map((kind) => KINDS.indexOf(kind));
    yield { column: 'type', values, isWanted: true };
  }
  if (stop) yield { column: 'isstop', values: [1], isWanted: stop === '2' };
  if (istt === 1) yield { column: 'istt', values: [1], isWanted: true };
  if (ispickup === 1) yield { column: 'pickable', values: [1], isWanted: true };
}

function* rangeFilters(conditions: NovelConditions, now: number): Iterable<RangeFilter> {
  const { length, time, kaiwaritu, sasie, lastup, lastupdate, firstup, ispickup } = conditions;
  for (const [column, range] of Object.entries({ length, time, kaiwaritu, sasie })) {
    if (range) yield { column: column as RangeColumn, min: range.min ?? 0, max: range.max ?? Infinity };
  }
  for (const [column, when] of Object.entries({ lastup, lastupdate, firstup })) {
    const range = when && timesOf(when, now);
    if (range) yield { column: column as RangeColumn, min: range.min ?? 0, max: range.max ?? Infinity };
  }
  if (ispickup === 1) {
    yield { column: 'lastup', min: Math.ceil(now / 1000) - PICKUP_SECONDS, max: Infinity };
  }
}

/** Reads the conditions of a search; `now` is in milliseconds UTC. */
export function planOf(conditions: NovelConditions, now: number): Plan {
  const words = [...new Set(splitWords(conditions.word ?? ''))];
  const ncode = words.length === 1 ? parseNcode(words[0] ?? '') : null;
  return {
    wanted: ncode === null ? words : [],
    unwanted: [...new Set(splitWords(conditions.notword ?? ''))],
    texts: textsOf(conditions),
    keys: [...keyFilters(conditions, ncode)],
    values: [...valueFilters(conditions)],
    ranges: [...rangeFilters(conditions, now)],
  };
}
