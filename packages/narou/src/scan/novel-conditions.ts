import {
  dateOfDay,
  dayOfDate,
  japanDay,
  japanMidnight,
  japanSeconds,
  weekdayOfDay,
} from '../novels/japan-date.ts';
import { parseNcode } from '../novels/ncode.ts';
import { findOfField } from '../novels/of-fields.ts';
import { FIELD_ROWS, TEXT_TARGETS, codesRead } from '../novels/search-conditions.ts';
import type {
  FieldCondition,
  NovelConditions,
  Range,
  SearchCondition,
  TimeRange,
} from '../novels/search-conditions.ts';
import type { CatalogueNovel } from './catalogue-novel.ts';

type Known = Partial<CatalogueNovel>;
type Test = (novel: Known) => boolean;

const TEXT_FIELDS = { title: 'title', ex: 'story', keyword: 'keyword', wname: 'writer' } as const;

/**
 * The type of a work: short, ongoing or complete serial. `re` is a serial that may be complete or not; undefined:
 * unknown.
 */
export function workType({ noveltype, end }: Known): 't' | 'r' | 'er' | 're' | undefined {
  if (noveltype === 2) return 't';
  if (noveltype !== 1) return undefined;
  return end === undefined ? 're' : end === 1 ? 'r' : 'er';
}

/** The types of works that match each type of a search. */
export const TYPES = { t: ['t'], r: ['r'], er: ['er'], re: ['r', 'er', 're'], ter: ['t', 'er'] } as const;

export const PICKUP_SECONDS = 60 * 86_400;
const PICKUP_LENGTH = 100_000;

/** The condition of `ispickup` beside a recent date. */
export const isPickable = ({ end, length }: Known): boolean =>
  end === 0 || isWithin(length, { min: PICKUP_LENGTH });

/** The words of a search between half- and full-width blanks (and line ends). */
export function splitWords(text: string): string[] {
  return text.split(/[\s\u3000]+/u).filter((word) => word !== '');
}

export const foldText = (text: string): string => text.normalize('NFKC').toLowerCase();

type Text = string | undefined;

/** Whether every word occurs in some text, without case or width folding. */
export const hasEveryWord = (texts: readonly Text[], words: readonly string[]): boolean =>
  words.every((word) => texts.some((text) => text?.includes(word)));

/** Whether all texts are known, and none of the words occurs in any of them. */
export const hasNoWord = (texts: readonly Text[], words: readonly string[]): boolean =>
  texts.every((text) => text !== undefined && !words.some((word) => text.includes(word)));

export const isWithin = (value: number | undefined, { min = -Infinity, max = Infinity }: Range): boolean =>
  value !== undefined && value >= min && value <= max;

const isBetween = (range: TimeRange, now: number): ((date: Text) => boolean) => {
  const times = timesOf(range, now);
  return (date) => isWithin(japanSeconds(date), times);
};

/** The texts that `word` and `notword` are about: those of the given targets, or all. */
export function searchedTexts(conditions: NovelConditions) {
  const given = TEXT_TARGETS.filter((target) => conditions[target] === 1);
  return (given.length === 0 ? TEXT_TARGETS : given).map((target) => TEXT_FIELDS[target]);
}

/** The Ncode that a search has as its only word: then it is of that novel, and not of a text. */
export function ncodeOfWord(text: string): string | null {
  const [only = '', ...others] = splitWords(text);
  return others.length === 0 ? parseNcode(only) : null;
}

function* wordTests(conditions: NovelConditions): Iterable<Test> {
  const fields = searchedTexts(conditions);
  const textsOf = (novel: Known) => fields.map((field) => novel[field]);
  const wantedWords = splitWords(conditions.word ?? '');
  const unwanted = splitWords(conditions.notword ?? '');
  const ncode = ncodeOfWord(conditions.word ?? '');
  if (ncode !== null) yield (novel) => novel.ncode === ncode;
  else if (wantedWords.length > 0) yield (novel) => hasEveryWord(textsOf(novel), wantedWords);
  if (unwanted.length > 0) yield (novel) => hasNoWord(textsOf(novel), unwanted);
}

/** The conditions over one field that a search has. */
export function fieldConditions(conditions: NovelConditions): FieldCondition[] {
  const given = FIELD_ROWS.filter(({ name }) => conditions[name] !== undefined);
  // The value of a row has the type of its kind, which the compiler does not follow through the name. A flag's row has
  // its own.
  return given.map((row) => ({ value: conditions[row.name], ...row }) as FieldCondition);
}

function fieldTest(condition: FieldCondition, now: number): Test {
  switch (condition.operator) {
    case 'oneOf':
    case 'noneOf': {
      const { field, operator } = condition;
      const values: readonly unknown[] = condition.value;
      return ({ [field]: value }) => value !== undefined && values.includes(value) === (operator === 'oneOf');
    }
    case 'someWord':
    case 'noWord': {
      const { field, operator } = condition;
      const words = splitWords(condition.value);
      if (words.length === 0) return () => true;
      return operator === 'noWord'
        ? ({ [field]: text }) => hasNoWord([text], words)
        : ({ [field]: text }) => words.some((word) => text?.includes(word));
    }
    case 'equal':
      return (novel) => novel[condition.field] === condition.value;
    case 'between':
      return (novel) => isWithin(novel[condition.field], condition.value);
    case 'betweenTimes': {
      const isIn = isBetween(condition.value, now);
      return (novel) => isIn(novel[condition.field]);
    }
  }
}

