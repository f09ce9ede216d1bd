import type { RankingEntry } from 'mokuroku-client/source';
import { FIRST_RANKING_DATE, checkRankingDate, newestPublishedDate, rankingDateAfter } from '@mokuroku/narou';
import type { RankingType } from '@mokuroku/narou';

/**
 * The newest ranking to offer: the service's newest, or the one that is certainly published at this instant
 * (milliseconds UTC), whichever is later.
 */
export function newestOffered(type: RankingType, served: string | null, now: number): string {
  const certain = newestPublishedDate(type, now);
  return served !== null && served > certain ? served : certain;
}

/** `prefix` with each number up to `last`, in two digits. */
const numbered = (prefix: string, last: number): string[] =>
  Array.from({ length: last }, (_, index) => `${prefix}-${String(index + 1).padStart(2, '0')}`);

/** Every valid date of a type in a month (`YYYY-MM`) up to `newest`; ascending. */
const datesOfMonth = (type: RankingType, month: string, newest: string): string[] =>
  numbered(month, 31).filter((date) => date <= newest && checkRankingDate(type, date, 0).valid);

/** The months (`YYYY-MM`) of a year with a valid date; ascending. */
const monthsOfYear = (type: RankingType, year: string, newest: string): string[] =>
  numbered(year, 12).filter((month) => datesOfMonth(type, month, newest).length > 0);

/** The years from the newest ranking back to the first. */
function yearsUntil(newest: string): number[] {
  const first = Number(FIRST_RANKING_DATE.slice(0, 4));
  const last = Number(newest.slice(0, 4));
  return Array.from({ length: last - first + 1 }, (_, index) => last - index);
}

/**
 * The valid date for a selection (`YYYY-MM-DD`, possibly a nonexistent day): the last one of its month that is not
 * later, else the month's first; limited to the first and the newest ranking.
 */
export function nearestOffered(type: RankingType, wish: string, newest: string): string {
  const dates = datesOfMonth(type, wish.slice(0, 7), newest);
  const nearest = dates.findLast((date) => date <= wish) ?? dates[0];
  if (nearest !== undefined) return nearest;
  return wish < newest ? (nextOffered(type, '2013-04-30', newest) ?? newest) : newest;
}

/** One select of a ranking's date. */
export interface DatePart {
  name: 'year' | 'month' | 'week' | 'day';
  value: string;
  /** Each value with its year, month or day of the month. */
  options: (readonly [value: string, number: number])[];
  /** The date (`YYYY-MM-DD`, possibly a nonexistent day) for a selected value. */
  dateOf: (chosen: string) => string;
}

/** The selects of a valid date, with valid dates only. */
export function datePartsOf(type: RankingType, date: string, newest: string): DatePart[] {
  const [year = '', month = '', day = ''] = date.split('-');
  const parts: DatePart[] = [
    {
      name: 'year',
      value: year,
      options: yearsUntil(newest).map((each) => [String(each), each]),
      dateOf: (chosen) => `${chosen}-${month}-${day}`,
    },
    {
      name: 'month',
      value: `${year}-${month}`,
      options: monthsOfYear(type, year, newest).map((each) => [each, Number(each.slice(5))]),
      dateOf: (chosen) => `${chosen}-${day}`,
    },
  ];
  if (type !== 'daily' && type !== 'weekly') return parts;
  const options = datesOfMonth(type, `${year}-${month}`, newest).map(
    (each) => [each, Number(each.slice(8))] as const,
  );
  return [...parts, { name: type === 'weekly' ? 'week' : 'day', value: date, options, dateOf: String }];
}

/** The date of the next ranking; null if it would be newer than the newest. */
export function nextOffered(type: RankingType, date: string, newest: string): string | null {
  const next = rankingDateAfter(type, date);
  return next !== null && next <= newest ? next : null;
}

/** Movement since the previous ranking: ranks gained (negative: lost), or `entered` if it was not ranked. */
export type Movement = number | 'entered';

/** Movements of all novels on `board`, by Ncode. */
export function movementsOf(
  board: readonly RankingEntry[],
  before: readonly RankingEntry[],
): ReadonlyMap<string, Movement> {
  const earlier = new Map(before.map(({ ncode, rank }) => [ncode, rank]));
  return new Map(
    board.map(({ ncode, rank }): [string, Movement] => {
      const was = earlier.get(ncode);
      return [ncode, was === undefined ? 'entered' : was - rank];
    }),
  );
}
