import type { CatalogueNovel } from '../scan/catalogue-novel.ts';
import { biggenreOf } from '../novels/genres.ts';
import { EXAMPLES } from '../novels/examples.ts';
import { japanMidnight } from '../novels/japan-date.ts';
import { ncodeFromNumber } from '../novels/ncode.ts';
import { ODD_NOVELS } from './odd-ones.ts';
import { createRandom } from './random.ts';
import type { Random } from './random.ts';
import { makeFlags, makeKeyword, makeStory, makeTitle } from './texts.ts';
import type { Setting } from './texts.ts';
import { countAccounts, nameAt, START_DAY, useridAt } from './users.ts';

// The invented catalogue follows the real calendar: novel 0 appears in January 2007 and a new one every two days from
// then on, whatever the time now. So the past never changes, although the catalogue grows.

/** A population of novels: its growth and its range of Ncodes. */
interface Population {
  readonly adult: boolean;
  readonly daysPerNovel: number;
  /**
   * N0000TA and N0000SA lie years beyond the codes that the site had assigned by 2026, so that no invented novel has
   * the code of a real one. The two ranges never overlap, and no code has the digits 0000.
   */
  readonly firstNumber: number;
  readonly maxNovels: number;
}

export const GENERAL: Population = {
  adult: false,
  daysPerNovel: 2,
  firstNumber: 5_200_003,
  maxNovels: 7_500,
};
export const ADULT: Population = { adult: true, daysPerNovel: 20, firstNumber: 4_940_003, maxNovels: 1_000 };
const NCODE_STEP = 241;

/** The constant parts of a novel: the fields of its record, and the basis of the other fields. */
export interface Work {
  readonly index: number;
  readonly fixed: ReturnType<typeof makeFields>;
  /** Milliseconds UTC. */
  readonly bornAt: number;
  /** Day in Japan. */
  readonly bornDay: number;
  /** The final number of episodes, Infinity for an endless serial, and the days between two. */
  readonly episodes: number;
  readonly interval: number;
  /** Whether it is complete after them, or stopped for good. */
  readonly completes: boolean;
  /** Characters of an episode. */
  readonly episodeLength: number;
  /** Points per day after the first weeks: 100 is common, 1 for novels that nobody finds. */
  readonly popularity: number;
  /** One episode a week, and readers forever. */
  readonly evergreen: boolean;
  /** In rankings, but hidden from search and not in the catalogue. */
  readonly withdrawn: boolean;
}

/**
 * Every fifth novel is a serial that never ends: a short episode in the morning and one in the evening, each novel at a
 * minute of its own. Together they publish in nearly every minute.
 */
const ENDLESS = { everyNovel: 5, first: 1, interval: 0.5, minutes: 720, minuteStep: 7 } as const;

/** From the most frequent to the rarest. */
const GENRES = [
  201, 101, 102, 202, 302, 301, 305, 307, 9903, 9999, 303, 304, 306, 401, 403, 9901, 9902, 9801, 402, 404,
  9904, 0,
];
const ELSEWHERE = new Set([101, 201, 202, 303, 306, 307, 401, 402, 403, 404, 9904]);

const makeGenre = (
  adult: boolean,
  random: Random,
): { genre?: number; nocgenre?: number; setting: Setting } => {
  if (adult) return { nocgenre: random.int(1, 4), setting: 'adult' };
  const genre = GENRES[random.low(GENRES.length)] ?? 0;
  return { genre, setting: ELSEWHERE.has(genre) ? 'elsewhere' : 'here' };
};

/** Adult entries have no account; their authors have ids of another kind. */
const makeAdultAuthor = (seed: number, index: number) => {
  const author = index % 90;
  const xid = ncodeFromNumber(300_001 + author * 370).replace('N', 'x');
  return { writer: nameAt(seed ^ 0x18, 1000 + author)[0], xid: xid.toLowerCase() };
};

