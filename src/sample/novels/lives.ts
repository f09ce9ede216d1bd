import { ncodeFromNumber, ncodeToNumber } from '../../catalogue/novels/ncode.ts';
import { dayOfDate, japanDay, japanMidnight } from '../../catalogue/novels/japan-date.ts';
import { Random, hash } from './random.ts';
import { ODD_NOVELS, type OddNovel } from './words/odd-novels.ts';

// The invented world runs on the real calendar: novel 0 appears in January 2007 and a new one every two days
// from then on, whatever the time now. What the catalogue holds is what has appeared by now. So a ranking of
// the past never changes, although the catalogue grows.

/** The rhythm in which novels appear, and where their Ncodes lie. */
interface Rhythm {
  readonly stream: number;
  readonly daysPerNovel: number;
  /**
   * Number of the first Ncode. N0000TA and N0000SA lie years beyond the codes that the site had given out in
   * 2026, so that no invented novel has the code of a real one; the two ranges never meet.
   */
  readonly firstNumber: number;
  readonly numbersPerNovel: number;
  readonly most: number;
}

export const GENERAL: Rhythm = {
  stream: 1,
  daysPerNovel: 2,
  firstNumber: 5_200_000,
  numbersPerNovel: 240,
  most: 7_500,
};
export const ADULT: Rhythm = {
  stream: 2,
  daysPerNovel: 20,
  firstNumber: 4_940_000,
  numbersPerNovel: 240,
  most: 1_000,
};

/** What is settled about a novel on the day it appears, all but its texts. */
export interface Life {
  readonly index: number;
  readonly ncode: string;
  /** First publication, milliseconds UTC. */
  readonly bornAt: number;
  readonly bornDay: number;
  readonly short: boolean;
  /** Days between two episodes. */
  readonly interval: number;
  /** Days for which episodes appear. */
  readonly activeDays: number;
  /** Whether it is complete after those days, or stops for good. */
  readonly completes: boolean;
  /** How popular it is, in points a day once it is no longer new: 100 is common, a few are above 2000. */
  readonly popularity: number;
  /** Ranked, but hidden from search: the catalogue does not hold it. */
  readonly withdrawn: boolean;
}

export const START_DAY = dayOfDate('2007-01-01') ?? 0;
// Authors like full hours, above all in the evening.
const HOURS = [0, 6, 7, 8, 12, 17, 18, 18, 19, 20, 20, 21, 22, 23];
const SHORT_SHARE = 0.28;
const WITHDRAWN_SHARE = 0.02;

const ODD_FIRST_INDEX = 60;
const ODD_EVERY = 37;

/** The awkward novel that stands at an index of the general catalogue, if any. */
export function oddNovelAt(index: number): OddNovel | undefined {
  const place = (index - ODD_FIRST_INDEX) / ODD_EVERY;
  return Number.isInteger(place) ? ODD_NOVELS[place] : undefined;
}

/** How many novels have appeared by a day (the day itself included, whatever the hour). */
export function countBorn(rhythm: Rhythm, day: number): number {
  const born = Math.floor((day - START_DAY) / rhythm.daysPerNovel) + 1;
  return Math.min(Math.max(born, 0), rhythm.most);
}

const ncodeOf = (rhythm: Rhythm, seed: number, index: number): string => {
  const spread = hash(seed, rhythm.stream, index) % rhythm.numbersPerNovel;
  const number = rhythm.firstNumber + index * rhythm.numbersPerNovel + spread;
  // The site gives out no Ncode with the digits 0000.
  if (number % 10_000 === 0) return ncodeFromNumber(spread === 0 ? number + 1 : number - 1);
  return ncodeFromNumber(number);
};

/** The index that a novel with an Ncode would have; whether there is one, and when, is another question. */
export function indexOfNcode(rhythm: Rhythm, ncode: string): number {
  return Math.floor((ncodeToNumber(ncode) - rhythm.firstNumber) / rhythm.numbersPerNovel);
}

// The share of novels above a popularity p falls as 1 / p^2. A square root, since pow is not the same everywhere.
const drawPopularity = (fraction: number): number => 80 / Math.sqrt(fraction + 0.0003);

const makeCommonLife = (rhythm: Rhythm, seed: number, index: number): Life => {
  const random = new Random(seed, 10 + rhythm.stream, index);
  const day = START_DAY + index * rhythm.daysPerNovel + random.int(0, rhythm.daysPerNovel - 1);
  const onTheHour = random.chance(0.45);
  const minutes = onTheHour ? 0 : random.int(0, 59) * 60 + random.int(0, 59);
  const bornAt = japanMidnight(day) + (random.pick(HOURS) * 3600 + minutes) * 1000;
  const short = random.chance(SHORT_SHARE);
  return {
    index,
    ncode: ncodeOf(rhythm, seed, index),
    bornAt,
    bornDay: japanDay(bornAt),
    short,
    interval: random.pick([1, 1, 1, 2, 3, 4, 7, 7, 10, 14]),
    activeDays: short ? 0 : Math.round(120 / (random.fraction() + 0.02)),
    completes: random.chance(0.6),
    popularity: drawPopularity(random.fraction()),
    withdrawn: rhythm.stream === GENERAL.stream && random.chance(WITHDRAWN_SHARE),
  };
};

/** The life of the novel with an index, the same whenever it is asked for. */
export function makeLife(rhythm: Rhythm, seed: number, index: number): Life {
  const life = makeCommonLife(rhythm, seed, index);
  const odd = rhythm.stream === GENERAL.stream ? oddNovelAt(index) : undefined;
  if (odd === undefined) return life;
  if (odd.evergreen !== true) return { ...life, withdrawn: false };
  const evergreen = { short: false, interval: 7, activeDays: 40_000, popularity: 2500 + life.popularity };
  return { ...life, ...evergreen, withdrawn: false };
}
