import { japanDateTime } from '../../catalogue/novels/japan-date.ts';
import type { CatalogueNovel } from '../../catalogue/index/catalogue-novel.ts';
import type { Traits } from './make-traits.ts';
import { ageAt, DAY, MONTH, points, QUARTER, WEEK, YEAR } from './popularity.ts';
import { hash } from './random.ts';

const DAY_MS = 86_400_000;
/** An ongoing novel counts as stopped when its last episode is so old (manual of novelapi on `stop`). */
export const STOPPED_AFTER_DAYS = 63;

/** When the catalogue stands still: an instant (milliseconds UTC) and the Japanese day it belongs to. */
export interface Moment {
  readonly at: number;
  readonly day: number;
}

const progress = (traits: Traits, at: number) => {
  const { life } = traits;
  const age = Math.floor((at - life.bornAt) / DAY_MS);
  const last = life.short ? 0 : Math.floor(Math.min(age, life.activeDays) / life.interval);
  const over = life.short || Math.floor(life.activeDays / life.interval) === last;
  const ended = life.short || (over && life.completes);
  const lastupAt = life.bornAt + last * life.interval * DAY_MS;
  const stopped = !ended && at - lastupAt >= STOPPED_AFTER_DAYS * DAY_MS;
  return { episodes: last + 1, lastupAt, end: ended ? 0 : 1, isstop: stopped ? 1 : 0 } as const;
};

/** When novel and record were last changed: never before the last episode, never after the moment. */
const changes = (traits: Traits, seed: number, lastupAt: number, at: number) => {
  const { index } = traits.life;
  const edit = hash(seed ^ 41, index, lastupAt % 1_000_003);
  const editMs = (edit & 1) === 0 ? (edit % 9) * 1000 : edit % (3 * DAY_MS);
  const novelupdatedAt = Math.min(at, lastupAt + editMs);
  const updatedAt = Math.max(novelupdatedAt, at - (hash(seed ^ 43, index, 0) % (2 * DAY_MS)));
  return { novelupdatedAt, updatedAt };
};

/** Bookmarks and ratings: `global_point` is always twice the bookmarks and all points of the ratings. */
const totals = (traits: Traits, age: number, yearlyPoint: number) => {
  const { life } = traits;
  const old = Math.max(0, age);
  const grown = life.popularity * ((90 * old) / (old + 25) + (150 * old) / (old + 900));
  const total = Math.max(grown * (life.short ? 0.4 : 1), yearlyPoint);
  const fav_novel_cnt = Math.round((total * traits.bookmarkShare) / 2);
  const all_point = 2 * Math.round((total * (1 - traits.bookmarkShare)) / 2);
  // A rating gives 2 to 10 points.
  const all_hyoka_cnt = Math.ceil(all_point / (6.5 + 3 * traits.bookmarkShare));
  return { fav_novel_cnt, all_point, all_hyoka_cnt, global_point: 2 * fav_novel_cnt + all_point };
};

/** All that moves with time about a novel. */
const measure = (traits: Traits, moment: Moment, seed: number) => {
  const { life } = traits;
  const shown = progress(traits, moment.at);
  const weekly = points(life, WEEK, moment.day, seed);
  const yearly = points(life, YEAR, moment.day, seed);
  return {
    shown,
    weekly,
    yearly,
    changed: changes(traits, seed, shown.lastupAt, moment.at),
    total: totals(traits, ageAt(life, moment.day), yearly),
    length: traits.episodeLength * shown.episodes + (hash(seed ^ 47, life.index, shown.episodes) % 700),
  };
};

/** The whole record of a novel at a moment. It must have appeared by then. */
export function novelAt(traits: Traits, moment: Moment, seed: number): CatalogueNovel {
  const { life, flags } = traits;
  const { shown, weekly, yearly, changed, total, length } = measure(traits, moment, seed);
  return {
    title: traits.title,
    ncode: life.ncode,
    userid: traits.userid,
    writer: traits.writer,
    story: traits.story,
    keyword: traits.keyword,
    biggenre: traits.biggenre,
    genre: traits.genre,
    nocgenre: traits.nocgenre,
    xid: traits.xid,
    general_firstup: japanDateTime(life.bornAt),
    general_lastup: japanDateTime(shown.lastupAt),
    novelupdated_at: japanDateTime(changed.novelupdatedAt),
    updated_at: japanDateTime(changed.updatedAt),
    novel_type: life.short ? 2 : 1,
    end: shown.end,
    general_all_no: shown.episodes,
    length,
    time: Math.ceil(length / 500),
    isstop: shown.isstop,
    isr15: flags.isr15,
    isbl: flags.isbl,
    isgl: flags.isgl,
    iszankoku: flags.iszankoku,
    istensei: flags.istensei,
    istenni: flags.istenni,
    global_point: total.global_point,
    daily_point: points(life, DAY, moment.day, seed),
    weekly_point: weekly,
    monthly_point: points(life, MONTH, moment.day, seed),
    quarter_point: points(life, QUARTER, moment.day, seed),
    yearly_point: yearly,
    fav_novel_cnt: total.fav_novel_cnt,
    impression_cnt: Math.floor(total.global_point / (40 + (life.index % 50))),
    review_cnt: Math.floor(total.global_point / (2500 + (life.index % 1000))),
    all_point: total.all_point,
    all_hyoka_cnt: total.all_hyoka_cnt,
    sasie_cnt: traits.sasie_cnt,
    kaiwaritu: traits.kaiwaritu,
    weekly_unique: weekly * 3 + (hash(seed ^ 53, life.index, moment.day) % 40),
    buntai: traits.buntai,
  };
}
