import path from 'node:path';
import type { Clock, Logger } from '@mokuroku/kit/process';
import type { CatalogueSource, NovelSource } from '@mokuroku/narou/source';
import { UnknownNovel } from '@mokuroku/narou';
import type { RankingType } from '@mokuroku/narou';
import type { LoadedChanges } from '@mokuroku/narou/scan';
import { openLocalIndex } from './local-index.ts';
import type { LocalIndex } from './local-index.ts';
import { localQueries, localNovels } from './local-novels.ts';
import { notHere, outdated, partUnavailable } from './query-index.ts';
import { changesSince } from '@mokuroku/narou/scan';
import { Rankings } from './open-rankings.ts';
import type { PartState } from './newest-generation.ts';

export interface LocalSourceOptions {
  dir: string;
  /** The upstream for data missing from the catalogue; undefined: none. */
  upstream: CatalogueSource | undefined;
  clock: Clock;
  logger: Logger;
  loadWorker?: URL | undefined;
}

/** A catalogue in a folder, which is watched for newer generations. */
export interface LocalSource extends CatalogueSource {
  /** Loads newer generations. Rejects if the folder cannot be read. */
  refresh(): Promise<void>;
  facts(): LocalFacts;
  states(): Readonly<Record<LocalPart, PartState>>;
}

export type LocalPart = 'novels' | 'adult' | 'rankings';

interface LocalFacts {
  novels: number;
  adultNovels: number;
  rankings: number;
  /** Novels, adult novels and rankings that were fetched more than 14 days ago and are not served. */
  outdated: number;
  generation: number;
  /** When the oldest novel was fetched, ISO 8601 UTC; null if there is none. */
  asOf: string | null;
}

/** Maximum histories of one request: each is read from disk. */
const MAX_HISTORIES = 500;

function lacksRanking(rankings: Rankings, type: RankingType, date: string): Error {
  if (rankings.isOutdated(type, date)) return outdated('rankings');
  const newest = rankings.newest(type);
  const lacked =
    rankings.facts().served === 0
      ? notHere('rankings', 'mokuroku harvest --rankings fetches them.')
      : notHere(`the ${type} ranking of ${date}`, newest && `Its newest one is ${newest}.`);
  return partUnavailable(rankings, 'rankings', lacked);
}

/** Rankings and histories, each complete or missing. */
function localRankings(
  rankings: Rankings,
  novels: NovelSource,
  upstream: CatalogueSource | undefined,
): Pick<CatalogueSource, 'newestRanking' | 'getRanking' | 'getRankingHistory'> {
  return {
    newestRanking: (type) =>
      upstream === undefined ? rankings.newest(type) : upstream.newestRanking?.(type),
    getRanking: async (type, date, requester) => {
      const stored = rankings.ranking(type, date);
      if (stored !== undefined) return stored;
      if (upstream !== undefined) return upstream.getRanking(type, date, requester);
      throw lacksRanking(rankings, type, date);
    },
    getRankingHistory: async (ncode, requester) => {
      const stored = rankings.history(ncode);
      if (stored === undefined || (upstream !== undefined && stored.missing.length > 0)) {
        if (upstream !== undefined) return upstream.getRankingHistory(ncode, requester);
        if (rankings.isOutdated()) throw outdated('rankings');
        throw partUnavailable(rankings, 'rankings', notHere('all rankings, of which histories are made'));
      }
      if (stored.value.length > 0) return stored;
      const { value, fetchedAt = Infinity } = await novels.find([ncode], ['n'], requester);
      const [novel] = value;
      if (novel?.state === 'unknown') throw new UnknownNovel(novel.reason);
      if (novel?.state === 'denied') return { absent: 'not_returned' };
      return { ...stored, fetchedAt: Math.min(stored.fetchedAt, fetchedAt) };
    },
  };
}

/** Logs once when a part of the catalogue becomes outdated, and again after a new harvest. */
function createStateLog(dir: string, logger: Logger): (states: Readonly<Record<string, PartState>>) => void {
  let before: Readonly<Record<string, PartState>> = {};
  return (states) => {
    for (const [part, state] of Object.entries(states)) {
      if (state !== 'outdated' || before[part] === 'outdated') continue;
      const message = 'fetched more than 14 days ago and not served; run mokuroku harvest';
      logger.error(
        { dir, part },
        `the ${part === 'adult' ? 'adult novels' : part} of the catalogue: ${message}`,
      );
    }
    before = states;
  };
}

interface LocalParts {
  readonly novels: LocalIndex;
  readonly adult: LocalIndex;
  readonly rankings: Rankings;
}

function localFacts({ novels, adult, rankings }: LocalParts): LocalFacts {
  const oldest = novels.current()?.facts().oldest ?? Infinity;
  return {
    novels: novels.facts().records,
    adultNovels: adult.facts().records,
    rankings: rankings.facts().served,
    outdated: novels.facts().outdated + adult.facts().outdated + rankings.facts().outdated,
    generation: novels.facts().generation,
    asOf: oldest === Infinity ? null : new Date(oldest * 1000).toISOString(),
  };
}

function loadedChanges(local: LocalIndex): LoadedChanges {
  const changes = local.current()?.changes();
  if (changes === undefined) throw local.current() ? notHere('changes') : partUnavailable(local, 'changes');
  return changes;
}

function users(upstream: CatalogueSource | undefined): Pick<CatalogueSource, 'hasUsers' | 'searchUsers'> {
  const refuse = () => Promise.reject(notHere('users'));
  return {
    hasUsers: upstream !== undefined,
    searchUsers: (query, requester) => upstream?.searchUsers(query, requester) ?? refuse(),
  };
}

/**
 * Serves novels, adult novels, rankings and histories from a folder, and everything else from the upstream, if there is
 * one. Data fetched more than 14 days ago are not served.
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
  const rankings = new Rankings(path.join(dir, 'rankings'), options);
  const novels = {
    novelapi: localNovels('novelapi', general, upstream, options.now),
    novel18api: localNovels('novel18api', adult, upstream, options.now),
  };
  const parts = { novels: general, adult, rankings };
  const states = () => ({ novels: general.state(), adult: adult.state(), rankings: rankings.state() });
  const reportStates = createStateLog(dir, logger);
  reportStates(states());
  return {
    states,
    isSample: () =>
      [general, adult].some((part) => part.current()?.facts().isSample) || upstream?.isSample() === true,
    maxStart: null,
    // Missing ones come from the upstream, which has its own maximum.
    maxHistories: () =>
      upstream === undefined || rankings.hasHistories() ? MAX_HISTORIES : upstream.maxHistories(),
    local: localQueries({ novelapi: general, novel18api: adult }),
    novels,
    changes: (query) => changesSince(loadedChanges(general), query, clock.now()),
    ...localRankings(rankings, novels.novelapi, upstream),
    ...users(upstream),
    refresh: async () => {
      const failures: unknown[] = [];
      for (const part of Object.values(parts)) {
        await part.refresh().catch((error: unknown) => failures.push(error));
      }
      reportStates(states());
      if (failures.length > 0) throw failures[0];
    },
    facts: () => localFacts(parts),
    close: async () => {
      for (const part of Object.values(parts)) part.close();
      await upstream?.close();
    },
  };
}
