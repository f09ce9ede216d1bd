import path from 'node:path';
import { ServiceError } from '../../errors.ts';
import { canBeKept, publishRankings, rankingsHeld } from '../local/publish-rankings.ts';
import type { StoredRanking } from '../local/publish-rankings.ts';
import { MAX_AGE_SECONDS } from '../novels/max-age.ts';
import {
  RANKING_TYPES,
  newestRankingDate,
  rankingDateBefore,
  rankingPublication,
  toRtype,
} from '../novels/ranking-date.ts';
import type { RankingType } from '../novels/ranking-date.ts';
import { unixSeconds } from './harvest-run.ts';
import type { HarvestRun } from './harvest-run.ts';

export interface RankingsSummary {
  readonly rankings: number;
  /** Of those that must be there, those that the upstream could not give. */
  readonly missed: number;
}

/** Age at which a ranking is fetched again: a day and a half before it expires. */
const REFRESH_SECONDS = 12.5 * 86_400;
/** Number of fetched rankings after which a new generation is written. */
const PUBLISHED_AT_ONCE = 1_000;

type HarvestedRanking = Pick<StoredRanking, 'type' | 'date'>;

const folderOf = ({ dir }: HarvestRun): string => path.join(dir, 'rankings');

/** Every ranking that there can be at an instant (milliseconds UTC), the newest of each type first. */
function* allRankings(now: number): Iterable<HarvestedRanking> {
  for (const type of RANKING_TYPES) {
    let date: string | null = newestRankingDate(type, now);
    for (; date !== null; date = rankingDateBefore(type, date)) {
      if (rankingPublication(type, date, now) !== 'future') yield { type, date };
    }
  }
}

/** When each ranking was fetched, by its `rtype`: those published and those that wait for it. */
function heldRankings(run: HarvestRun): Map<string, number> {
  const held = new Map<string, number>();
  const add = ({ type, date, fetchedAt }: Omit<StoredRanking, 'rows'>) =>
    held.set(toRtype(type, date), fetchedAt);
  for (const ranking of rankingsHeld(folderOf(run), run.logger)) add(ranking);
  for (const ranking of run.memory.rankings.values()) add(ranking);
  return held;
}

/** One ranking; null if it is not published yet, or its response is unreadable. */
async function fetchRanking(run: HarvestRun, type: RankingType, date: string): Promise<StoredRanking | null> {
  try {
    const given = await run.ask((asker) => run.upstream.source.getRanking(type, date, asker));
    const rows = given?.filter(canBeKept) ?? [];
    if (given && rows.length < given.length) {
      const leftOut = given.length - rows.length;
      run.logger.warn({ type, date, leftOut }, 'skipped unreadable entries of a ranking');
      if (rows.length === 0) return null;
    }
    const isThere = given !== null || rankingPublication(type, date, run.clock.now()) === 'published';
    return isThere ? { type, date, fetchedAt: unixSeconds(run.clock), rows } : null;
  } catch (error) {
    if (!(error instanceof ServiceError && error.code === 'upstream_invalid')) throw error;
    run.logger.warn({ type, date }, 'skipped a ranking: the upstream response is unreadable');
    return null;
  }
}

async function publish(run: HarvestRun, put: Iterable<StoredRanking>): Promise<void> {
  await publishRankings(folderOf(run), {
    put,
    removeFetchedBefore: unixSeconds(run.clock) - MAX_AGE_SECONDS,
    logger: run.logger,
  });
}

/** Fetches the rankings that are missing or old. Null: something more urgent is due first. */
export async function harvestRankings(
  run: HarvestRun,
  isInterrupted: () => boolean,
): Promise<RankingsSummary | null> {
  const now = run.clock.now();
  const held = heldRankings(run);
  // One of the future is of a clock that has been put right, and of any age.
  const isFresh = ({ type, date }: HarvestedRanking) => {
    const age = now / 1_000 - (held.get(toRtype(type, date)) ?? 0);
    return age >= 0 && age < REFRESH_SECONDS;
  };
  const all = [...allRankings(now)];
  const due = all.filter((ranking) => !isFresh(ranking));
  let missed = 0;
  for (const [place, { type, date }] of due.entries()) {
    if (isInterrupted()) return null;
    run.reportStep({
      step: 'rankings',
      site: undefined,
      done: all.length - due.length + place,
      total: all.length,
    });
    const ranking = await fetchRanking(run, type, date);
    if (ranking === null) missed += rankingPublication(type, date, now) === 'published' ? 1 : 0;
    else run.memory.commit({ rankings: [ranking] });
    if (run.memory.rankings.size >= PUBLISHED_AT_ONCE) {
      await publish(run, run.memory.rankings.values());
      run.memory.restart({});
    }
  }
  await publish(run, run.memory.rankings.values());
  return { rankings: [...rankingsHeld(folderOf(run))].length, missed };
}

/** Fetches the newest ranking of each type, if it is published and not stored yet. */
export async function harvestNewestRankings(run: HarvestRun): Promise<void> {
  const now = run.clock.now();
  const held = heldRankings(run);
  const put: StoredRanking[] = [];
  for (const type of RANKING_TYPES) {
    const date = newestRankingDate(type, now);
    if (held.has(toRtype(type, date)) || rankingPublication(type, date, now) === 'future') continue;
    const ranking = await fetchRanking(run, type, date);
    if (ranking && ranking.rows.length > 0) put.push(ranking);
  }
  if (put.length > 0) await publish(run, put);
}