/** The first dozen accounts write a large part of all novels. */
const makeAuthor = (seed: number, bornDay: number, random: Random) => {
  const account = random.int(0, random.chance(0.15) ? 11 : countAccounts(bornDay) - 1);
  return { userid: useridAt(account), writer: nameAt(seed, account)[0] };
};

/** The constant fields of a record. */
const makeFields = ({ adult, firstNumber }: Population, seed: number, index: number, bornDay: number) => {
  const random = createRandom(seed, adult ? 4 : 3, index);
  const { setting, ...genres } = makeGenre(adult, random);
  const flags = makeFlags(adult, random);
  const novel = {
    title: makeTitle(setting, random),
    ncode: ncodeFromNumber(firstNumber + NCODE_STEP * index),
    ...(adult ? makeAdultAuthor(seed, index) : makeAuthor(seed, bornDay, random)),
    story: makeStory(setting, random),
    ...genres,
    keyword: makeKeyword(setting, flags, random),
    noveltype: random.chance(0.28) ? 2 : 1,
    ...flags,
    sasie_cnt: random.chance(0.82) ? 0 : random.int(1, 40),
    kaiwaritu: random.int(0, 78),
    buntai: random.pick([1, 2, 2, 4, 4, 6, 6, 6]),
    fetched_at: 0,
    ...(adult ? {} : ODD_NOVELS.get(index)),
  } satisfies Partial<CatalogueNovel>;
  return { ...novel, ...(novel.genre !== undefined && { biggenre: biggenreOf(novel.genre) }) };
};

function asEndless(work: Work): Work {
  const { everyNovel, first, interval, minutes, minuteStep } = ENDLESS;
  const minute = (((work.index - first) / everyNovel) * minuteStep) % minutes;
  return {
    ...work,
    fixed: { ...work.fixed, noveltype: 1 },
    bornAt: japanMidnight(work.bornDay) + minute * 60_000,
    episodes: Infinity,
    interval,
    episodeLength: Math.ceil(work.episodeLength / 10),
  };
}

/** The novel at an index of a population, always the same. */
function makeWork(population: Population, seed: number, index: number): Work {
  const { adult, daysPerNovel } = population;
  const random = createRandom(seed, adult ? 2 : 1, index);
  const bornDay = START_DAY + index * daysPerNovel + random.int(0, daysPerNovel - 1);
  const fixed = makeFields(population, seed, index, bornDay);
  const evergreen = fixed.ncode === EXAMPLES.ncode;
  const work: Work = {
    index,
    fixed,
    bornDay,
    bornAt: japanMidnight(bornDay) + random.int(0, 86_399) * 1000,
    episodes: evergreen ? Infinity : fixed.noveltype === 2 ? 1 : random.int(2, 300),
    interval: evergreen ? 7 : random.pick([1, 1, 2, 3, 7, 14]),
    completes: random.chance(0.6),
    episodeLength: random.int(900, 5200),
    // The share of novels with more than popularity p falls as 1 / p^2.
    popularity: evergreen ? 300 : random.chance(0.3) ? 1 : 80 / Math.sqrt(random.fraction() + 0.0003),
    evergreen,
    withdrawn: !adult && !ODD_NOVELS.has(index) && random.chance(0.02),
  };
  const isOfDocuments = evergreen || fixed.userid === EXAMPLES.userid || ODD_NOVELS.has(index);
  const isEndless = !adult && !isOfDocuments && index % ENDLESS.everyNovel === ENDLESS.first;
  return isEndless ? asEndless(work) : work;
}

/** Adds the works that have appeared up to a day. */
export function addBorn(works: Work[], population: Population, seed: number, day: number): void {
  const { daysPerNovel, maxNovels } = population;
  const born = Math.min(Math.floor((day - START_DAY) / daysPerNovel) + 1, maxNovels);
  while (works.length < born) works.push(makeWork(population, seed, works.length));
}
