import { hashFraction } from './random.ts';
import type { Work } from './works.ts';

/** Length in days of a period that points are counted in. */
export const PERIODS = { daily: 1, weekly: 7, monthly: 30, quarterly: 90, yearly: 365 } as const;

/** For so many days a novel gets points, unless it is evergreen. */
export const READ_DAYS = 1_000;

/** Points a day at an age in days. Only + - * / are used: they give the same bits on every machine, pow does not. */
const appeal = ({ popularity, evergreen }: Work, age: number): number => {
  if (evergreen) return popularity;
  const newness = 1 + 6 / (1 + (age / 45) * (age / 45));
  return (popularity * newness) / (1 + age / 300);
};

/**
 * Points (pt) in a period of days that ends before a Japanese day: an even number, as the site counts two for a
 * bookmark and two to ten for a rating. 0 for a novel that is not there yet, or that nobody reads any more.
 */
export function points(work: Work, days: number, day: number, seed: number): number {
  const age = day - 1 - work.bornDay;
  const first = Math.max(0, age - days + 1);
  const last = work.evergreen ? age : Math.min(age, READ_DAYS);
  if (last < first) return 0;
  const expected = (last - first + 1) * appeal(work, (first + last) / 2);
  // Luck moves the points of a day by a quarter, those of longer periods by less.
  const luck = 0.5 / (1 + days / 10);
  const drawn = hashFraction(seed ^ days, work.index, day) - 0.5;
  return 2 * Math.max(1, Math.round((expected * (1 + luck * drawn)) / 2));
}
