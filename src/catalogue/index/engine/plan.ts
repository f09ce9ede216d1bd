import { ncodeToNumber, parseNcode } from '../../novels/ncode.ts';
import { TEXT_TARGETS } from '../../novels/novel-query.ts';
import type { NovelConditions, Range, TimeRange } from '../../novels/novel-query.ts';
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
  readonly words: readonly string[];
  readonly excludedWords: readonly string[];
  /** A bit for each of TEXTS to search. */
  readonly textMask: number;
  readonly keys: readonly KeyFilter[];
  readonly values: readonly ValueFilter[];
  readonly ranges: readonly RangeFilter[];
}

export const ALL_TEXTS = 2 ** TEXTS.length - 1;

function textMaskOf(conditions: NovelConditions): number {
  const given = TEXT_TARGETS.filter((target) => conditions[target] === 1);
  if (given.length === 0) return ALL_TEXTS;
  return given.reduce((mask, target) => mask | (1 << TEXTS.indexOf(TEXT_FIELDS[target])), 0);
}

/** Every set of texts that contains all texts of a mask. */
const textSetsWith = (mask: number): number[] =>
  Array.from({ length: ALL_TEXTS + 1 }, (_, texts) => texts).filter((texts) => (texts & mask) === mask);

/** The part of a plan that one condition adds. */
type PlanPart = Partial<Omit<Plan, 'textMask'>>;

const filterByKeys = (column: KeyColumn, values: readonly number[]): PlanPart => ({
  keys: [{ column, values }],
});

const filterByValues = (column: ColumnName, values: readonly number[]): PlanPart => ({
  values: [{ column, values, isWanted: true }],
});

const planOneOf = (column: ColumnName) => (values: readonly number[]) => filterByValues(column, values);
const planFlag = (column: ColumnName, value: 0 | 1) => () => filterByValues(column, [value]);

const planNoneOf =
  (column: ColumnName) =>
  (values: readonly number[]): PlanPart => ({
    values: [{ column, values: [...values, unknownIn(column)], isWanted: false }],
  });

/** The greatest known value. */
const MAX_KEY = UNKNOWN_KEY - 1;

const filterByRange = (column: RangeColumn, { min = 0, max = MAX_KEY }: Range): PlanPart => ({
  ranges: [{ column, min, max: Math.min(max, MAX_KEY) }],
});

const planRange = (column: RangeColumn) => (range: Range) => filterByRange(column, range);
const planTimeRange = (column: RangeColumn) => (range: TimeRange, now: number) =>
  filterByRange(column, timesOf(range, now));

const ncodeNumbers = (ncodes: readonly string[]): number[] =>
  ncodes.filter((code) => parseNcode(code) === code).map(ncodeToNumber);

const distinctWords = (text: string): string[] => [...new Set(splitWords(text))];

function planWord(text: string): PlanPart {
  const words = distinctWords(text);
  const ncode = words.length === 1 ? parseNcode(words[0] ?? '') : null;
  return ncode === null ? { words } : filterByKeys('ncode', ncodeNumbers([ncode]));
}

/** A novel whose text is unknown may have the excluded words. */
function planNotword(text: string, _now: number, conditions: NovelConditions): PlanPart {
  const excludedWords = distinctWords(text);
  if (excludedWords.length === 0) return {};
  return { excludedWords, ...filterByValues('texts', textSetsWith(textMaskOf(conditions))) };
}

const planPickup = (_: 1, now: number): PlanPart => ({
  ...planFlag('pickable', 1)(),
  ...filterByRange('lastup', { min: Math.ceil(now / 1000) - PICKUP_SECONDS }),
});

/** Not `buntai`, which no record has; the text targets only change the plan of words. */
type PlannedCondition = Exclude<keyof NovelConditions, 'buntai' | (typeof TEXT_TARGETS)[number]>;

type Planner<Name extends PlannedCondition> = (
  value: NonNullable<NovelConditions[Name]>,
  now: number,
  conditions: NovelConditions,
) => PlanPart;

const PLANNERS: { readonly [Name in PlannedCondition]: Planner<Name> } = {
  word: planWord,
  notword: planNotword,
  ncode: (codes) => filterByKeys('ncode', ncodeNumbers(codes)),
  userid: (ids) =>
    filterByKeys(
      'userid',
      ids.filter((id) => id !== UNKNOWN_KEY),
    ),
  xid: (ids) =>
    filterByKeys(
      'xid',
      ids.flatMap((id) => xidToNumber(id) ?? []),
    ),
  genre: planOneOf('genre'),
  biggenre: planOneOf('biggenre'),
  nocgenre: planOneOf('nocgenre'),
  notgenre: planNoneOf('genre'),
  notbiggenre: planNoneOf('biggenre'),
  notnocgenre: planNoneOf('nocgenre'),
  isr15: planFlag('isr15', 1),
  isbl: planFlag('isbl', 1),
  isgl: planFlag('isgl', 1),
  iszankoku: planFlag('iszankoku', 1),
  istensei: planFlag('istensei', 1),
  istenni: planFlag('istenni', 1),
  notr15: planFlag('isr15', 0),
  notbl: planFlag('isbl', 0),
  notgl: planFlag('isgl', 0),
  notzankoku: planFlag('iszankoku', 0),
  nottensei: planFlag('istensei', 0),
  nottenni: planFlag('istenni', 0),
  istt: planFlag('istt', 1),
  ispickup: planPickup,
  type: (type) =>
    filterByValues(
      'type',
      TYPES[type].map((kind) => KINDS.indexOf(kind)),
    ),
  stop: (stop) => filterByValues('isstop', [stop === '2' ? 1 : 0]),
  length: planRange('length'),
  time: planRange('time'),
  kaiwaritu: planRange('kaiwaritu'),
  sasie: planRange('sasie'),
  lastup: planTimeRange('lastup'),
  lastupdate: planTimeRange('lastupdate'),
  firstup: planTimeRange('firstup'),
};

const PLANNED = Object.keys(PLANNERS) as PlannedCondition[];

/** The conditions of a local catalogue: the planned ones, and those that change others or the records. */
export const PLANNED_CONDITIONS: ReadonlySet<SearchCondition> = new Set<SearchCondition>([
  ...PLANNED,
  ...TEXT_TARGETS,
  'minlen',
  'maxlen',
  'mintime',
  'maxtime',
  'opt',
]);

function* planParts(conditions: NovelConditions, now: number): Iterable<PlanPart> {
  for (const name of PLANNED) {
    const value = conditions[name];
    // The compiler does not see that the value is of the planner's condition.
    const planner = PLANNERS[name] as Planner<never>;
    if (value !== undefined) yield planner(value as never, now, conditions);
  }
}

/** Reads the conditions of a search; `now` is in milliseconds UTC. */
export function planOf(conditions: NovelConditions, now: number): Plan {
  const parts = [...planParts(conditions, now)];
  return {
    words: parts.flatMap(({ words = [] }) => words),
    excludedWords: parts.flatMap(({ excludedWords = [] }) => excludedWords),
    textMask: textMaskOf(conditions),
    keys: parts.flatMap(({ keys = [] }) => keys),
    values: parts.flatMap(({ values = [] }) => values),
    ranges: parts.flatMap(({ ranges = [] }) => ranges),
  };
}
