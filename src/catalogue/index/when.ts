import { dateOfDay, dayOfDate, japanDay, japanMidnight, weekdayOfDay } from '../novels/japan-date.ts';
import type { Range, When } from '../novels/novel-query.ts';

/** The first day of the month that lies `back` months before that of a day. */
const monthStart = (day: number, back: number): number => {
  const [year = '', month = ''] = dateOfDay(day).split('-');
  const place = Number(year) * 12 + Number(month) - 1 - back;
  const text = `${String(Math.floor(place / 12)).padStart(4, '0')}-${String((place % 12) + 1).padStart(2, '0')}-01`;
  return dayOfDate(text) ?? day;
};

/** From the first second of a Japanese day to the last before another begins. */
const days = (from: number, before: number): Range => ({
  min: japanMidnight(from) / 1000,
  max: japanMidnight(before) / 1000 - 1,
});

/** The Unix times (seconds) that a span names at an instant (milliseconds UTC). Weeks begin on Sunday in Japan. */
export function timesOf(when: When, now: number): Range {
  if (typeof when === 'object') return when;
  const today = japanDay(now);
  const sunday = today - weekdayOfDay(today);
  switch (when) {
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
