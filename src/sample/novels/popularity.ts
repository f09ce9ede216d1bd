import type { Life } from './lives.ts';
import { hashFraction } from './random.ts';

// How many points a novel gets. Only +, -, *, / and square roots are used: they give the same bits everywhere, which pow and exp
// do not promise, and a past ranking must never change.

/** Length in days of a ranking period and how far luck moves its points up and down. */
export interface Period {
  readonly days: number;
  readonly luck: number;
}

export const DAY: Period = { days: 1, luck: 0.25 };
export const WEEK: Period = { days: 7, luck: 0.12 };
export const MONTH: Period = { days: 30, luck: 0.06 };
export const QUARTER: Period = { days: 90, luck: 0.04 };
export const YEAR: Period = { days: 365, luck: 0.02 };

const NEWNESS = 6;
const NEWNESS_DAYS = 45;
const FADING_DAYS = 900;
const AFTER_END_DAYS = 400;

/** Points a day at an age, without luck. Never rises with age; `findContenders` counts on that. */
export function dailyAppeal(life: Life, age: number): number {
  const young = age / NEWNESS_DAYS;
  const ended = Math.max(0, age - life.activeDays) / AFTER_END_DAYS;
  const newness = 1 + NEWNESS / (1 + young * young);
  return (life.popularity * newness) / ((1 + age / FADING_DAYS) * (1 + ended));
}

/** Days a novel is old when the ranking of a day is made: that counts the points up to the day before. */
export function ageAt(life: Life, day: number): number {
  return day - 1 - life.bornDay;
}

/** Points in the period that ends before a day, without luck; 0 where the novel is not old enough. */
export function expectedPoints(life: Life, period: Period, age: number): number {
  if (age < 0) return 0;
  return Math.min(period.days, age + 1) * dailyAppeal(life, Math.max(0, age - period.days / 2));
}

/**
 * Points (pt) in the period that ends before a day: an even number, as the site counts two for a bookmark and
 * two to ten for a rating. 0 for a novel that is not there yet, else at least 2.
 */
export function points(life: Life, period: Period, day: number, seed: number): number {
  const expected = expectedPoints(life, period, ageAt(life, day));
  if (expected === 0) return 0;
  const luck = 1 - period.luck + 2 * period.luck * hashFraction(seed ^ period.days, life.index, day);
  return 2 * Math.max(1, Math.round((expected * luck) / 2));
}
