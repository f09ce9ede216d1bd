import type { CatalogueNovel } from '../../catalogue/index/catalogue-novel.ts';
import { biggenreOf } from '../../catalogue/novels/genres.ts';
import { japanDateTime } from '../../catalogue/novels/japan-date.ts';
import { PERIODS, points } from './points.ts';
import { hash } from './random.ts';
import type { Work } from './works.ts';

const DAY_MS = 86_400_000;
/** An ongoing novel counts as stopped when its last episode is so old (manual of novelapi on `stop`). */
const STOPPED_AFTER_DAYS = 63;

/** Episodes and their length, and the dates of the last of them and of the last changes: in order, none after the moment. */
const progressAt = (work: Work, at: number, seed: number) => {
  const age = Math.floor((at - work.bornAt) / DAY_MS);
  const planned = Math.floor(work.activeDays / work.interval);
  const last = Math.min(planned, Math.floor(age / work.interval));
  const isOver = work.short || (last === planned && work.completes);
  const lastupAt = work.bornAt + last * work.interval * DAY_MS;
  const edit = hash(seed ^ 41, work.index, last);
  const novelupdatedAt = Math.min(at, lastupAt + (edit % 2 === 0 ? (edit % 9) * 1000 : edit % (3 * DAY_MS)));
  const episodes = last + 1;
  return {
    episodes,
    length: work.episodeLength * episodes + (hash(seed ^ 47, work.index, episodes) % 700),
    end: isOver ? 0 : 1,
    isstop: !isOver && at - lastupAt >= STOPPED_AFTER_DAYS * DAY_MS ? 1 : 0,
    lastupAt,
    novelupdatedAt,
    updatedAt: Math.max(novelupdatedAt, at - (hash(seed ^ 43, work.index, 0) % (2 * DAY_MS))),
  } as const;
};

/** Bookmarks and ratings: `global_point` is twice the bookmarks and all points of the ratings; a rating gives 2 to 10. */
const totalsOf = (work: Work, age: number, least: number) => {
  const total = Math.max(least, work.popularity * ((250 * age) / (age + 40) + (150 * age) / (age + 900)));
  const fav_novel_cnt = Math.round((total * work.bookmarkShare) / 2);
  const all_point = 2 * Math.round((total * (1 - work.bookmarkShare)) / 2);
  const all_hyoka_cnt = Math.ceil(all_point / (6.5 + 3 * work.bookmarkShare));
  return { fav_novel_cnt, all_point, all_hyoka_cnt, global_point: 2 * fav_novel_cnt + all_point };
};

/**
 * The whole record of a novel that has appeared, at an instant (milliseconds UTC) of a Japanese day. The points are
 * those of the rankings of that day.
 */
export function recordAt(work: Work, at: number, day: number, seed: number): CatalogueNovel {
  const shown = progressAt(work, at, seed);
  const weekly_point = points(work, PERIODS.weekly, day, seed);
  const yearly_point = points(work, PERIODS.yearly, day, seed);
  const totals = totalsOf(work, Math.max(0, day - 1 - work.bornDay), yearly_point);
  // Written out: thousands are made at start, and spread objects would take three times as long.
  return {
    title: work.title,
    ncode: work.ncode,
    userid: work.userid,
    writer: work.writer,
    story: work.story,
    biggenre: biggenreOf(work.genre),
    genre: work.genre,
    nocgenre: work.nocgenre,
    xid: work.xid,
    keyword: work.keyword,
    general_firstup: japanDateTime(work.bornAt),
    general_lastup: japanDateTime(shown.lastupAt),
    novel_type: work.short ? 2 : 1,
    end: shown.end,
    general_all_no: shown.episodes,
    length: shown.length,
    time: Math.ceil(shown.length / 500),
    isstop: shown.isstop,
    isr15: work.flags.isr15,
    isbl: work.flags.isbl,
    isgl: work.flags.isgl,
    iszankoku: work.flags.iszankoku,
    istensei: work.flags.istensei,
    istenni: work.flags.istenni,
    global_point: totals.global_point,
    daily_point: points(work, PERIODS.daily, day, seed),
    weekly_point,
    monthly_point: points(work, PERIODS.monthly, day, seed),
    quarter_point: points(work, PERIODS.quarterly, day, seed),
    yearly_point,
    fav_novel_cnt: totals.fav_novel_cnt,
    impression_cnt: Math.floor(totals.global_point / (40 + (work.index % 50))),
    review_cnt: Math.floor(totals.global_point / (2500 + (work.index % 1000))),
    all_point: totals.all_point,
    all_hyoka_cnt: totals.all_hyoka_cnt,
    sasie_cnt: work.sasie_cnt,
    kaiwaritu: work.kaiwaritu,
    novelupdated_at: japanDateTime(shown.novelupdatedAt),
    updated_at: japanDateTime(shown.updatedAt),
    weekly_unique: weekly_point * 3 + (hash(seed ^ 53, work.index, day) % 40),
    buntai: work.buntai,
    fetched_at: 0,
  };
}
