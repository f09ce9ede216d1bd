import { japanDay, japanMidnight } from '../../catalogue/novels/japan-date.ts';
import type { CatalogueNovel, CatalogueUser } from '../../catalogue/index/catalogue-novel.ts';
import { ADULT, countBorn, GENERAL, makeLife, START_DAY, type Life } from './lives.ts';
import { makeTraits, type Traits } from './make-traits.ts';
import { chooseAuthor, countAccounts, makeAccount, type Account } from './make-users.ts';
import { novelAt, type Moment } from './novel-state.ts';
import { hash } from './random.ts';

/** What the catalogue holds at one moment. */
export interface Snapshot {
  readonly moment: Moment;
  readonly novels: readonly CatalogueNovel[];
  readonly adultNovels: readonly CatalogueNovel[];
  readonly users: readonly CatalogueUser[];
}

/** The invented world behind the catalogue: everything follows from the seed and the time asked about. */
export interface World {
  /** The lives of all general novels that have appeared by a Japanese day, withdrawn ones included. */
  readonly livesUntil: (day: number) => readonly Life[];
  readonly snapshotAt: (moment: Moment) => Snapshot;
}

const RENEWAL_HOURS = 4;
const HOUR_MS = 3_600_000;

/**
 * The moment whose state is served at an instant (milliseconds UTC): the last 04:00 in Japan, when the daily
 * ranking is made. So answers hold still for a day, and the period points agree with the newest rankings.
 */
export function momentOf(now: number): Moment {
  const day = japanDay(now - RENEWAL_HOURS * HOUR_MS);
  return { at: japanMidnight(day) + RENEWAL_HOURS * HOUR_MS, day };
}

const usersAt = (
  accounts: readonly Account[],
  novels: readonly CatalogueNovel[],
  seed: number,
): CatalogueUser[] => {
  const sums = new Map<number, { count: number; length: number; points: number }>();
  for (const { userid, length, global_point } of novels) {
    const sum = sums.get(userid) ?? { count: 0, length: 0, points: 0 };
    sums.set(userid, {
      count: sum.count + 1,
      length: sum.length + length,
      points: sum.points + global_point,
    });
  }
  return accounts.map(({ index, userid, name, yomikata, name1st }) => {
    const sum = sums.get(userid);
    const reviews = hash(seed ^ 61, index, 0);
    return {
      userid,
      name,
      yomikata,
      name1st,
      novel_cnt: sum?.count ?? 0,
      review_cnt: reviews % 3 === 0 ? (reviews >>> 8) % 30 : 0,
      novel_length: sum?.length ?? 0,
      sum_global_point: sum?.points ?? 0,
    };
  });
};

export function createWorld(seed: number): World {
  const lives: Life[] = [];
  const traits: Traits[] = [];
  const adultTraits: Traits[] = [];
  const accounts: Account[] = [];

  const livesUntil = (day: number): readonly Life[] => {
    const count = countBorn(GENERAL, day);
    while (lives.length < count) lives.push(makeLife(GENERAL, seed, lives.length));
    return lives;
  };
  const accountAt = (index: number): Account => {
    while (accounts.length <= index) accounts.push(makeAccount(seed, accounts.length));
    return accounts[index] as Account;
  };
  const growUntil = (day: number): void => {
    const known = livesUntil(day);
    while (traits.length < countBorn(GENERAL, day)) {
      const life = known[traits.length] as Life;
      const registered = countAccounts(life.bornDay - START_DAY);
      traits.push(makeTraits(seed, life, accountAt(chooseAuthor(seed, life.index, registered))));
    }
    while (adultTraits.length < countBorn(ADULT, day)) {
      adultTraits.push(makeTraits(seed, makeLife(ADULT, seed, adultTraits.length), null));
    }
  };
  return {
    livesUntil,
    snapshotAt: (moment) => {
      growUntil(moment.day);
      const there = (each: Traits): boolean => each.life.bornAt <= moment.at && !each.life.withdrawn;
      const novels = traits.filter(there).map((each) => novelAt(each, moment, seed));
      const adultNovels = adultTraits.filter(there).map((each) => novelAt(each, moment, seed));
      const registered = countAccounts(moment.day - START_DAY);
      const present = Array.from({ length: registered }, (_, index) => accountAt(index));
      return { moment, novels, adultNovels, users: usersAt(present, novels, seed) };
    },
  };
}
