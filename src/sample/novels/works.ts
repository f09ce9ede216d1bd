import { dayOfDate, japanDay, japanMidnight } from '../../catalogue/novels/japan-date.ts';
import { ncodeFromNumber, ncodeToNumber } from '../../catalogue/novels/ncode.ts';
import { ODD_NOVELS } from './odd-ones.ts';
import { createRandom } from './random.ts';
import type { Random } from './random.ts';
import { makeKeyword, makeStory, makeTitle } from './texts.ts';
import type { Flags, Setting } from './texts.ts';
import { chooseAuthor, nameAt, useridAt } from './users.ts';

// The invented catalogue runs on the real calendar: novel 0 appears in January 2007 and a new one every two days from
// then on, whatever the time now. So what was there on a day of the past never changes, although the catalogue grows.

export const START_DAY = dayOfDate('2007-01-01') ?? 0;

/** A population of novels: how fast it grows, and where its Ncodes lie. */
interface Population {
  readonly adult: boolean;
  readonly daysPerNovel: number;
  /**
   * N0000TA and N0000SA lie years beyond the codes that the site had given out in 2026, so that no invented novel has
   * the code of a real one; the two ranges never meet, and no code has the digits 0000.
   */
  readonly firstNumber: number;
  readonly most: number;
}

export const GENERAL: Population = { adult: false, daysPerNovel: 2, firstNumber: 5_200_003, most: 7_500 };
export const ADULT: Population = { adult: true, daysPerNovel: 20, firstNumber: 4_940_003, most: 1_000 };
const NCODE_STEP = 241;

/** All about a novel that never changes. Dates are instants in milliseconds UTC, or days in Japan. */
export interface Work {
  readonly index: number;
  readonly ncode: string;
  readonly userid: number;
  readonly writer: string;
  readonly xid: string;
  readonly title: string;
  readonly story: string;
  readonly keyword: string;
  readonly genre: number;
  readonly nocgenre: number;
  readonly flags: Flags;
  readonly bornAt: number;
  readonly bornDay: number;
  readonly short: boolean;
  /** Days between two episodes, and for how many days they appear. */
  readonly interval: number;
  readonly activeDays: number;
  /** Whether it is complete after those days, or stops for good. */
  readonly completes: boolean;
  /** Points a day once it is no longer new: 100 is common, 1 for those that nobody finds. */
  readonly popularity: number;
  readonly evergreen: boolean;
  /** Ranked, but hidden from search: the catalogue does not hold it. */
  readonly withdrawn: boolean;
  readonly buntai: number;
  readonly kaiwaritu: number;
  readonly sasie_cnt: number;
  /** Characters of an episode, on average. */
  readonly episodeLength: number;
  /** Share of points that come from bookmarks rather than from ratings. */
  readonly bookmarkShare: number;
}

const times = (count: number, ...codes: number[]) =>
  codes.flatMap((code) => new Array<number>(count).fill(code));
/** Genres by how often they are written. */
const GENRES = [
  ...times(24, 201),
  ...times(18, 101),
  ...times(8, 102, 202, 302),
  ...times(4, 301, 305, 307, 9903, 9999),
  ...times(2, 303, 304, 306, 401, 403, 9901, 9902, 9801),
  ...times(1, 0, 402, 404, 9904),
];
const SETTINGS: Readonly<Record<Setting, readonly number[]>> = {
  elsewhere: [101, 201, 202, 303, 306, 307, 401, 402, 403, 404, 9904],
  here: [102, 302, 304, 305],
  quiet: [0, 301, 9801, 9901, 9902, 9903, 9999],
  adult: [],
};
const settingOf = (genre: number): Setting =>
  (Object.keys(SETTINGS) as Setting[]).find((setting) => SETTINGS[setting].includes(genre)) ?? 'quiet';

// Authors like full hours, above all in the evening.
const HOURS = [0, 6, 7, 8, 12, 17, 18, 18, 19, 20, 20, 21, 22, 23];

/** How many novels have appeared by a day (the day itself included, whatever the hour). */
export function countBorn({ daysPerNovel, most }: Population, day: number): number {
  return Math.min(Math.max(Math.floor((day - START_DAY) / daysPerNovel) + 1, 0), most);
}

/** The index that a novel with an Ncode would have; whether there is one, and when, is another question. */
export function indexOfNcode({ firstNumber }: Population, ncode: string): number {
  return (ncodeToNumber(ncode) - firstNumber) / NCODE_STEP;
}

