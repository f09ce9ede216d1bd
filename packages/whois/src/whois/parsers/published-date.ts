import { lazy } from '../../record/lazy.ts';
import facts from '../data/registry-dates.json' with { type: 'json' };
import { zoneOffset } from './zone-offset.ts';

/** A date as stated, before the registry's order, zone and calendar are applied. */
export interface StatedDate {
  year: number;
  month: number;
  day: number;
  /** Second of the day; -1 without a time. */
  second: number;
  /** Minutes east of UTC; null without a zone, NaN for one that is not known. */
  offset: number | null;
  /** Day and month are two numbers before the year, so their order depends on the registry. */
  numericOrder: boolean;
  /** The year has two digits and no month name is given, so its position depends on the registry. */
  shortYear: boolean;
}

const LONGEST = 80;
/** Of any calendar: the Persian year 1300 is 1921. */
const FIRST_YEAR = 1300;
/** `HH:MM[:SS[.fff]]` */
const TIME = /^(\d{1,2}):(\d\d)(?::(\d\d)(?:[.,]\d+)?)?/;
const TOKEN = /\d+|[\p{L}\p{M}]+|[^\s\p{L}\d]/gu;
/** The hour of a time: a number before a colon. */
const HOUR = /\d+\s*:/;
/** `2003年1月2日`, `2003년 1월 2일`. */
const CJK_MARK = /(\d)\s?[年년月월]\s?(?=\d)/g;
const NUMBER = /^\d+$/;
const SEPARATOR = /^[-/.]$/;
const PACKED = /^(\d{4})(\d\d)(\d\d)(?:(\d\d)(\d\d)(\d\d))?$/;

/** `1:05:00 PM`, `오후 1:05:00`, `午前1:05`: an hour of half a day. */
const HALF_DAY =
  /(午[前後]|[上下]午|오[전후])\s?(\d{1,2})(?=:\d\d)|(\d{1,2})((?::\d\d){1,2}(?:\.\d+)?)\s?([ap])\.?\s?m\b\.?/gi;
const AFTERNOON = /[後下후p]/i;

/** A value with its hours of half a day as hours of a day. */
function inFullDays(value: string): string {
  return value.replace(HALF_DAY, (_, before = '', hourBehind, hourBefore, minutes = '', after = '') => {
    const hour = Number(hourBehind ?? hourBefore);
    const isAfternoon = AFTERNOON.test(`${before}${after}`);
    return `${hour > 12 ? hour : (hour % 12) + (isAfternoon ? 12 : 0)}${minutes}`;
  });
}

/** Hyphens, dashes and minus signs beyond ASCII. */
const DASHES = /[\u2010-\u2015\u2212\uff0d]/g;
/** `before 1 January 1996` (.ch): it is not that day. */
const BOUND = /^\P{L}*(?:before|after|prior to|vor|avant|prima d\p{L}+)\s/iu;
/** A year in which names are registered. */
export const YEAR = /(?<!\d)(?:19[89]\d|20\d\d)(?!\d)/;
const DAY = /(?<!\d)(?:\d{4}([-/.])\d\d\1\d\d|\d\d([-/.])\d\d\2\d{4})(?!\d)/g;

/** Whether a value states another day than one: `2030-01-31 - 2031-01-31`. */
function isAmbiguous(value: string): boolean {
  // `31.01.2031 (2031-01-31)` states one day twice.
  const days = value.match(DAY)?.map((day) => {
    const parts = day.split(/\D/);
    return (parts[0]?.length === 4 ? parts : parts.reverse()).join('-');
  });
  return BOUND.test(value) || new Set(days).size > 1;
}

/** Reads the first date in a value; null without an unambiguous one. */
export function readStatedDate(text: string): StatedDate | null {
  const value = inFullDays(text.slice(0, LONGEST).replace(DASHES, '-'));
  if (isAmbiguous(value)) return null;
  const date = readTokens(value);
  if (date === null) return null;
  const [low, high] = [Math.min(date.month, date.day), Math.max(date.month, date.day)];
  // CentralNic writes `0001-01-01` for "never"; `0000-00-00` is a placeholder.
  if (date.year < FIRST_YEAR || low < 1 || high > 31) return null;
  return date.month > 12 && !(date.numericOrder && date.day <= 12) ? null : date;
}

/** `20300102T030405Z` (ISO 8601). */
const PACKED_TIME = /(?<!\d)(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)/;

function stated(year: number | string, month: number | string, day: number | string): StatedDate {
  return {
    year: Number(year),
    month: Number(month),
    day: Number(day),
    second: -1,
    offset: null,
    numericOrder: false,
    shortYear: false,
  };
}

