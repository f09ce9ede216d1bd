import { lazy } from '../../record/lazy.ts';
import facts from '../data/registry-dates.json' with { type: 'json' };
import type { StatedDate } from './stated-date.ts';

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
  if (rule.calendar === 'buddhist' && year > 2400) year -= BUDDHIST_OFFSET;
  if (rule.calendar === 'jalali' && year < 1600) [year, month, day] = gregorianFromJalali(year, month, day);
  const date = new Date(Date.UTC(year, month - 1, day));
  if (year < 1970 || year > 9999 || date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day)
    return null;
  const { second } = stated;
  const localTime = date.getTime() + second * 1000;
  const isDayAlone = second < 0 || (stated.offset === null && second === 0);
  const offset = isDayAlone ? null : (stated.offset ?? rule.offsetAt(localTime));
  if (offset === null) return date.toISOString().slice(0, 10);
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
