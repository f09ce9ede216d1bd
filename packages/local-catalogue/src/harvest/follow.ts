import path from 'node:path';
import { ServiceError } from '@mokuroku/kit';
import type { Clock } from '@mokuroku/kit/process';
import { describeFailure } from '@mokuroku/kit/process';
import { newestGeneration } from '../engine/index-generations.ts';
import { IndexTooLarge } from './build-catalogue.ts';
import { followChanges } from './follow-changes.ts';
import { followRound, rebuild } from './follow-round.ts';
import { NO_WALK } from './harvest-journal.ts';
import type { Task } from './harvest-journal.ts';
import { FOLLOWED_SECONDS, harvestNewestRankings, harvestRankings } from './harvest-rankings.ts';
import { Interrupted, discardDamaged, finishTask, unixSeconds } from './harvest-run.ts';
import type { HarvestRun } from './harvest-run.ts';
import { harvestSite } from './harvest-site.ts';
import type { Site } from './harvested-novel.ts';
import { NOT_FAILED, PAUSE_SECONDS, afterFailure, nextStep } from './next-step.ts';
import type { FollowFacts, Following } from './next-step.ts';
import { IncompleteWalk } from './walk-catalogue.ts';

const elapsedSeconds = (clock: Clock): number => clock.monotonic() / 1_000;

const factsOf = (run: HarvestRun): FollowFacts => ({
  now: unixSeconds(run.clock),
  elapsed: elapsedSeconds(run.clock),
  sites: run.adult ? ['novels', 'adult'] : ['novels'],
  hasIndex: (site) => newestGeneration(path.join(run.dir, site)) !== null,
  task: run.memory.state.tasks[0],
  follow: run.memory.state.follow,
});

/** Keeps a catalogue up to date. Ends only if aborted, or by a disk error. */
export async function followUpstream(run: HarvestRun): Promise<never> {
  let following = NOT_FAILED;
  for (;;) {
    run.signal.throwIfAborted();
    try {
      following = await followOnce(run, following);
    } catch (error) {
      await recover(run, error);
    }
  }
}

/** Pauses after a failure of the upstream or if the index is too large, discards a damaged index, throws anything else. */
async function recover(run: HarvestRun, error: unknown): Promise<void> {
  if (discardDamaged(run, error)) return;
  if (!(error instanceof ServiceError || error instanceof IndexTooLarge)) throw error;
  const what = { dir: run.dir, pauseSeconds: PAUSE_SECONDS, failure: describeFailure(error) };
  run.logger.warn(what, 'following failed; it is retried after a pause');
  await idle(run, PAUSE_SECONDS);
}

async function idle(run: HarvestRun, seconds: number): Promise<void> {
  run.reportStep({ step: 'idle' });
  await run.wait(seconds * 1_000);
}

async function followOnce(run: HarvestRun, following: Following): Promise<Following> {
  const step = nextStep(following, factsOf(run));
  if (step.kind === 'changes') return fetchChangesAndRankings(run, step.sites, following);
  if (step.kind === 'task') return tryTask(run, step.task, following);
  if (step.kind === 'begin') beginTasks(run, step.tasks);
  else await idle(run, step.seconds);
  return following;
}

function beginTasks({ memory, clock }: HarvestRun, tasks: readonly Task[]): void {
  const now = unixSeconds(clock);
  const changes = { novels: now, adult: now, ...memory.state.follow.changes };
  memory.commit({}, { ...NO_WALK, tasks, begunBy: 'follow', follow: { changes, round: now } });
}

/** Fetches the changes of each site and the newest rankings. A failure of one does not block the others. */
async function fetchChangesAndRankings(
  run: HarvestRun,
  sites: readonly Site[],
  following: Following,
): Promise<Following> {
  let haveOthersSucceeded = false;
  const attempt = async (part: Promise<void>): Promise<boolean> => {
    try {
      await part;
      return true;
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error;
      const what = { dir: run.dir, failure: describeFailure(error) };
      run.logger.warn(what, 'part of the new data is unavailable; it is requested again in the next round');
      return false;
    }
  };
  for (const site of sites) if (await attempt(followSite(run, site))) haveOthersSucceeded = true;
  await attempt(harvestNewestRankings(run));
  return { ...following, haveOthersSucceeded, changesRequestedAt: unixSeconds(run.clock) };
}

async function followSite(run: HarvestRun, site: Site): Promise<void> {
  const { changes, round } = run.memory.state.follow;
  const changesUntil = await followChanges(run, site, changes[site]);
  const follow = { changes: { ...changes, [site]: changesUntil }, round };
  run.memory.commit({ site, isIndexed: true }, { follow });
}

async function tryTask(run: HarvestRun, task: Task, following: Following): Promise<Following> {
  const succeeded = { ...following, failedTask: undefined };
  try {
    const throwIfInterrupted = () => {
      if (nextStep(following, factsOf(run)).kind !== 'task') throw new Interrupted();
    };
    const interruptible = { ...run, throwIfInterrupted };
    if (task.kind === 'walk') await harvestSite(interruptible, task.site);
    else if (task.kind === 'round') await followRound(interruptible, task.site);
    else await harvestRankings(interruptible, FOLLOWED_SECONDS);
    finishTask(run);
    return task.kind === 'walk'
      ? { ...succeeded, walks: { ...following.walks, [task.site]: undefined } }
      : succeeded;
  } catch (error) {
    if (error instanceof Interrupted) return succeeded;
    const isIncomplete = error instanceof IncompleteWalk;
    const isUpstream = error instanceof ServiceError;
    const elapsed = elapsedSeconds(run.clock);
    const { kind, pauseSeconds, ...failed } = afterFailure(following, task, {
      isUpstream,
      isIncomplete,
      elapsed,
    });
    if (kind === 'retried') {
      await recover(run, error);
      return failed.following;
    }
    if (task.kind === 'round') await rebuild(run, task.site);
    finishTask(run);
    const what = { dir: run.dir, task, failure: describeFailure(error) };
    if (pauseSeconds === undefined)
      run.logger.warn(what, 'one task fails while others succeed; it is skipped today');
    else run.logger.warn({ ...what, pauseSeconds }, 'fetching a site failed; it is restarted after a pause');
    return failed.following;
  }
}
