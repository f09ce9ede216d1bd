import { dateOfDay, dayOfDate, japanDay, japanMidnight, weekdayOfDay } from '../novels/japan-date.ts';
import type { Range } from '../index/novel-query.ts';

const monthsBack = (day: number, months: number): number => {
  const [year = '', month = ''] = dateOfDay(day).split('-');
  const place = Number(year) * 12 + Number(month) - 1 - months;
  const text = `${String(Math.floor(place / 12)).padStart(4, '0')}-${String((place % 12) + 1).padStart(2, '0')}-01`;
  return dayOfDate(text) ?? day;
};

/** From the first moment of a Japanese day to the last millisecond before another begins. */
const days = (from: number, before: number): Range => ({
  min: japanMidnight(from),
  max: japanMidnight(before) - 1,
});

/**
 * The span of time that `lastup`, `lastupdate` or `firstup` names, as instants in milliseconds UTC: a word
 * (weeks begin on Sunday in Japan), or two Unix times in seconds. Undefined where the text is neither.
 */
export function readWhen(text: string, now: number): Range | undefined {
  const today = japanDay(now);
  const sunday = today - weekdayOfDay(today);
  switch (text) {
    case 'thisweek':
      return days(sunday, sunday + 7);
    case 'lastweek':
      return days(sunday - 7, sunday);
    case 'sevenday':
      return { min: japanMidnight(today - 7) };
    case 'thismonth':
      return { min: japanMidnight(monthsBack(today, 0)) };
    case 'lastmonth':
      return days(monthsBack(today, 1), monthsBack(today, 0));
  }
  const [, from, to] = /^(\d{1,11})-(\d{1,11})$/.exec(text) ?? [];
  if (from === undefined || to === undefined) return undefined;
  return { min: Number(from) * 1000, max: Number(to) * 1000 };
}
