import type { RankingType } from '../../catalogue/novels/ranking-date.ts';
import { countBorn, GENERAL, type Life } from './lives.ts';
import { ageAt, DAY, expectedPoints, MONTH, points, QUARTER, WEEK, type Period } from './popularity.ts';

export const RANKING_ROWS = 300;
export const PERIODS: Readonly<Record<RankingType, Period>> = {
  daily: DAY,
  weekly: WEEK,
  monthly: MONTH,
  quarterly: QUARTER,
};

/** One row of a ranking, with the names of the upstream. */
export interface RankingRow {
  readonly ncode: string;
  readonly pt: number;
  readonly rank: number;
}

// A row's weight in one number, so that rows sort fast: more points first, at equal points the older Ncode. An
// index is below 8192.
const INDEX_SPAN = 8192;
const weigh = (pt: number, index: number): number => pt * INDEX_SPAN + (INDEX_SPAN - 1 - index);

/**
 * The ranking published on a Japanese day (the upstream's day: a Tuesday for weekly): 300 rows or as many
 * novels as there were, ranks 1, 2, 3 ... without shared ones although points may tie. `lives` holds at least
 * the novels born by that day. Withdrawn novels are ranked: rankings outlive the novel.
 */
export function makeRanking(
  type: RankingType,
  day: number,
  lives: readonly Life[],
  seed: number,
): RankingRow[] {
  const period = PERIODS[type];
  const weights = new Float64Array(Math.min(countBorn(GENERAL, day), lives.length));
  for (let index = 0; index < weights.length; index += 1) {
    const pt = points(lives[index] as Life, period, day, seed);
    if (pt > 0) weights[index] = weigh(pt, index);
  }
  const top = weights.sort().reverse().subarray(0, RANKING_ROWS);
  return Array.from(
    top.filter((weight) => weight > 0),
    (weight, place) => {
      const index = INDEX_SPAN - 1 - (weight % INDEX_SPAN);
      const { ncode } = lives[index] as Life;
      return { ncode, pt: Math.floor(weight / INDEX_SPAN), rank: place + 1 };
    },
  );
}

/** The novels that can be ranked on some day of a span, those that can get the most points first. */
export interface Contenders {
  readonly indexes: Uint16Array;
  /** What each can get at most, in the same order. */
  readonly most: Float64Array;
  /** With fewer points nobody is ranked on any day of the span. */
  readonly floor: number;
}

/** Least and most points that a novel can get on any day of a span, whatever its luck. */
const bounds = (life: Life, period: Period, first: number, last: number): { least: number; most: number } => {
  const young = Math.max(0, ageAt(life, first));
  const old = ageAt(life, last);
  if (old < 0) return { least: 0, most: 0 };
  // Appeal falls with age and the number of days rises with it: take the best, then the worst of both.
  const days = (age: number): number => Math.min(period.days, age + 1);
  const best = (expectedPoints(life, period, young) / days(young)) * days(old);
  const worst = (expectedPoints(life, period, old) / days(old)) * days(young);
  const everyDay = ageAt(life, first) >= 0;
  return { least: everyDay ? worst * (1 - period.luck) : 0, most: best * (1 + period.luck) };
};

/**
 * Finds the novels that can be among the first 300 on any day of a span. All others certainly are not, since
 * 300 novels get more points on every day of it even with bad luck. This makes a novel's whole history cheap.
 */
export function findContenders(
  type: RankingType,
  first: number,
  last: number,
  lives: readonly Life[],
): Contenders {
  const count = Math.min(countBorn(GENERAL, last), lives.length);
  const least = new Float64Array(count);
  const most = new Float64Array(count);
  for (let index = 0; index < count; index += 1) {
    const bound = bounds(lives[index] as Life, PERIODS[type], first, last);
    least[index] = bound.least;
    most[index] = bound.most;
  }
  // Points are rounded to even numbers: a novel less than 2 below the floor may still tie with it.
  const floor = count < RANKING_ROWS ? 0 : (least.sort()[count - RANKING_ROWS] ?? 0) - 2;
  const mostOf = (index: number): number => most[index] ?? 0;
  const able = Array.from(most.keys()).filter((index) => mostOf(index) > 0 && mostOf(index) >= floor);
  able.sort((a, b) => mostOf(b) - mostOf(a));
  return { indexes: Uint16Array.from(able), most: Float64Array.from(able, mostOf), floor };
}

/** The rank (1 to 300) and points of a contender on a day of the span; null when it is not ranked. */
export function rankOf(
  type: RankingType,
  day: number,
  index: number,
  contenders: Contenders,
  lives: readonly Life[],
  seed: number,
): { pt: number; rank: number } | null {
  const period = PERIODS[type];
  const pt = points(lives[index] as Life, period, day, seed);
  if (pt === 0 || pt < contenders.floor) return null;
  const weight = weigh(pt, index);
  let rank = 1;
  for (let place = 0; place < contenders.indexes.length; place += 1) {
    // Rounding adds less than 2. From here on nobody can get as many points.
    if ((contenders.most[place] ?? 0) + 2 < pt) break;
    const other = contenders.indexes[place] ?? 0;
    if (weigh(points(lives[other] as Life, period, day, seed), other) > weight) rank += 1;
    if (rank > RANKING_ROWS) return null;
  }
  return { pt, rank };
}
