import {
  dateOfDay,
  dayOfDate,
  japanDay,
  japanMidnight,
  japanSeconds,
  weekdayOfDay,
} from '../novels/japan-date.ts';
import { FIELD_ROWS, TEXT_TARGETS } from '../novels/search-conditions.ts';
import type { FieldCondition, NovelConditions, Range, TimeRange } from '../novels/search-conditions.ts';
import type { CatalogueNovel } from './catalogue-novel.ts';

type Known = Partial<CatalogueNovel>;
/** Undefined: it is not known, since the record lacks a field. */
type Test = (novel: Known) => boolean | undefined;

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

function* wordTests(conditions: NovelConditions): Iterable<Test> {
  const fields = searchedTexts(conditions);
  const textsOf = (novel: Known) => fields.map((field) => novel[field]);
  const wantedWords = splitWords(conditions.word ?? '');
  const unwanted = splitWords(conditions.notword ?? '');
  if (wantedWords.length > 0)
    yield (novel) => {
      const texts = textsOf(novel);
      return hasEveryWord(texts, wantedWords) || (texts.includes(undefined) ? undefined : false);
    };
  if (unwanted.length > 0)
    yield (novel) => {
      const texts = textsOf(novel);
      const isFree = hasNoWord(
        texts.filter((text) => text !== undefined),
        unwanted,
      );
      return isFree && (texts.includes(undefined) ? undefined : true);
    };
}

/** The conditions over one field that a search has. */
export function fieldConditions(conditions: NovelConditions): FieldCondition[] {
  const given = FIELD_ROWS.filter(({ name }) => conditions[name] !== undefined);
  // The value of a row has the type of its kind, which the compiler does not follow through the name. A flag's row has
  // its own.
  return given.map((row) => ({ value: conditions[row.name], ...row }) as FieldCondition);
}

function fieldTest(condition: FieldCondition, now: number): (novel: Known) => boolean {
  switch (condition.operator) {
    case 'oneOf':
    case 'noneOf': {
      const { field, operator } = condition;
      const values: readonly unknown[] = condition.value;
      return ({ [field]: value }) => values.includes(value) === (operator === 'oneOf');
    }
    case 'someWord':
    case 'noWord': {
      const { field, operator } = condition;
      const words = splitWords(condition.value);
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

/** The types that a work may have, as far as it is known. */
const possibleTypes = (novel: Known): readonly string[] => {
  const type = workType(novel);
  if (type !== undefined) return type === 're' ? ['r', 'er'] : [type];
  return novel.end === undefined ? ['t', 'r', 'er'] : ['t', novel.end === 1 ? 'r' : 'er'];
};

/** The conditions that the upstream may read in another way than its records show. */
function* disputableTests(conditions: NovelConditions, now: number): Iterable<Test> {
  if (conditions.ispickup === 1) {
    const isRecent = isBetween({ min: Math.ceil(now / 1000) - PICKUP_SECONDS }, now);
    yield ({ general_lastup }) => (general_lastup === undefined ? undefined : isRecent(general_lastup));
    yield (novel) =>
      isPickable(novel) || (novel.end === undefined || novel.length === undefined ? undefined : false);
  }
  yield* wordTests(conditions);
}

/**
 * Judges novels by all conditions. Undefined: it is not known, since conditions that a novel does not fail read fields that
 * its record lacks. Words such as `thisweek`, and `ispickup`, are relative to `now` (milliseconds UTC). The rule of
 * `ispickup` is from the manual of novel18api; that of novelapi leaves it open.
 *
 * Without `now` only by conditions that the upstream cannot read in another way: not by words of a text, times relative
 * to the present and `ispickup`.
 */
export function novelJudge(conditions: NovelConditions, now?: number): Test {
  const { type, stop, istt } = conditions;
  const tests: Test[] = [];
  for (const condition of fieldConditions(conditions)) {
    // Blanks are no words, and so no condition.
    if (typeof condition.value === 'string' && (now === undefined || condition.value.trim() === '')) continue;
    const isMet = fieldTest(condition, now ?? 0);
    tests.push((novel) => (novel[condition.field] === undefined ? undefined : isMet(novel)));
  }
  if (type) {
    const wanted: readonly string[] = TYPES[type];
    tests.push(
      (novel) =>
        wanted.includes(workType(novel) ?? '') ||
        (possibleTypes(novel).some((each) => wanted.includes(each)) ? undefined : false),
    );
  }
  if (stop)
    tests.push(({ isstop }) => (isstop === undefined ? undefined : isstop === (stop === '2' ? 1 : 0)));
  if (istt === 1)
    tests.push(
      ({ istensei, istenni }) =>
        istensei === 1 || istenni === 1 || (istensei === 0 && istenni === 0 ? false : undefined),
    );
  if (now !== undefined) tests.push(...disputableTests(conditions, now));
  return (novel) => {
    let verdict: boolean | undefined = true;
    for (const test of tests) {
      const isMet = test(novel);
      if (isMet === false) return false;
      verdict &&= isMet;
    }
    return verdict;
  };
}

/** Without the novels that certainly do not match, as the upstream reads the conditions. */
export function withoutExcluded<Novel extends Known>(
  novels: readonly Novel[],
  conditions: NovelConditions,
): Novel[] {
  const judge = novelJudge(conditions);
  return novels.filter((novel) => judge(novel) !== false);
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
