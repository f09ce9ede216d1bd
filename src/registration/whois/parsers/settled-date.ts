import type { DateRule } from './registry-dates.ts';
import type { StatedDate } from './stated-date.ts';

const MS_DAY = 86_400_000;
const BUDDHIST_OFFSET = 543;

/**
 * A stated date in the form that is published: `YYYY-MM-DDTHH:MM:SSZ` where the instant is known, else
 * `YYYY-MM-DD`. A local time whose zone nobody states gives the day only: a day is never a guess.
 */
export function settleDate(stated: StatedDate, rule: DateRule): string | null {
  let { year, month, day } = stated;
  if (stated.shortYear === true && !rule.shortYears) return null;
  if (stated.numericOrder && (rule.order === 'mdy' || month > 12) && day <= 12) [month, day] = [day, month];
  if (rule.calendar === 'buddhist' && year > 2400) year -= BUDDHIST_OFFSET;
  if (rule.calendar === 'jalali' && year < 1600) [year, month, day] = gregorianFromJalali(year, month, day);
  if (year < 1970 || year > 9999 || month > 12) return null;
  const midnight = Date.UTC(year, month - 1, day);
  if (new Date(midnight).getUTCDate() !== day) return null;
  if (stated.second < 0 || (stated.offset === null && stated.second === 0)) return isoDay(midnight);
  const offset = stated.offset ?? rule.offsetAt(midnight + stated.second * 1000);
  if (offset === null) return isoDay(midnight);
  return isoSecond(midnight + stated.second * 1000 - offset * 60_000);
}

function isoDay(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

function isoSecond(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19)}Z`;
}

/** Solar Hijri to Gregorian by the 33-year leap cycle, exact for 1343 to 1472 (1964 to 2093). */
function gregorianFromJalali(year: number, month: number, day: number): [number, number, number] {
  const cycles = year - 979;
  const leapDays = Math.floor(cycles / 33) * 8 + Math.floor(((cycles % 33) + 3) / 4);
  const monthDays = month <= 7 ? (month - 1) * 31 : (month - 7) * 30 + 186;
  // 1 Farvardin 979 is 21 March 1600.
  const days = 365 * cycles + leapDays + monthDays + day - 1;
  const date = new Date(Date.UTC(1600, 2, 21) + days * MS_DAY);
  return [date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate()];
}
