import { ncodeToNumber, parseNcode } from '@mokuroku/narou';
import { ADULT_NOVEL_CONDITIONS, NOVEL_CONDITIONS } from '@mokuroku/narou/queries';
import type { FieldCondition, NovelConditions, Range, SearchCondition } from '@mokuroku/narou/queries';
import {
  PICKUP_SECONDS,
  TYPES,
  UNKNOWN_KEY,
  fieldConditions,
  searchedTexts,
  splitWords,
  timesOf,
} from '@mokuroku/narou/scan';
import { KINDS, isKeyColumn, unknownIn, xidToNumber } from './columns.ts';
import type { ColumnName, KeyColumn } from './columns.ts';
import { TEXTS } from './layout.ts';
import type { RangeColumn } from './orders.ts';

/** Ids with one of some values, or with another known value. */
export interface ValueFilter<Column extends ColumnName = ColumnName> {
  readonly column: Column;
  readonly values: readonly number[];
  readonly isWanted: boolean;
}

/** Ids whose value lies between two, both included. */
export interface RangeFilter {
  readonly column: RangeColumn;
  readonly min: number;
  readonly max: number;
}

/** Ids with at least one of some words in some texts, or with none. */
export interface WordFilter {
  readonly words: readonly string[];
  readonly textMask: number;
  readonly isWanted: boolean;
}

/** A query in the numbers of the index. */
export interface Plan {
  readonly words: readonly string[];
  readonly wordFilters: readonly WordFilter[];
  /** A bit for each text to search. */
  readonly textMask: number;
  readonly values: readonly ValueFilter[];
  readonly ranges: readonly RangeFilter[];
}

/** All of TEXTS, not their folded forms. */
export const ALL_TEXTS = 2 ** TEXTS.length - 1;

const textMaskOf = (conditions: NovelConditions): number =>
  searchedTexts(conditions).reduce((mask, text) => mask | (1 << TEXTS.indexOf(text)), 0);

/** Every set of texts that contains all texts of a mask. */
const textSetsWith = (mask: number): number[] =>
  Array.from({ length: ALL_TEXTS + 1 }, (_, texts) => texts).filter((texts) => (texts & mask) === mask);

/** The part of a plan that one condition adds. */
type PlanPart = Partial<Omit<Plan, 'textMask'>>;

const filterByValues = (column: ColumnName, values: readonly number[]): PlanPart => ({
  values: [{ column, values, isWanted: true }],
});

/** The greatest known value. */
const MAX_KEY = UNKNOWN_KEY - 1;

const filterByRange = (column: RangeColumn, { min = 0, max = MAX_KEY }: Range): PlanPart => ({
  ranges: [{ column, min, max: Math.min(max, MAX_KEY) }],
});

/** The number of an id or code in a column; undefined if no record can have it. */
function keyOf(column: KeyColumn, key: string | number): number | undefined {
  if (typeof key === 'number') return key === UNKNOWN_KEY ? undefined : key;
  if (column === 'xid') return xidToNumber(key);
  return parseNcode(key) === key ? ncodeToNumber(key) : undefined;
}

const distinctWords = (text: string): string[] => [...new Set(splitWords(text))];

/** A novel whose text is unknown may have the excluded words. */
function filterByWords(text: string, textMask: number, isWanted: boolean): PlanPart {
  const words = distinctWords(text);
  if (words.length === 0) return {};
  const wordFilters = [{ words, textMask, isWanted }];
  return isWanted ? { wordFilters } : { wordFilters, ...filterByValues('texts', textSetsWith(textMask)) };
}

/** A novel whose field is unknown satisfies no condition over it. */
function planField(condition: FieldCondition, now: number): PlanPart {
  switch (condition.operator) {
    case 'oneOf': {
      const { field, value } = condition;
      if (field === 'buntai') return {};
      const numberOf = (key: string | number) => (isKeyColumn(field) ? keyOf(field, key) : Number(key));
      return filterByValues(
        field,
        value.flatMap((key) => numberOf(key) ?? []),
      );
    }
    case 'noneOf': {
      const { field: column, value } = condition;
      return { values: [{ column, values: [...value, unknownIn(column)], isWanted: false }] };
    }
    case 'equal':
      return filterByValues(condition.field, [condition.value]);
    case 'between':
      return filterByRange(condition.field, condition.value);
    case 'betweenTimes':
      return filterByRange(condition.field, timesOf(condition.value, now));
    case 'someWord':
    case 'noWord': {
      const { field, operator, value } = condition;
      return filterByWords(value, 1 << TEXTS.indexOf(field), operator === 'someWord');
    }
  }
}

const planPickup = (now: number): PlanPart => ({
  ...filterByValues('pickable', [1]),
  ...filterByRange('general_lastup', { min: Math.ceil(now / 1000) - PICKUP_SECONDS }),
});

/** The conditions of a local catalogue: all but `buntai`, which no record has. */
export const PLANNED_CONDITIONS: ReadonlySet<SearchCondition> = new Set(
  [...NOVEL_CONDITIONS, ...ADULT_NOVEL_CONDITIONS].filter((name) => name !== 'buntai'),
);

function* planParts(conditions: NovelConditions, now: number): Iterable<PlanPart> {
  const { word, notword, istt, ispickup, type, stop } = conditions;
  if (word !== undefined) yield { words: distinctWords(word) };
  if (notword !== undefined) yield filterByWords(notword, textMaskOf(conditions), false);
  for (const condition of fieldConditions(conditions)) yield planField(condition, now);
  if (istt) yield filterByValues('istt', [1]);
  if (ispickup) yield planPickup(now);
  if (type)
    yield filterByValues(
      'type',
      TYPES[type].map((kind) => KINDS.indexOf(kind)),
    );
  if (stop) yield filterByValues('isstop', [stop === '2' ? 1 : 0]);
}

/** Reads the conditions of a search; `now` is in milliseconds UTC. */
export function planOf(conditions: NovelConditions, now: number): Plan {
  const parts = [...planParts(conditions, now)];
  return {
    words: parts.flatMap(({ words = [] }) => words),
    wordFilters: parts.flatMap(({ wordFilters = [] }) => wordFilters),
    textMask: textMaskOf(conditions),
    values: parts.flatMap(({ values = [] }) => values),
    ranges: parts.flatMap(({ ranges = [] }) => ranges),
  };
}
