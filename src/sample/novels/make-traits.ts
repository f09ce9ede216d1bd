import { biggenreOf } from '../../catalogue/novels/genres.ts';
import { GENERAL, oddNovelAt, type Life } from './lives.ts';
import { makeKeyword, makeStory, makeTitle, type Flags } from './make-texts.ts';
import { makePenName, type Account } from './make-users.ts';
import { Random } from './random.ts';
import { ncodeFromNumber } from '../../catalogue/novels/ncode.ts';

/** What never changes about a novel beside its life: its texts, kinds and habits. */
export interface Traits {
  readonly life: Life;
  readonly flags: Flags;
  readonly adult: boolean;
  readonly title: string;
  readonly story: string;
  readonly keyword: string;
  readonly writer: string;
  readonly userid: number;
  readonly biggenre: number;
  readonly genre: number;
  readonly nocgenre: number;
  readonly xid: string;
  readonly buntai: 1 | 2 | 4 | 6;
  readonly kaiwaritu: number;
  readonly sasie_cnt: number;
  /** Characters of an episode, on average. */
  readonly episodeLength: number;
  /** Share of points that come from bookmarks rather than from ratings. */
  readonly bookmarkShare: number;
}

const TRAITS_STREAM = 20;

// Genres by how often they are written.
const GENRES_BY_WEIGHT = Object.entries({
  0: 1,
  101: 18,
  102: 9,
  201: 26,
  202: 9,
  301: 4,
  302: 8,
  303: 3,
  304: 3,
  305: 4,
  306: 2,
  307: 4,
  401: 2,
  402: 1,
  403: 3,
  404: 1,
  9901: 2,
  9902: 3,
  9903: 4,
  9904: 1,
  9999: 3,
  9801: 3,
}).flatMap(([genre, weight]) => new Array<number>(weight).fill(Number(genre)));

const OTHER_WORLD_GENRES = new Set([101, 201, 202, 307, 401]);

const flag = (random: Random, probability: number): 0 | 1 => (random.chance(probability) ? 1 : 0);

const makeFlags = (genre: number, nocgenre: number, random: Random): Flags => {
  const otherWorld = OTHER_WORLD_GENRES.has(genre);
  return {
    isr15: nocgenre === 0 ? flag(random, 0.33) : 0,
    isbl: nocgenre === 3 ? 1 : flag(random, 0.04),
    isgl: flag(random, 0.05),
    iszankoku: flag(random, 0.28),
    istensei: otherWorld ? flag(random, 0.3) : 0,
    istenni: otherWorld ? flag(random, 0.15) : 0,
  };
};

/** The traits of a novel, the same whenever they are asked for. `author` is null for adult entries. */
export function makeTraits(seed: number, life: Life, author: Account | null): Traits {
  const adult = author === null;
  const random = new Random(seed, TRAITS_STREAM + (adult ? 1 : GENERAL.stream - 1), life.index);
  const genre = adult ? 0 : random.pick(GENRES_BY_WEIGHT);
  const nocgenre = adult ? random.pick([1, 2, 2, 3, 4]) : 0;
  const flags = makeFlags(genre, nocgenre, random);
  const kind = adult ? 'adult' : genre;
  const odd = adult ? undefined : oddNovelAt(life.index);
  const named = adult ? makePenName(seed, life.index % 90) : author.name;
  return {
    life,
    flags,
    adult,
    title: odd?.title ?? makeTitle(kind, random),
    story: odd?.story ?? makeStory(kind, random),
    keyword: odd?.keyword ?? makeKeyword(adult ? 'adult' : biggenreOf(genre), flags, random),
    writer: random.chance(0.06)
      ? `${named}＠${random.pick(['毎日更新', '第二部開始', '休筆中', 'R&R'])}`
      : named,
    userid: adult ? 0 : author.userid,
    biggenre: biggenreOf(genre),
    genre,
    nocgenre,
    xid: adult
      ? `x${ncodeFromNumber(300_001 + (life.index % 90) * 370)
          .slice(1)
          .toLowerCase()}`
      : '',
    buntai: random.pick([1, 2, 2, 4, 4, 6, 6, 6] as const),
    kaiwaritu: random.chance(0.03) ? 0 : random.int(4, 78),
    sasie_cnt: random.chance(0.82) ? 0 : random.int(1, 40),
    episodeLength: random.int(900, 5200),
    bookmarkShare: 0.35 + 0.4 * random.fraction(),
  };
}
