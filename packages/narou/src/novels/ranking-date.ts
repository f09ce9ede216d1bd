import {
  dateOfDay,
  dayOfDate,
  dayOfMonth,
  japanDay,
  japanMidnight,
  looseDays,
  weekdayOfDay,
} from './japan-date.ts';

/** Ranking periods by the contract's names, with the letter of each in the upstream's `rtype`. */
export const RANKING_LETTERS = { daily: 'd', weekly: 'w', monthly: 'm', quarterly: 'q' } as const;

export type RankingType = keyof typeof RANKING_LETTERS;
export const RANKING_TYPES = Object.keys(RANKING_LETTERS) as RankingType[];

export interface RankingEntry {
  rank: number;
  /** Points in the period. */
  pt: number;
  ncode: string;
}

/** One of several rankings. */
export interface DatedRanking {
  date: string;
  entries: RankingEntry[];
}

/** A ranking that contains a novel. */
export interface RankingHistoryEntry {
  /** Day and period as the upstream names them: `20240409-w` (d daily, w weekly, m monthly, q quarterly). */
  rtype: string;
  rank: number;
  pt: number;
  /** Period and date in the form of the endpoints, which add them: a Monday for weekly. */
  type?: RankingType;
  date?: string;
}

/** Entries of a whole ranking (seen in recorded answers). */
export const MAX_RANKS = 300;

/** A list is doubtful if it has fewer entries than this part of a list of its type. */
const MIN_PART = 0.75;

/** The length of a list, and a sum over its entries that is the same for equal lists. */
export interface ListFacts {
  readonly count: number;
  readonly sum: number;
}

/**
 * Whether a list equals another one of its type, or has fewer entries than those of `measure`: they are full, or much
 * longer. A tenth of them may be cut themselves.
 */
export function isDoubtfulList(
  { count, sum }: ListFacts,
  others: readonly ListFacts[],
  measure: readonly ListFacts[] = others,
): boolean {
  if (others.some((other) => other.sum === sum)) return true;
  const counts = measure.map((other) => other.count).sort((a, b) => a - b);
  const usual = counts[Math.floor(counts.length / 10)] ?? 0;
  return count < (usual === MAX_RANKS ? usual : usual * MIN_PART);
}

/** The upstream has no ranking before this date (manual of rankget). */
export const FIRST_RANKING_DATE = '2013-05-01';

const HOUR_MS = 3_600_000;

/** The upstream creates the daily ranking between 04:00 and 07:00 Japan time (manual of rankget). */
export const PUBLICATION_HOURS = { from: 4, to: 7 } as const;

const FIRST_DAY = dayOfDate(FIRST_RANKING_DATE) ?? 0;
const MONDAY = 1;

/**
 * Days from the contract's date to the upstream's. The contract names a week by its Monday; the upstream publishes
 * that week's ranking under the Tuesday and rejects every other day. This is the only place of this rule.
 */
const UPSTREAM_SHIFT: Record<RankingType, number> = { daily: 0, weekly: 1, monthly: 0, quarterly: 0 };

const isValidDay = (type: RankingType, day: number): boolean => {
  if (day < FIRST_DAY) return false;
  if (type === 'daily') return true;
  if (type === 'weekly') return weekdayOfDay(day) === MONDAY;
  return dayOfMonth(day) === 1;
};

/** Whether the upstream publishes a ranking on a day in Japan: any day, Tuesdays, or the first of a month. */
export const isPublicationDay = (type: RankingType, day: number): boolean =>
  isValidDay(type, day - UPSTREAM_SHIFT[type]);

/** The last valid date at or before `day` (`step` -1), or the first at or after it (`step` 1). */
const nearestDate = (type: RankingType, day: number, step: 1 | -1): string | null => {
  let candidate = step > 0 ? Math.max(day, FIRST_DAY) : day;
  // A month has at most 31 days, so 31 steps always reach a Monday or a first.
  for (let steps = 0; steps <= 31 && candidate >= FIRST_DAY; steps += 1, candidate += step) {
    if (isValidDay(type, candidate)) return dateOfDay(candidate);
  }
  return null;
};

/** The day (in Japan) on which the ranking of a valid date is published. */
export const publicationDay = (type: RankingType, date: string): number =>
  (dayOfDate(date) ?? 0) + UPSTREAM_SHIFT[type];

/**
 * The state of a ranking at an instant (milliseconds UTC). `storing`: the upstream is creating it (04:00 to 07:00 in
 * Japan on its day), so it may exist or not. `date` is a valid date in the contract's form.
 */
export function rankingPublication(
  type: RankingType,
  date: string,
  now: number,
): 'published' | 'storing' | 'future' {
  const hours = (now - japanMidnight(publicationDay(type, date))) / HOUR_MS;
  if (hours >= PUBLICATION_HOURS.to) return 'published';
  return hours >= PUBLICATION_HOURS.from ? 'storing' : 'future';
}

/** A ranking that is late by less than this counts as not published yet. */
const LATE_MS = 24 * HOUR_MS;

/** Whether a ranking was due a day ago, so that its absence is a fault. */
export const isOverdue = (type: RankingType, date: string, now: number): boolean =>
  rankingPublication(type, date, now - LATE_MS) === 'published';