/** When it appears, and how it goes on. */
const makeLife = ({ daysPerNovel }: Population, index: number, random: Random) => {
  const day = START_DAY + index * daysPerNovel + random.int(0, daysPerNovel - 1);
  const seconds = random.chance(0.45) ? 0 : random.int(0, 3599);
  const bornAt = japanMidnight(day) + (random.pick(HOURS) * 3600 + seconds) * 1000;
  const short = random.chance(0.28);
  return {
    bornAt,
    bornDay: japanDay(bornAt),
    short,
    interval: random.pick([1, 1, 1, 2, 3, 4, 7, 7, 10, 14]),
    activeDays: short ? 0 : Math.round(120 / (random.fraction() + 0.02)),
    completes: random.chance(0.6),
    // The share of novels above a popularity p falls as 1 / p^2.
    popularity: random.chance(0.3) ? 1 : 80 / Math.sqrt(random.fraction() + 0.0003),
  };
};

const makeFlags = (genre: number, nocgenre: number, index: number, random: Random): Flags => {
  const flag = (probability: number): 0 | 1 => (random.chance(probability) ? 1 : 0);
  const isElsewhere = settingOf(genre) === 'elsewhere';
  const isNthAdult = (place: number) => (nocgenre !== 0 && index % 11 === place ? 1 : 0);
  return {
    isr15: nocgenre === 0 ? flag(0.33) : 0,
    isbl: nocgenre === 3 ? 1 : flag(0.04),
    isgl: flag(0.05),
    iszankoku: flag(0.28),
    istensei: isElsewhere ? flag(0.3) : isNthAdult(1),
    istenni: isElsewhere ? flag(0.15) : isNthAdult(2),
  };
};

const makeAuthor = (population: Population, seed: number, index: number, bornDay: number, random: Random) => {
  if (population.adult) {
    // Adult entries belong to no account; their authors have an id of another kind.
    const author = index % 90;
    const xid = ncodeFromNumber(300_001 + author * 370).replace('N', 'x');
    return { userid: 0, name: nameAt(seed ^ 0x18, 1000 + author)[0], xid: xid.toLowerCase() };
  }
  const account = ODD_NOVELS.get(index)?.author ?? chooseAuthor(random, bornDay - START_DAY);
  return { userid: useridAt(account), name: nameAt(seed, account)[0], xid: '' };
};

const EVERGREEN = { short: false, interval: 7, activeDays: 40_000, popularity: 300 };

/** The novel with an index of a population, the same whenever it is asked for. */
export function makeWork(population: Population, seed: number, index: number): Work {
  const { adult, firstNumber } = population;
  const random = createRandom(seed, adult ? 2 : 1, index);
  const odd = adult ? undefined : ODD_NOVELS.get(index);
  const life = makeLife(population, index, random);
  const author = makeAuthor(population, seed, index, life.bornDay, random);
  const genre = adult ? 0 : (odd?.genre ?? random.pick(GENRES));
  const nocgenre = adult ? random.pick([1, 2, 2, 3, 4]) : 0;
  const flags = makeFlags(adult ? 301 : genre, nocgenre, index, random);
  const setting = adult ? 'adult' : settingOf(genre);
  const aside = random.chance(0.06) ? `＠${random.pick(['毎日更新', '第二部開始', '休筆中', 'R&R'])}` : '';
  return {
    index,
    ncode: ncodeFromNumber(firstNumber + NCODE_STEP * index),
    userid: author.userid,
    writer: odd?.author === undefined ? author.name + aside : author.name,
    xid: author.xid,
    title: odd?.title ?? makeTitle(setting, random),
    story: odd?.story ?? makeStory(setting, random),
    keyword: odd?.keyword ?? makeKeyword(setting, flags, random),
    genre,
    nocgenre,
    flags,
    ...life,
    ...(odd?.evergreen && EVERGREEN),
    evergreen: odd?.evergreen ?? false,
    withdrawn: !adult && odd === undefined && random.chance(0.02),
    buntai: random.pick([1, 2, 2, 4, 4, 6, 6, 6]),
    kaiwaritu: random.chance(0.03) ? 0 : random.int(4, 78),
    sasie_cnt: random.chance(0.82) ? 0 : random.int(1, 40),
    episodeLength: random.int(900, 5200),
    bookmarkShare: 0.35 + 0.4 * random.fraction(),
  };
}
