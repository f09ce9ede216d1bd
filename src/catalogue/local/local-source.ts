import path from 'node:path';
import type { Clock } from '../../process/clock.ts';
import type { Logger } from '../../process/logger.ts';
import type { CatalogueSource, NovelSource } from '../catalogue-source.ts';
import { rankingPublication } from '../novels/ranking-date.ts';
import { openLocalIndex } from './local-index.ts';
import { atHand, localNovels, notHere } from './local-novels.ts';
import { openRankings } from './open-rankings.ts';
import type { Rankings } from './open-rankings.ts';

interface LocalSourceOptions {
  /** The folder of the catalogue. */
  dir: string;
  /** What is asked for all that is not held; undefined: nothing is. */
  upstream: CatalogueSource | undefined;
  clock: Clock;
  logger: Logger;
  /** The script that reads generations in another thread; undefined: they are read in this one. */
  loadWorker?: URL | undefined;
}

/** A catalogue in a folder, which is looked at for newer generations. */
export interface LocalSource extends CatalogueSource {
  /** Takes up what is new in the folder. Rejects when it cannot be read. */
  refresh(): Promise<void>;
  /** For readiness and metrics. */
  facts(): LocalFacts;
}

export interface LocalFacts {
  novels: number;
  adultNovels: number;
  rankings: number;
  /** When the oldest novel was fetched, ISO 8601 UTC; null where there is none. */
  asOf: string | null;
}

/** Histories of one request: each is read from disk. */
const MAX_HISTORIES = 500;

/** A ranking that is late by less than this is taken as not published yet. */
const LATE_MS = 24 * 3_600_000;

/** Rankings and histories; both are whole or not held. */
function localRankings(
  rankings: Rankings,
  novels: NovelSource,
  { clock, upstream }: Pick<LocalSourceOptions, 'clock' | 'upstream'>,
): Pick<CatalogueSource, 'getRanking' | 'getRankingHistory'> {
  return {
    getRanking: async (type, date, asker) => {
      const held = rankings.ranking(type, date);
      if (held !== undefined) {
        asker?.onFetchedAt?.(held.fetchedAt);
        return held.value;
      }
      if (upstream !== undefined) return upstream.getRanking(type, date, asker);
      // The newest may not have been fetched yet.
      if (rankingPublication(type, date, clock.now() - LATE_MS) !== 'published') return null;
      throw notHere(`the ${type} ranking of ${date}`);
    },
    getRankingHistory: async (ncode, asker) => {
      const held = rankings.history(ncode);
      if (held === undefined) {
        if (upstream === undefined) throw notHere('all rankings, of which histories are made');
        return upstream.getRankingHistory(ncode, asker);
      }
      const isKnown = held.value.length > 0 || (await novels.find([ncode], ['n'], asker)).has(ncode);
      asker?.onFetchedAt?.(held.fetchedAt);
      return isKnown ? held.value : null;
    },
  };
}

/** Users are never held. */
function users(upstream: CatalogueSource | undefined): Pick<CatalogueSource, 'searchUsers' | 'findUser'> {
  return {
    searchUsers: async (query, asker) => {
      if (upstream === undefined) throw notHere('users');
      return upstream.searchUsers(query, asker);
    },
    findUser: async (userid, asker) => {
      if (upstream === undefined) throw notHere('users');
      return upstream.findUser(userid, asker);
    },
  };
}

/**
 * Serves what a folder holds of novels, adult novels, rankings and histories, and asks the upstream, if there is one,
 * for all else. What was fetched more than 14 days ago is not held any more.
 */
export function openLocalSource({
  dir,
  upstream,
  clock,
  logger,
  loadWorker,
}: LocalSourceOptions): LocalSource {
  const options = { now: () => clock.now(), logger, loadWorker };
  const general = openLocalIndex(path.join(dir, 'novels'), options);
  const adult = openLocalIndex(path.join(dir, 'adult'), options);
  const rankings = openRankings(path.join(dir, 'rankings'), options);
  const novels = {
    novelapi: localNovels(general, 'novelapi', upstream),
    novel18api: localNovels(adult, 'novel18api', upstream),
  };
  return {
    maxStart: null,
    // What is not held is asked of the upstream, within its own bound.
    maxHistories: () =>
      upstream !== undefined && rankings.facts().rankings === 0 ? upstream.maxHistories() : MAX_HISTORIES,
    atHand: atHand({ novelapi: general, novel18api: adult }),
    novels,
    ...localRankings(rankings, novels.novelapi, { clock, upstream }),
    ...users(upstream),
    refresh: async () => {
      const failures: unknown[] = [];
      for (const held of [rankings, general, adult]) {
        await held.refresh().catch((error: unknown) => failures.push(error));
      }
      if (failures.length > 0) throw failures[0];
    },
    facts: () => {
      const facts = general.current()?.facts();
      const oldest = facts?.oldest ?? Infinity;
      return {
        novels: facts?.records ?? 0,
        adultNovels: adult.current()?.facts().records ?? 0,
        rankings: rankings.facts().rankings,
        asOf: oldest === Infinity ? null : new Date(oldest * 1000).toISOString(),
      };
    },
    close: async () => {
      general.close();
      adult.close();
      rankings.close();
      await upstream?.close();
    },
  };
}