/**
 * The date (contract's form, a Monday for weekly) of the newest ranking that may exist at an instant. From 04:00 to
 * 07:00 in Japan it may still be missing: then `rankingDateBefore` returns the fallback.
 */
export function newestRankingDate(type: RankingType, now: number): string {
  const day = japanDay(now - PUBLICATION_HOURS.from * HOUR_MS) - UPSTREAM_SHIFT[type];
  return nearestDate(type, day, -1) ?? nearestDate(type, FIRST_DAY, 1) ?? FIRST_RANKING_DATE;
}

/** The date of the newest ranking that must be published at an instant. */
export function newestPublishedDate(type: RankingType, now: number): string {
  const newest = newestRankingDate(type, now);
  const isThere = rankingPublication(type, newest, now) === 'published';
  return isThere ? newest : (rankingDateBefore(type, newest) ?? newest);
}

/** The date of the ranking before that of a valid date; null before the first. Both in the contract's form. */
export function rankingDateBefore(type: RankingType, date: string): string | null {
  return nearestDate(type, (dayOfDate(date) ?? FIRST_DAY) - 1, -1);
}

/** The date of the first ranking after a day (`YYYY-MM-DD`), published or not; null if there is none. */
export function rankingDateAfter(type: RankingType, date: string): string | null {
  return nearestDate(type, (dayOfDate(date) ?? FIRST_DAY) + 1, 1);
}

/** The last day (`YYYY-MM-DD`) before the date of the next ranking after a valid date. */
export function dayBeforeNextRanking(type: RankingType, date: string): string {
  const day = dayOfDate(date) ?? FIRST_DAY;
  return dateOfDay((dayOfDate(rankingDateAfter(type, date) ?? '') ?? day + 1) - 1);
}

/** The dates (contract's form) of the rankings between two days, both included, up to the newest ranking. */
export function rankingDatesBetween(type: RankingType, from: string, to: string, now: number): string[] {
  const end = Math.min(dayOfDate(to) ?? 0, dayOfDate(newestRankingDate(type, now)) ?? 0);
  const dates: string[] = [];
  for (let day = Math.max(dayOfDate(from) ?? FIRST_DAY, FIRST_DAY); day <= end; day++) {
    if (isValidDay(type, day)) dates.push(dateOfDay(day));
  }
  return dates;
}

type RankingDateCheck =
  | { valid: true; date: string }
  | { valid: false; fault: 'malformed' | 'wrong_day' | 'too_early'; nearest: string[] };

/**
 * Checks a `date` parameter: `YYYY-MM-DD`, a Monday for weekly, the first of a month for monthly and quarterly, not
 * before 2013-05-01. A valid date may lie in the future; see `rankingPublication`. `nearest` has one or two valid
 * dates in order, none newer than the newest ranking: the neighbours of the given date if it can be parsed
 * (`2024-02-30`, `2024/4/9`, `20240409`), else the newest.
 */
export function checkRankingDate(type: RankingType, text: string, now: number): RankingDateCheck {
  const day = dayOfDate(text);
  if (day !== null && isValidDay(type, day)) return { valid: true, date: text };
  const fault = day === null ? 'malformed' : day < FIRST_DAY ? 'too_early' : 'wrong_day';
  const newest = newestRankingDate(type, now);
  const read = day === null ? looseDays(text) : ([day, day] as const);
  if (read === null) return { valid: false, fault, nearest: [newest] };
  const notAfterNewest = (near: number) => Math.min(near, dayOfDate(newest) ?? FIRST_DAY);
  const around = [
    nearestDate(type, notAfterNewest(read[0]), -1),
    nearestDate(type, notAfterNewest(read[1]), 1),
  ].filter((date) => date !== null);
  return { valid: false, fault, nearest: [...new Set(around)] };
}

/** The upstream's `rtype` of a ranking that it publishes on a day (in Japan): `20240409-w`. */
export const rtypeOfDay = (type: RankingType, day: number): string =>
  `${dateOfDay(day).replaceAll('-', '')}-${RANKING_LETTERS[type]}`;

/** The upstream's `rtype` of a ranking: weekly 2024-04-08 (a Monday) -> `20240409-w`. `date` must be valid. */
export const toRtype = (type: RankingType, date: string): string =>
  rtypeOfDay(type, publicationDay(type, date));

/** The inverse: `20240409-w` -> weekly, 2024-04-08. Null if the upstream has no such `rtype`. */
export function fromRtype(rtype: string): { type: RankingType; date: string } | null {
  const parts = /^(\d{4})(\d\d)(\d\d)-([dwmq])$/.exec(rtype);
  const type = RANKING_TYPES.find((each) => RANKING_LETTERS[each] === parts?.[4]);
  if (parts === null || type === undefined) return null;
  const upstreamDay = dayOfDate(`${parts[1] ?? ''}-${parts[2] ?? ''}-${parts[3] ?? ''}`);
  if (upstreamDay === null) return null;
  const day = upstreamDay - UPSTREAM_SHIFT[type];
  return isValidDay(type, day) ? { type, date: dateOfDay(day) } : null;
}