/** Adds the time, if any, and the zone in the text after it. */
function withTime(date: StatedDate, time: readonly (string | undefined)[], behind: string): StatedDate {
  const [hour, minute, second = 0] = time;
  if (hour === undefined || Number(hour) > 24 || Number(minute) > 59) return date;
  date.second = Number(hour) * 3600 + Number(minute) * 60 + Math.min(Number(second), 59);
  date.offset = zoneOffset(behind);
  return date;
}

/** Reads a date in any form from its numbers, month names and separators, left to right. */
function readTokens(text: string): StatedDate | null {
  const value = text.replace(PACKED_TIME, '$1-$2-$3T$4:$5:$6').replace(CJK_MARK, '$1-');
  const tokens = value.match(TOKEN) ?? [];
  const date = readNumericDate(tokens) ?? readNamedMonth(tokens);
  if (date === null || date.second >= 0) return date;
  const at = value.search(HOUR);
  if (at < 0) return date;
  const [whole = '', ...time] = TIME.exec(value.slice(at)) ?? [];
  return withTime(date, time, value.slice(at + whole.length));
}

/** `12-Jul-2013`, `2nd April, 2001`, `Mar 25 01:57:22 PDT 2009`, `2008-May-06`. */
function readNamedMonth(tokens: readonly string[]): StatedDate | null {
  const month = tokens.map(monthOf).find((number) => number > 0);
  if (month === undefined) return null;
  // Excludes the parts of a time and the hours of a zone.
  const numbers = tokens.filter(
    (token, at) =>
      NUMBER.test(token) && tokens[at - 1] !== ':' && tokens[at + 1] !== ':' && tokens[at - 1] !== '+',
  );
  // `-0300` is a zone: its minus may also separate the parts of a date.
  const long = numbers.find((text) => text.length === 4 && Number(text) >= FIRST_YEAR);
  const [first, second] = numbers.filter(({ length }) => length <= 2);
  const year = long ?? (second === undefined ? undefined : fullYear(second));
  return first === undefined || year === undefined ? null : stated(year, month, first);
}

function fullYear(short: string): string {
  return short.length === 2 ? (short < '70' ? '20' : '19') + short : short;
}

/** `20130814`, `2010. 03. 22.`, `14.07.2000`, `7/31/2019`, after any words and addresses. */
function readNumericDate(tokens: readonly string[]): StatedDate | null {
  for (const [at, first] of tokens.entries()) {
    const packed = PACKED.exec(first);
    const date = packed === null ? readSeparated(tokens.slice(at, at + 5)) : readPacked(packed);
    if (date !== null) return date;
  }
  return null;
}

/** Three numbers with two separators. */
function readSeparated(tokens: readonly string[]): StatedDate | null {
  const [first = '', mark = '', second = '', otherMark = '', third = ''] = tokens;
  if (![first, second, third].every((text) => NUMBER.test(text) && text.length <= 4)) return null;
  if (!SEPARATOR.test(mark) || !SEPARATOR.test(otherMark)) return null;
  if (first.length === 4) return third.length <= 2 ? stated(first, second, third) : null;
  const isYear = third.length === 4 || third.length === 2;
  if (first.length > 2 || second.length > 2 || !isYear) return null;
  const date = stated(fullYear(third), second, first);
  // With dots, the day comes first in every country.
  date.numericOrder = mark !== '.' || date.month > 12;
  date.shortYear = third.length === 2;
  return date;
}

/** `YYYYMMDD`, `YYYYMMDDHHMMSS`. */
function readPacked(packed: RegExpExecArray): StatedDate | null {
  const [, year = '', month = '', day = '', hour, minute, second] = packed;
  const date = stated(year, month, day);
  if (date.year < 1970 || date.month > 12 || date.day > 31) return null;
  if (hour !== undefined) date.second = Number(hour) * 3600 + Number(minute) * 60 + Number(second);
  return date;
}

/** Month names and abbreviations in the registries' languages. */
const MONTHS: ReadonlyMap<string, number> = new Map(
  facts.months.flatMap((names, index) => names.split(' ').map((name) => [name, index + 1] as const)),
);

/** The month's number, 1 to 12; 0 for any other word. */
export function monthOf(word: string): number {
  return word.length < 3 || word.length > 12 ? 0 : (MONTHS.get(word.toLowerCase()) ?? 0);
}

const MS_MINUTE = 60_000;
const MS_DAY = 86_400_000;
const BUDDHIST_OFFSET = 543;

