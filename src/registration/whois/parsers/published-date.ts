import type { DateOrder, DateRule } from './registry-dates.ts';
import type { StatedDate } from './stated-date.ts';

const SECONDS_A_DAY = 86_400;
const BUDDHIST_OFFSET = 543;
const DAYS_IN_MONTH = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

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
  if (year < 1970 || year > 9999 || !isDay(year, month, day)) return null;
  const { second } = stated;
  if (second < 0 || (stated.offset === null && second === 0)) return dayText(year, month, day);
  const offset = stated.offset ?? rule.offsetAt(Date.UTC(year, month - 1, day) + second * 1000);
  if (offset === null) return dayText(year, month, day);
  return instantText(year, month, day, second - offset * 60);
}

/** The order of day and month that a date itself shows: a number above 12 is a day. */
export function evidentOrder({ numericOrder, month, day }: StatedDate): DateOrder | null {
  if (!numericOrder) return null;
  return month > 12 ? 'mdy' : day > 12 ? 'dmy' : null;
}

/** An instant from a day and seconds, which may be negative or beyond the day. null if it is in the year 10000. */
function instantText(year: number, month: number, day: number, second: number): string | null {
  if (second >= 0 && second < SECONDS_A_DAY) return `${dayText(year, month, day)}T${timeText(second)}Z`;
  const iso = new Date(Date.UTC(year, month - 1, day) + second * 1000).toISOString();
  return iso.startsWith('+') ? null : `${iso.slice(0, 19)}Z`;
}

function isDay(year: number, month: number, day: number): boolean {
  if (day > (DAYS_IN_MONTH[month - 1] ?? 0)) return false;
  return month !== 2 || day < 29 || new Date(Date.UTC(year, 1, 29)).getUTCDate() === 29;
}

function dayText(year: number, month: number, day: number): string {
  return `${year}-${twoDigits(month)}-${twoDigits(day)}`;
}

function twoDigits(number: number): string {
  return number < 10 ? `0${number}` : `${number}`;
}

function timeText(second: number): string {
  const minutes = Math.floor(second / 60);
  return `${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}:${twoDigits(second % 60)}`;
}

/** Solar Hijri to Gregorian by the 33-year leap cycle, exact for 1343 to 1472 (1964 to 2093). */
function gregorianFromJalali(year: number, month: number, day: number): [number, number, number] {
  const cycles = year - 979;
  const leapDays = Math.floor(cycles / 33) * 8 + Math.floor(((cycles % 33) + 3) / 4);
  const monthDays = month <= 7 ? (month - 1) * 31 : (month - 7) * 30 + 186;
  // 1 Farvardin 979 is 20 March 1600.
  const days = 365 * cycles + leapDays + monthDays + day - 1;
  const date = new Date(Date.UTC(1600, 2, 20) + days * SECONDS_A_DAY * 1000);
  return [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()];
}
