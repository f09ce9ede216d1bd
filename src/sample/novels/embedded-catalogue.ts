import type { Clock } from '../../process/clock.ts';
import { japanDay, japanMidnight } from '../../catalogue/novels/japan-date.ts';
import type { RankingType } from '../../catalogue/novels/ranking-date.ts';
import type { CatalogueNovel, CatalogueUser } from '../../catalogue/index/catalogue-novel.ts';
import { createNovelScan, type NovelScan } from '../../catalogue/index/novel-scan.ts';
import { createUserScan, type UserIndex } from '../../catalogue/index/user-scan.ts';
import { GENERAL, indexOfNcode } from './lives.ts';
import { createRankingHistories, type HistoryRow, isRankingDay } from './ranking-history.ts';
import { makeRanking, type RankingRow } from './rankings.ts';
import { createWorld, momentOf, type Snapshot } from './world.ts';

export interface EmbeddedCatalogueOptions {
  readonly clock: Clock;
  /** Whole number; another seed gives other novels. */
  readonly seed?: number;
}

/**
 * An invented catalogue, made from a seed at start: over 3,000 novels and 300 adult entries (for any time from
 * 2024 on), their authors, and every ranking since May 2013. It renews itself at 04:00 Japan time and holds
 * still in between. Rankings of the past never change, whenever and wherever they are asked for.
 */
export interface EmbeddedCatalogue {
  /** Everything it holds now, in Ncode order; for tests that search by hand. */
  novels(): readonly CatalogueNovel[];
  adultNovels(): readonly CatalogueNovel[];
  /** In the order of user ids. */
  users(): readonly CatalogueUser[];
  /** Searches of what it holds now. */
  novelIndex(): NovelScan;
  adultNovelIndex(): NovelScan;
  userIndex(): UserIndex;
  /**
   * The ranking stored under a Japanese day (`dayOfDate`), a Tuesday for weekly, a first of a month for monthly
   * and quarterly; null on other days, before May 2013 and before 04:00 of that day in Japan.
   */
  ranking(type: RankingType, day: number): readonly RankingRow[] | null;
  /** Every ranking in which a novel stood, by `rtype`; null for an upper-case Ncode that never existed. */
  rankingHistory(ncode: string): readonly HistoryRow[] | null;
}

const DEFAULT_SEED = 20_040_402;
const KEPT_RANKINGS = 64;
const RENEWAL_MS = 4 * 3_600_000;

const createView = (snapshot: Snapshot, clock: Clock) => ({
  snapshot,
  novels: createNovelScan(snapshot.novels, () => clock.now()),
  adultNovels: createNovelScan(snapshot.adultNovels, () => clock.now()),
  users: createUserScan(snapshot.users),
});

export function createEmbeddedCatalogue({
  clock,
  seed = DEFAULT_SEED,
}: EmbeddedCatalogueOptions): EmbeddedCatalogue {
  const world = createWorld(seed);
  const histories = createRankingHistories(world.livesUntil, seed);
  const rankings = new Map<string, readonly RankingRow[]>();
  let view = createView(world.snapshotAt(momentOf(clock.now())), clock);

  const current = (): typeof view => {
    const moment = momentOf(clock.now());
    if (moment.day !== view.snapshot.moment.day) view = createView(world.snapshotAt(moment), clock);
    return view;
  };
  const ranking = (type: RankingType, day: number): readonly RankingRow[] | null => {
    if (!isRankingDay(type, day) || clock.now() < japanMidnight(day) + RENEWAL_MS) return null;
    const key = `${type} ${day}`;
    const rows = rankings.get(key) ?? makeRanking(type, day, world.livesUntil(day), seed);
    rankings.set(key, rows);
    for (const oldest of rankings.keys()) {
      if (rankings.size <= KEPT_RANKINGS) break;
      rankings.delete(oldest);
    }
    return rows;
  };
  const rankingHistory = (ncode: string): readonly HistoryRow[] | null => {
    const day = japanDay(clock.now() - RENEWAL_MS);
    const index = indexOfNcode(GENERAL, ncode);
    const life = world.livesUntil(day)[index];
    return life?.ncode === ncode && life.bornAt <= clock.now() ? histories.historyOf(index, day) : null;
  };
  return {
    novels: () => current().snapshot.novels,
    adultNovels: () => current().snapshot.adultNovels,
    users: () => current().snapshot.users,
    novelIndex: () => current().novels,
    adultNovelIndex: () => current().adultNovels,
    userIndex: () => current().users,
    ranking,
    rankingHistory,
  };
}