function* testsOf(conditions: NovelConditions, now: number): Iterable<Test> {
  for (const condition of fieldConditions(conditions)) yield fieldTest(condition, now);
  const { type, stop, istt, ispickup } = conditions;
  if (type) yield (novel) => TYPES[type].some((each) => each === workType(novel));
  if (stop) yield (novel) => novel.isstop === (stop === '2' ? 1 : 0);
  if (istt === 1) yield (novel) => novel.istensei === 1 || novel.istenni === 1;
  if (ispickup === 1) {
    const isRecent = isBetween({ min: Math.ceil(now / 1000) - PICKUP_SECONDS }, now);
    yield (novel) => isRecent(novel.general_lastup) && isPickable(novel);
  }
  yield* wordTests(conditions);
}

/**
 * Whether a novel meets all conditions. Words such as `thisweek`, and `ispickup`, are relative to `now` (milliseconds
 * UTC). The rule of `ispickup` is from the manual of novel18api; that of novelapi leaves it open.
 */
export function novelTest(conditions: NovelConditions, now: number): Test {
  const tests = [...testsOf(conditions, now)];
  return (novel) => tests.every((test) => test(novel));
}

/**
 * Judges novels by conditions, each for itself: not for words, which their targets belong to. Undefined: it is not known,
 * since the only conditions that a novel fails read a field that its record lacks.
 */
export function novelJudge(conditions: NovelConditions, now: number): (novel: Known) => boolean | undefined {
  const given = Object.entries(conditions).filter(([, value]) => value !== undefined);
  const judges = given.map(([name, value]) => {
    const isMet = novelTest({ [name]: value }, now);
    const fields = codesRead(name as SearchCondition).flatMap((code) => findOfField(code)?.field ?? []);
    return (novel: Known) =>
      isMet(novel) || (fields.some((field) => novel[field] === undefined) ? undefined : false);
  });
  return (novel) => {
    const verdicts = judges.map((judge) => judge(novel));
    return verdicts.every(Boolean) || (verdicts.includes(false) ? false : undefined);
  };
}

/** The types that a work may have, as far as it is known. */
const possibleTypes = (novel: Known): readonly string[] => {
  const type = workType(novel);
  return type === 're' ? ['r', 'er'] : type === undefined ? Object.keys(TYPES) : [type];
};

/**
 * The novels of which no field contradicts the conditions. A field that a record lacks contradicts nothing; nor does
 * anything contradict words of a text, times relative to the present and `ispickup`, which the upstream reads in its own
 * way.
 */
export function withoutContradictions<Novel extends Known>(
  novels: readonly Novel[],
  conditions: NovelConditions,
): Novel[] {
  const isUnmet = fieldConditions(conditions)
    .filter(({ value }) => typeof value !== 'string')
    .map((condition) => {
      const isMet = fieldTest(condition, 0);
      return (novel: Known) => novel[condition.field] !== undefined && !isMet(novel);
    });
  const { type, stop, istt, word = '' } = conditions;
  const ncode = parseNcode(word.trim());
  if (type) isUnmet.push((novel) => !TYPES[type].some((each) => possibleTypes(novel).includes(each)));
  if (stop) isUnmet.push(({ isstop }) => isstop !== undefined && isstop !== (stop === '2' ? 1 : 0));
  if (istt === 1) isUnmet.push(({ istensei, istenni }) => istensei === 0 && istenni === 0);
  if (ncode !== null) isUnmet.push((novel) => novel.ncode !== undefined && novel.ncode !== ncode);
  return novels.filter((novel) => !isUnmet.some((test) => test(novel)));
}

/** The first day of a month, `back` months before the month of a day. */
const monthStart = (day: number, back: number): number => {
  const [year = '', month = ''] = dateOfDay(day).split('-');
  const months = Number(year) * 12 + Number(month) - 1 - back;
  const text = `${String(Math.floor(months / 12)).padStart(4, '0')}-${String((months % 12) + 1).padStart(2, '0')}-01`;
  return dayOfDate(text) ?? day;
};

/** From the first second of a Japanese day to the last second before another day. */
const days = (from: number, before: number): Range => ({
  min: japanMidnight(from) / 1000,
  max: japanMidnight(before) / 1000 - 1,
});

/** A time range in Unix seconds, at an instant (milliseconds UTC). Weeks begin on Sunday in Japan. */
export function timesOf(range: TimeRange, now: number): Range {
  if (typeof range === 'object') return range;
  const today = japanDay(now);
  const sunday = today - weekdayOfDay(today);
  switch (range) {
    case 'thisweek':
      return days(sunday, sunday + 7);
    case 'lastweek':
      return days(sunday - 7, sunday);
    case 'sevenday':
      return { min: japanMidnight(today - 7) / 1000 };
    case 'thismonth':
      return { min: japanMidnight(monthStart(today, 0)) / 1000 };
    case 'lastmonth':
      return days(monthStart(today, 1), monthStart(today, 0));
  }
}
