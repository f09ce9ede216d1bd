import { dayOfDate } from '../novels/japan-date.ts';
import { FIRST_RANKING_DATE, RANKING_TYPES, isPublicationDay, rtypeOfDay } from '../novels/ranking-date.ts';
import type { RankingEntry, RankingHistoryEntry, RankingType } from '../novels/ranking-date.ts';
import { bisect } from '../scan/bisect.ts';
import { hashFraction } from './random.ts';
import type { Work } from './works.ts';

/** Days of each period of points. */
export const PERIODS = { daily: 1, weekly: 7, monthly: 30, quarterly: 90, yearly: 365 } as const;

/** Number of days for which a novel gets points if it is not evergreen. */
const READ_DAYS = 1_000;
const ROWS = 300;
const FIRST_DAY = dayOfDate(FIRST_RANKING_DATE) ?? 0;

/** Points per day at an age in days. Uses only + - * /, which give the same bits on every machine; pow does not. */
const appeal = ({ popularity, evergreen }: Work, age: number): number =>
  evergreen ? popularity : (popularity * (1 + 6 / (1 + (age / 45) * (age / 45)))) / (1 + age / 300);

/**
 * Points (pt) in a period of days that ends before a Japanese day. Always even, as the site counts two for a bookmark
 * and two to ten for a rating. 0 for a novel that has not appeared yet or is no longer read.
 */
export function points(work: Work, days: number, day: number, seed: number): number {
  const age = day - 1 - work.bornDay;
  const first = Math.max(0, age - days + 1);
  const last = work.evergreen ? age : Math.min(age, READ_DAYS);
  if (last < first) return 0;
  const expected = (last - first + 1) * appeal(work, (first + last) / 2);
  // Chance changes the points of a day by a quarter, those of longer periods by less.
  const luck = 0.5 / (1 + days / 10);
  const drawn = hashFraction(seed ^ days, work.index, day) - 0.5;
  return 2 * Math.max(1, Math.round((expected * (1 + luck * drawn)) / 2));
}

/**
 * The top 300 of all works, ranks 1, 2, 3 ...; equal points are sorted by Ncode. Withdrawn novels are included, since
 * rankings outlive novels.
 */
export function sampleRankingOf(
  works: readonly Work[],
  type: RankingType,
  day: number,
  seed: number,
): RankingEntry[] {
  return works
    .map((work) => ({ work, pt: points(work, PERIODS[type], day, seed) }))
    .filter(({ pt }) => pt > 0)
    .sort((a, b) => b.pt - a.pt || a.work.index - b.work.index)
    .slice(0, ROWS)
    .map(({ work, pt }, index) => ({ rank: index + 1, pt, ncode: work.fixed.ncode }));
}

/** Works that may have points in a period: evergreen ones, and those that are not too old. */
function* readWorks(works: readonly Work[], evergreen: readonly Work[], days: number, day: number) {
  for (const work of evergreen) if (work.bornDay < day) yield work;
  // Works are sorted by birth.
  const first = bisect(works.length, (at) => (works[at]?.bornDay ?? Infinity) < day - READ_DAYS - days);
  for (let index = first; index < works.length; index += 1) {
    const work = works[index];
    if (work === undefined || work.bornDay >= day) return;
    if (!work.evergreen) yield work;
  }
}

/** Every ranking that contains a novel, by `rtype`, up to and including a day. */
export function historyOf(
  work: Work,
  works: readonly Work[],
  until: number,
  seed: number,
): RankingHistoryEntry[] {
  const rows: RankingHistoryEntry[] = [];
  const evergreen = works.filter((work) => work.evergreen);
  const last = work.evergreen ? until : Math.min(until, work.bornDay + READ_DAYS + PERIODS.yearly + 1);
  for (let day = Math.max(FIRST_DAY, work.bornDay + 1); day <= last; day += 1) {
    for (const type of RANKING_TYPES) {
      const pt = isPublicationDay(type, day) ? points(work, PERIODS[type], day, seed) : 0;
      if (pt === 0) continue;
      let rank = 1;
      for (const other of readWorks(works, evergreen, PERIODS[type], day)) {
        const theirs = points(other, PERIODS[type], day, seed);
        if (theirs > pt || (theirs === pt && other.index < work.index)) rank += 1;
        if (rank > ROWS) break;
      }
      if (rank <= ROWS) rows.push({ rtype: rtypeOfDay(type, day), rank, pt });
    }
  }
  return rows.sort((a, b) => (a.rtype < b.rtype ? -1 : 1));
}
