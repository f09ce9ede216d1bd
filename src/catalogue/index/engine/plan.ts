import { ncodeToNumber, parseNcode } from '../../novels/ncode.ts';
import {
  NOT_FLAGS,
  NOVEL_FLAGS,
  RANGE_FILTERS,
  TEXT_TARGETS,
  TIME_FILTERS,
} from '../../novels/novel-query.ts';
import type { NovelConditions, Range } from '../../novels/novel-query.ts';
import type { SearchCondition } from '../../novels/search-parameters.ts';
import { PICKUP_SECONDS, splitWords, TEXT_FIELDS, timesOf, TYPES } from '../novel-conditions.ts';
import { KINDS, unknownIn, UNKNOWN_KEY, xidToNumber } from './columns.ts';
import type { ColumnName } from './columns.ts';
import { TEXTS } from './layout.ts';
import type { KeyColumn, RangeColumn } from './orders.ts';

/** Ids with one of some values, or with another known value. */
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

/** A few ids, looked up in a column. */
export interface KeyFilter {
  readonly column: KeyColumn;
  readonly values: readonly number[];
}

/** A query in the numbers of the index. */
export interface Plan {
  readonly wanted: readonly string[];
  readonly unwanted: readonly string[];
  /** A bit for each of TEXTS to search. */
  readonly texts: number;
  readonly keys: readonly KeyFilter[];
  readonly values: readonly ValueFilter[];
  readonly ranges: readonly RangeFilter[];
}

export const ALL_TEXTS = 2 ** TEXTS.length - 1;

function targetMask(conditions: NovelConditions): number {
  const given = TEXT_TARGETS.filter((target) => conditions[target] === 1);
  if (given.length === 0) return ALL_TEXTS;
  return given.reduce((texts, target) => texts | (1 << TEXTS.indexOf(TEXT_FIELDS[target])), 0);
}

function keyFilters(conditions: NovelConditions, wordAsNcode: string | null): KeyFilter[] {
  const { ncode, userid, xid } = conditions;
  const filters: KeyFilter[] = [];
  const numbersOf = (codes: readonly string[]): number[] =>
    codes.filter((code) => parseNcode(code) === code).map(ncodeToNumber);
  if (wordAsNcode !== null) filters.push({ column: 'ncode', values: numbersOf([wordAsNcode]) });
  if (ncode) filters.push({ column: 'ncode', values: numbersOf(ncode) });
  if (userid) filters.push({ column: 'userid', values: userid.filter((id) => id !== UNKNOWN_KEY) });
  if (xid) {
    filters.push({ column: 'xid', values: xid.flatMap((id) => xidToNumber(id) ?? []) });
  }
  return filters;
}

/** All choices of texts that have some of them. */
const choicesWith = (texts: number): number[] =>
  Array.from({ length: ALL_TEXTS + 1 }, (_, choice) => choice).filter((choice) => (choice & texts) === texts);

const LISTS = ['genre', 'biggenre', 'nocgenre'] as const;
const NOT_LISTS = [
  ['notgenre', 'genre'],
  ['notbiggenre', 'biggenre'],
  ['notnocgenre', 'nocgenre'],
] as const;

/** The conditions of a plan. Records have no style (`buntai`), so no record matches one. */
export const PLANNED_CONDITIONS: ReadonlySet<SearchCondition> = new Set<SearchCondition>([
  'word',
  'notword',
  ...TEXT_TARGETS,
  'ncode',
  'userid',
  'xid',
  'minlen',
  'maxlen',
  'mintime',
  'maxtime',
  ...RANGE_FILTERS,
  ...TIME_FILTERS,
  ...LISTS,
  ...NOT_LISTS.map(([name]) => name),
  'type',
  'stop',
  'istt',
  'ispickup',
  ...NOVEL_FLAGS,
  ...NOT_FLAGS,
  'opt',
]);

function valueFilters(conditions: NovelConditions): ValueFilter[] {
  const filters: ValueFilter[] = [];
  const filter = (column: ColumnName, values: readonly number[] | undefined): void => {
    if (values) filters.push({ column, values, isWanted: true });
  };
  const exclude = (column: ColumnName, values: readonly number[] | undefined): void => {
    if (values) filters.push({ column, values: [...values, unknownIn(column)], isWanted: false });
  };
  for (const column of LISTS) filter(column, conditions[column]);
  for (const [name, column] of NOT_LISTS) exclude(column, conditions[name]);
  for (const [index, flag] of NOVEL_FLAGS.entries()) {
    const without = NOT_FLAGS[index];
    if (conditions[flag] === 1) filter(flag, [1]);
    if (without && conditions[without] === 1) filter(flag, [0]);
  }
  if (splitWords(conditions.notword ?? '').length > 0) filter('texts', choicesWith(targetMask(conditions)));
  const { type, stop, istt, ispickup } = conditions;
  if (type) {
    filter(
      'type',
      TYPES[type].map((kind) => KINDS.indexOf(kind)),
    );
  }
  if (stop) filter('isstop', [stop === '2' ? 1 : 0]);
  if (istt === 1) filter('istt', [1]);
  if (ispickup === 1) filter('pickable', [1]);
  return filters;
}

/** The greatest value that is known. */
const MAX_KEY = UNKNOWN_KEY - 1;

function rangeFilters(conditions: NovelConditions, now: number): RangeFilter[] {
  const filters: RangeFilter[] = [];
  const filter = (column: RangeColumn, range: Range | undefined): void => {
    if (range) filters.push({ column, min: range.min ?? 0, max: Math.min(range.max ?? Infinity, MAX_KEY) });
  };
  for (const column of RANGE_FILTERS) filter(column, conditions[column]);
  for (const column of TIME_FILTERS) {
    const range = conditions[column];
    if (range) filter(column, timesOf(range, now));
  }
  if (conditions.ispickup === 1) filter('lastup', { min: Math.ceil(now / 1000) - PICKUP_SECONDS });
  return filters;
}

/** Reads the conditions of a search; `now` is in milliseconds UTC. */
export function planOf(conditions: NovelConditions, now: number): Plan {
  const words = [...new Set(splitWords(conditions.word ?? ''))];
  const ncode = words.length === 1 ? parseNcode(words[0] ?? '') : null;
  return {
    wanted: ncode === null ? words : [],
    unwanted: [...new Set(splitWords(conditions.notword ?? ''))],
    texts: targetMask(conditions),
    keys: keyFilters(conditions, ncode),
    values: valueFilters(conditions),
    ranges: rangeFilters(conditions, now),
  };
}
