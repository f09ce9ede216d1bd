import path from 'node:path';
import { describeFailure } from '@mokuroku/kit/process';
import { publishRankings, rankingFactsOf } from '../local/ranking-files.ts';
import type { PublishedRanking, StoredRanking } from '../local/ranking-files.ts';
import { MAX_AGE_SECONDS } from '@mokuroku/narou/queries';
import {
  FIRST_RANKING_DATE,
  RANKING_TYPES,
  isDoubtfulList,
  newestRankingDate,
  rankingDatesBetween,
  rankingPublication,
  toRtype,
} from '@mokuroku/narou';
import type { ListFacts, RankingType } from '@mokuroku/narou';
import { claimOf, firstLook, isConfirmed } from './doubts.ts';
import type { Doubt } from './doubts.ts';
import { unixSeconds } from './harvest-run.ts';
import type { HarvestRun } from './harvest-run.ts';
import { isUnreadable } from './read-page.ts';

export interface RankingsSummary {
  readonly rankings: number;
  readonly missed: number;
}

/** Age at which a followed ranking or record is fetched again in any case: a day and a half before it expires. */
export const FOLLOWED_SECONDS = 12.5 * 86_400;
/** That age for a harvest by a timer, whose next run may be ten days later. */
export const TIMED_SECONDS = 3.5 * 86_400;
/** Number of fetched rankings after which a new generation is written. */
const PUBLISHED_AT_ONCE = 1_000;

/** Whether a stored ranking is not requested again: it is not old, and not due for its second look. `now`: Unix seconds. */
export function isFresh(
  stored: Pick<PublishedRanking, 'fetchedAt'> | undefined,
  now: number,
  refreshSeconds: number,
  doubt: Doubt = {},
): boolean {
  const age = stored ? now - stored.fetchedAt : -1;
  // A future time comes from a clock that has been corrected since: the age is unknown.
  const isYoung = age >= 0 && age < refreshSeconds;
  return isYoung && !Object.values(doubt).some((first) => isConfirmed(first, now));
}

/**
 * Whether a received list is stored, and what remains in doubt. Past rankings do not change, so a list that is the same
 * at a second look is final. One that is shorter than the stored one or those of its type, or equal to another date's,
 * is not stored before that. `now`: Unix seconds.
 */
export function decideRanking(
  received: ListFacts,
  stored: ListFacts | undefined,
  others: readonly ListFacts[],
  before: Doubt = {},
  now: number,
): { readonly isStored: boolean; readonly doubt: Doubt } {
  const { count, sum } = received;
  const isDoubtful = count < (stored?.count ?? 0) || isDoubtfulList(received, others);
  const claim = claimOf('list', sum);
  // A stored list without a doubt is final.
  const first = stored?.sum === sum ? (before[claim] ?? 0) : before[claim];
  if (isConfirmed(first, now)) return { isStored: true, doubt: {} };
  return { isStored: !isDoubtful, doubt: { [claim]: firstLook(first, now) } };
}

function commitRanking({ memory, logger }: HarvestRun, ranking: StoredRanking): boolean {
  const { type, date, fetchedAt } = ranking;
  const rtype = toRtype(type, date);
  const facts = rankingFactsOf(ranking);
  const stored = memory.storedRankings();
  const others = [...stored].flatMap(([key, each]) => (each.type === type && key !== rtype ? [each] : []));
  const before = stored.get(rtype);
  const doubtBefore = memory.doubts('rankings').get(rtype);
  const { isStored, doubt } = decideRanking(facts, before, others, doubtBefore, fetchedAt);
  memory.commit({ ...(isStored && { rankings: [ranking] }), doubts: { rankings: [[rtype, doubt]] } });
  if (!isStored)
    logger.warn(
      { type, date, entries: facts.count, before: before?.count },
      'doubtful ranking: shorter than others, or equal to another; it is not stored before a second look',
    );
  return isStored;
}

/** One ranking; null if it is not published yet, or its response is unreadable. */
async function fetchRanking(run: HarvestRun, type: RankingType, date: string): Promise<StoredRanking | null> {
  try {
    const { source } = run.upstream;
    const { value } = await run.retryingFetch(
      (requester) => source.getRanking(type, date, requester),
      // The probe is a ranking of another type, so that it differs from every request.
      (requester) => source.getRanking(type === 'daily' ? 'monthly' : 'daily', FIRST_RANKING_DATE, requester),
    );
    return value === undefined ? null : { type, date, fetchedAt: unixSeconds(run.clock), rows: value };
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    const failure = describeFailure(error);
    run.logger.warn({ type, date, failure }, 'skipped a ranking: the upstream response is unreadable');
    return null;
  }
}

/**
 * Fetches those of these rankings that are not fresh. Returns how many were stored, and how many are missing although
 * published.
 */
async function fetchRankings(
  run: HarvestRun,
  all: readonly Pick<StoredRanking, 'type' | 'date'>[],
  refreshSeconds: number,
) {
  const now = run.clock.now();
  const stored = run.memory.storedRankings();
  const doubts = run.memory.doubts('rankings');
  const due = all.filter(({ type, date }) => {
    const rtype = toRtype(type, date);
    return !isFresh(stored.get(rtype), now / 1_000, refreshSeconds, doubts.get(rtype));
  });
  let fetched = 0;
  let missed = 0;
  for (const [index, { type, date }] of due.entries()) {
    run.throwIfInterrupted();
    run.reportStep({ step: 'rankings', done: all.length - due.length + index, total: all.length });
    const ranking = await fetchRanking(run, type, date);
    if (ranking !== null && commitRanking(run, ranking)) fetched += 1;
    else if (rankingPublication(type, date, now) === 'published') missed += 1;
    if (run.memory.rankings.size < PUBLISHED_AT_ONCE) continue;
    await publish(run);
    run.memory.restart({});
  }
  return { fetched, missed };
}

const publish = (run: HarvestRun, removeFetchedBefore = 0): Promise<number> =>
  publishRankings(path.join(run.dir, 'rankings'), {
    put: run.memory.rankings.values(),
    removeFetchedBefore,
    logger: run.logger,
  });

export async function harvestRankings(run: HarvestRun, refreshSeconds: number): Promise<RankingsSummary> {
  const now = run.clock.now();
  const all = RANKING_TYPES.flatMap((type) =>
    rankingDatesBetween(type, FIRST_RANKING_DATE, newestRankingDate(type, now), now)
      .map((date) => ({ type, date }))
      .reverse(),
  );
  const { missed } = await fetchRankings(run, all, refreshSeconds);
  // Every ranking that was old at the start has been requested; the clock may have jumped since.
  const removeFetchedBefore = Math.min(now, run.clock.now()) / 1_000 - MAX_AGE_SECONDS;
  return { rankings: await publish(run, removeFetchedBefore), missed };
}

/** Fetches the newest ranking of each type, if it is published and not stored yet. */
export async function harvestNewestRankings(run: HarvestRun): Promise<void> {
  const now = run.clock.now();
  const newest = RANKING_TYPES.map((type) => ({ type, date: newestRankingDate(type, now) }));
  const { fetched } = await fetchRankings(run, newest, Infinity);
  if (fetched > 0) await publish(run);
}
