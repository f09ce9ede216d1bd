import type { CatalogueNovel } from '../scan/catalogue-novel.ts';
import { japanDateTime, japanDay, japanMidnight } from '../novels/japan-date.ts';
import { hash } from './random.ts';
import { PERIODS, points } from './rankings.ts';
import type { Work } from './works.ts';

const DAY_MS = 86_400_000;
/** An ongoing novel is stopped if its last episode is this old (manual of novelapi on `stop`). */
const STOPPED_AFTER_DAYS = 63;

/** When the daily ranking is made, and points and readers are renewed: 04:00 in Japan. */
const RENEWAL_MS = 4 * 3_600_000;

/** The day in Japan whose renewal was the last one at an instant (milliseconds UTC). */
export const dayAt = (at: number): number => japanDay(at - RENEWAL_MS);

/** The renewal of a day: milliseconds UTC. */
export const renewalOf = (day: number): number => japanMidnight(day) + RENEWAL_MS;

/** The last renewal up to an instant. */
const renewalAt = (at: number): number => renewalOf(dayAt(at));

const MINUTE_MS = 60_000;
/** Each novel is revised every so many minutes, each at a minute of its own: some novel in every sixth minute. */
const REVISION_MINUTES = 20_000;
/** Spreads the novels over these minutes. */
const REVISION_STEP = 11;

/** Index of the latest episode, from 0. */
const lastEpisode = (work: Work, at: number): number =>
  Math.min(work.episodes - 1, Math.floor((at - work.bornAt) / DAY_MS / work.interval));

const episodeAt = (work: Work, episode: number): number => work.bornAt + episode * work.interval * DAY_MS;

/** The last revision up to an instant; before the birth of the novel if there was none. */
function revisedAt({ index }: Work, at: number): number {
  const minute = Math.floor(at / MINUTE_MS);
  const since = (minute - ((index * REVISION_STEP) % REVISION_MINUTES)) % REVISION_MINUTES;
  return (minute - since) * MINUTE_MS;
}

/** When a novel last got an episode, and when it was last changed: milliseconds UTC. */
export function updatesOf(work: Work, at: number): { lastupAt: number; updatedAt: number } {
  const lastupAt = episodeAt(work, lastEpisode(work, at));
  return { lastupAt, updatedAt: Math.max(lastupAt, revisedAt(work, at)) };
}

/** The instants after `from` up to `to` at which an episode or a revision comes, or at which it is stopped. */
export function changeTimesOf(work: Work, from: number, to: number): number[] {
  const times: number[] = [];
  const last = lastEpisode(work, to);
  for (let episode = last; episode >= 0 && episodeAt(work, episode) > from; episode--)
    times.push(episodeAt(work, episode));
  const step = REVISION_MINUTES * MINUTE_MS;
  for (let at = revisedAt(work, to); at > from && at >= work.bornAt; at -= step) times.push(at);
  const stoppedAt = stopOf(episodeAt(work, last));
  if (stoppedAt > from && stoppedAt <= to) times.push(stoppedAt);
  return times.sort((a, b) => a - b);
}

/** The first renewal at which the age of the last episode stops an ongoing novel. */
const stopOf = (lastupAt: number): number => renewalAt(lastupAt + STOPPED_AFTER_DAYS * DAY_MS - 1) + DAY_MS;

/** The progress of a novel at an instant; its dates are in order, none in the future. */
const progressAt = (work: Work, at: number, seed: number) => {
  const last = lastEpisode(work, at);
  const isShort = work.fixed.noveltype === 2;
  const isOver = isShort || (last === work.episodes - 1 && work.completes);
  const { lastupAt, updatedAt } = updatesOf(work, at);
  const synchronizedAt = renewalAt(at) - (hash(seed ^ 43, work.index, 0) % DAY_MS);
  const length = work.episodeLength * (last + 1);
  return {
    general_firstup: japanDateTime(work.bornAt),
    general_lastup: japanDateTime(lastupAt),
    novelupdated_at: japanDateTime(updatedAt),
    updated_at: japanDateTime(Math.max(updatedAt, synchronizedAt)),
    end: isOver ? 0 : 1,
    isstop: !isOver && at >= stopOf(lastupAt) ? 1 : 0,
    general_all_no: last + 1,
    length,
    time: Math.ceil(length / 500),
  } as const;
};

/**
 * Bookmarks and ratings: `global_point` is twice the bookmarks plus the points of all ratings; a rating has 2 to 10.
 */
const totalsOf = (work: Work, age: number, min: number) => {
  const total = Math.max(min, work.popularity * ((250 * age) / (age + 40) + (150 * age) / (age + 900)));
  const share = 0.35 + (work.index % 40) / 100;
  const fav_novel_cnt = Math.round((total * share) / 2);
  const all_point = 2 * Math.round((total * (1 - share)) / 2);
  const global_point = 2 * fav_novel_cnt + all_point;
  return {
    fav_novel_cnt,
    all_point,
    all_hyoka_cnt: Math.ceil(all_point / (6.5 + 3 * share)),
    global_point,
    impression_cnt: Math.floor(global_point / (40 + (work.index % 50))),
    review_cnt: Math.floor(global_point / (2500 + (work.index % 1000))),
  };
};

/** What authors write of a novel, at an instant (milliseconds UTC): its record without points and readers. */
export const writtenAt = (work: Work, at: number, seed: number): CatalogueNovel => ({
  ...work.fixed,
  ...progressAt(work, at, seed),
});

/**
 * The complete record of a novel that has appeared, at an instant (milliseconds UTC) of a Japanese day. Its points
 * equal those in the rankings of that day.
 */
export function recordAt(work: Work, at: number, day: number, seed: number): CatalogueNovel {
  const pointsIn = (days: number) => points(work, days, day, seed);
  const weekly_point = pointsIn(PERIODS.weekly);
  const yearly_point = pointsIn(PERIODS.yearly);
  return {
    ...writtenAt(work, at, seed),
    ...totalsOf(work, Math.max(0, day - 1 - work.bornDay), yearly_point),
    daily_point: pointsIn(PERIODS.daily),
    weekly_point,
    monthly_point: pointsIn(PERIODS.monthly),
    quarter_point: pointsIn(PERIODS.quarterly),
    yearly_point,
    weekly_unique: weekly_point * 3 + (hash(seed ^ 53, work.index, day) % 40),
  };
}