/**
 * The published form of a date: `YYYY-MM-DDTHH:MM:SSZ`, or `YYYY-MM-DD` for a day or a local time without a known zone.
 * null if the date is invalid or ambiguous.
 */
export function toPublishedDate(stated: StatedDate, rule: DateRule): string | null {
  let { year, month, day } = stated;
  if (stated.shortYear && !rule.shortYears) return null;
  if (stated.numericOrder && month !== day) {
    const order = evidentOrder(stated) ?? rule.order;
    if (order === null) return null;
    if (order === 'mdy') [month, day] = [day, month];
  }
  if (rule.calendar === 'buddhist' && year > 2400 && year < 3000) year -= BUDDHIST_OFFSET;
  if (rule.calendar === 'jalali' && year < 1600) [year, month, day] = gregorianFromJalali(year, month, day);
  const date = new Date(Date.UTC(year, month - 1, day));
  if (year < 1970 || year > 9999 || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day)
    return null;
  const { second } = stated;
  const localTime = date.getTime() + second * 1000;
  const isDayAlone = second < 0 || (stated.offset === null && second === 0);
  const offset = isDayAlone ? null : (stated.offset ?? rule.offsetAt(localTime));
  if (offset === null || Number.isNaN(offset)) return date.toISOString().slice(0, 10);
  const instant = new Date(localTime - offset * MS_MINUTE).toISOString();
  // In the year 10000.
  return instant.startsWith('+') ? null : `${instant.slice(0, 19)}Z`;
}

/** The order of day and month that a date itself shows: a number above 12 is a day. */
export function evidentOrder({ numericOrder, month, day }: StatedDate): DateOrder | null {
  if (!numericOrder) return null;
  return month > 12 ? 'mdy' : day > 12 ? 'dmy' : null;
}

/** Solar Hijri to Gregorian by the 33-year leap cycle, exact for 1343 to 1472 (1964 to 2093). */
function gregorianFromJalali(year: number, month: number, day: number): [number, number, number] {
  const cycles = year - 979;
  const leapDays = Math.floor(cycles / 33) * 8 + Math.floor(((cycles % 33) + 3) / 4);
  const monthDays = month <= 7 ? (month - 1) * 31 : (month - 7) * 30 + 186;
  // 1 Farvardin 979 is 20 March 1600.
  const days = 365 * cycles + leapDays + monthDays + day - 1;
  const date = new Date(Date.UTC(1600, 2, 20) + days * MS_DAY);
  return [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()];
}

type DateOrder = 'dmy' | 'mdy';

/** Properties of one registry's dates that its texts do not state. */
export interface DateRule {
  /** Order of two numbers before the year; null if unknown. */
  order: DateOrder | null;
  calendar: 'gregorian' | 'buddhist' | 'jalali';
  /** Years have two digits, as in `16/09/03`. */
  shortYears: boolean;
  /** Minutes east of UTC at a local time (given as if it were UTC, in ms); null where the zone is unknown. */
  offsetAt: (localTime: number) => number | null;
}

/** `31, GMT-03:00`; at Greenwich it may be `GMT` alone. */
const OFFSET = /([+-])(\d\d):(\d\d)/;

/**
 * Minutes east of UTC in a zone with its history of summer times, at a local time given as if it were UTC, in ms. The
 * formatter is created on first use, which takes a thousand times as long as a call.
 */
function offsetIn(timeZone: string): (localTime: number) => number {
  const format = lazy(
    () => new Intl.DateTimeFormat('en-US', { timeZone, day: 'numeric', timeZoneName: 'longOffset' }),
  );
  const offsetAt = (time: number): number => {
    const [, sign, hours = 0, minutes = 0] = OFFSET.exec(format().format(time)) ?? [];
    return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
  };
  return (localTime) => offsetAt(localTime - offsetAt(localTime) * MS_MINUTE);
}

/** A registry that states a zone, or days only, needs no time zone. */
interface DateFacts extends Partial<Omit<DateRule, 'offsetAt'>> {
  timeZone?: string;
}

const NO_RULE: DateRule = { order: null, calendar: 'gregorian', shortYears: false, offsetAt: () => null };
const RULES: ReadonlyMap<string, DateRule> = new Map(
  Object.entries(facts.zones as Readonly<Record<string, DateFacts>>).map(
    ([tld, { timeZone, ...stated }]): [string, DateRule] => [
      tld,
      { ...NO_RULE, ...stated, ...(timeZone !== undefined && { offsetAt: offsetIn(timeZone) }) },
    ],
  ),
);

/** The date rule for a top-level domain in lower case. */
export const dateRuleOf = (tld: string): DateRule => RULES.get(tld) ?? NO_RULE;
