import path from 'node:path';
import { ServiceError } from '../../errors.ts';
import type { Clock } from '../../process/clock.ts';
import { describeFailure } from '../../process/throttled-log.ts';
import { discardNewest } from '../index/engine/generations.ts';
import { NOVEL_INDEX, newestGeneration } from '../index/engine/index-generations.ts';
import type { DamagedIndex } from '../index/engine/index-generations.ts';
import { japanDay } from '../novels/japan-date.ts';
import { PUBLICATION_HOURS } from '../novels/ranking-date.ts';
import { DiskFull } from './disk-space.ts';
import { followChanges } from './follow-changes.ts';
import type { FollowOutcome } from './follow-changes.ts';
import { followFigures, followTexts, rebuild } from './follow-round.ts';
import type { Task } from './harvest-journal.ts';
import { FOLLOWED_SECONDS, harvestNewestRankings, harvestRankings } from './harvest-rankings.ts';
import { finishTask, endTask, unixSeconds } from './harvest-run.ts';
import type { HarvestRun } from './harvest-run.ts';
import { IncompleteWalk, harvestSite } from './harvest-site.ts';
import type { Site } from './harvested-novel.ts';

/** Interval of the requests for new and changed novels. */
const CHANGES_SECONDS = 600;
/** Pause after a failure despite retries. */
const PAUSE_SECONDS = 600;
/** Longest pause after failed walks, each of which sent thousands of requests. */
const MAX_PAUSE_SECONDS = 86_400;

const elapsedSeconds = (clock: Clock): number => clock.monotonic() / 1_000;

/** State of this process. Each step returns the next state; the journal has the rest. */
interface Following {
  /** When changes were last requested, successfully or not, in Unix seconds. */
  readonly changesRequestedAt?: number;
  /** The last failed task: one failing interface must not block the others. */
  readonly failedTask?: Task | undefined;
  /** True if other requests have succeeded since. */
  readonly haveOthersSucceeded: boolean;
  /** Failed walks: their number, and when (seconds of the monotonic clock) the next may begin. */
  readonly walks: Partial<Readonly<Record<Site, { readonly times: number; readonly nextAt: number }>>>;
}

const sitesOf = ({ adult }: HarvestRun): readonly Site[] => (adult ? ['novels', 'adult'] : ['novels']);

const hasIndex = ({ dir }: HarvestRun, site: Site): boolean =>
  newestGeneration(path.join(dir, site)) !== null;

/**
 * The day of a round. Rounds begin at an hour in Japan at which the rankings of the day are published, with the same
 * figures.
 */
const roundDay = (seconds: number): number => japanDay((seconds - PUBLICATION_HOURS.to * 3_600) * 1_000);

/**
 * Seconds until changes are due. A future time of the last request comes from a clock that was set back: they are due
 * now.
 */
function changesDueIn({ memory, clock }: HarvestRun, { changesRequestedAt }: Following): number {
  const last = changesRequestedAt ?? Math.max(0, ...Object.values(memory.state.follow?.changes ?? {}));
  const since = unixSeconds(clock) - last;
  return since < 0 ? 0 : CHANGES_SECONDS - since;
}

/** Whether changes are due, for the sites with an index. */
const areChangesDue = (run: HarvestRun, following: Following): boolean =>
  run.memory.state.follow !== undefined &&
  changesDueIn(run, following) <= 0 &&
  sitesOf(run).some((site) => hasIndex(run, site));

/** Keeps a catalogue up to date. Ends only if aborted, or by a disk error. */
export async function followUpstream(run: HarvestRun): Promise<never> {
  let following: Following = { haveOthersSucceeded: false, walks: {} };
  for (;;) {
    run.signal.throwIfAborted();
    try {
      following = await followOnce(run, following);
    } catch (error) {
      await recover(run, error);
    }
  }
}

/** Pauses after a failure of the upstream or a full disk, discards a damaged index, throws anything else. */
async function recover(run: HarvestRun, error: unknown): Promise<void> {
  if (isDamagedIndex(error)) {
    discardIndex(run, error);
    return;
  }
  if (!(error instanceof ServiceError || error instanceof DiskFull)) throw error;
  const what = { dir: run.dir, pauseSeconds: PAUSE_SECONDS, failure: describeFailure(error) };
  run.logger.warn(what, 'following failed; it is retried after a pause');
  await idle(run, PAUSE_SECONDS);
}

async function idle(run: HarvestRun, seconds: number): Promise<void> {
  run.reportStep({ step: 'idle', site: undefined, done: 0, total: undefined });
  await run.wait(seconds * 1_000);
}

/** Compares the name: the build thread sends an error as a plain one with the same properties. */
const isDamagedIndex = (error: unknown): error is DamagedIndex =>
  error instanceof Error && error.name === 'DamagedIndex';

/** Returns to the previous generation. The figures of the next round show which changes it lacks. */
function discardIndex({ logger, memory }: HarvestRun, { folder, message }: DamagedIndex): void {
  logger.error(
    { dir: folder, failure: message },
    'discarded a damaged index: the previous one replaces it, or everything is fetched again; check the disk',
  );
  discardNewest(folder, NOVEL_INDEX);
  memory.forgetIndexes();
}

/** Runs the most urgent task, or waits for the next one. */
async function followOnce(run: HarvestRun, following: Following): Promise<Following> {
  const now = unixSeconds(run.clock);
  const { tasks, follow } = run.memory.state;
  const [task] = tasks;
  const missing = sitesOf(run).filter((site) => !hasIndex(run, site));
  const indexed = sitesOf(run).filter((site) => !missing.includes(site));
  const walkDueIn = (site: Site) => (following.walks[site]?.nextAt ?? 0) - elapsedSeconds(run.clock);
  const walkable = missing.filter((site) => walkDueIn(site) <= 0);
  if (areChangesDue(run, following)) return fetchChangesAndRankings(run, indexed, following);
  if (task && !missing.some((site) => isOfIndex(task, site))) return tryTask(run, task, following);
  if (walkable.length > 0) {
    const walks = walkable.map((site): Task => ({ kind: 'walk', site }));
    beginTasks(run, [...walks, { kind: 'rankings' }], now);
  } else if (indexed.length > 0 && (follow === undefined || roundDay(now) !== roundDay(follow.round))) {
    beginTasks(run, roundTasks(indexed), now);
  } else {
    const changes = indexed.length > 0 ? [changesDueIn(run, following)] : [];
    await idle(run, Math.max(1, Math.min(...missing.map(walkDueIn), ...changes)));
  }
  return following;
}

function beginTasks({ memory }: HarvestRun, tasks: readonly Task[], now: number): void {
  const changes = { novels: now, adult: now, ...memory.state.follow?.changes };
  memory.commit({}, { tasks, begunBy: 'follow', follow: { changes, round: now } });
}

/** Fetches the changes of each site and the newest rankings. A failure of one does not block the others. */
async function fetchChangesAndRankings(
  run: HarvestRun,
  sites: readonly Site[],
  following: Following,
): Promise<Following> {
  let failedSites = 0;
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
  for (const site of sites) if (!(await attempt(followSite(run, site)))) failedSites++;
  await attempt(harvestNewestRankings(run));
  const haveOthersSucceeded = failedSites < sites.length;
  return { ...following, haveOthersSucceeded, changesRequestedAt: unixSeconds(run.clock) };
}

async function followSite(run: HarvestRun, site: Site): Promise<void> {
  const { changes, round } = run.memory.state.follow ?? { changes: {}, round: 0 };
  const changesUntil = await followChanges(run, site, changes[site]);
  const follow = { changes: { ...changes, [site]: changesUntil }, round };
  run.memory.commit({ site, isIndexed: true }, { follow });
}

/** Runs a task. If it fails again while other requests succeed, it is skipped until the next round. */
async function tryTask(run: HarvestRun, task: Task, following: Following): Promise<Following> {
  try {
    const outcome = await performTask(run, task, () => areChangesDue(run, following));
    if (outcome !== 'interrupted') finishTask(run);
    const walks = task.kind === 'walk' ? { ...following.walks, [task.site]: undefined } : following.walks;
    return { ...following, walks, failedTask: undefined };
  } catch (error) {
    const isOwn =
      following.failedTask === task && following.haveOthersSucceeded && error instanceof ServiceError;
    const failed = { ...following, failedTask: task, haveOthersSucceeded: false };
    if (!isOwn && !(error instanceof IncompleteWalk)) {
      await recover(run, error);
      return failed;
    }
    const what = { dir: run.dir, task, failure: describeFailure(error) };
    endTask(run.memory);
    if (task.kind !== 'walk') {
      run.logger.warn(what, 'one task fails while others succeed; it is skipped today');
      return failed;
    }
    const { times = 0 } = following.walks[task.site] ?? {};
    const pauseSeconds = Math.min(MAX_PAUSE_SECONDS, PAUSE_SECONDS * 2 ** times);
    run.logger.warn({ ...what, pauseSeconds }, 'fetching a site failed; it is restarted after a pause');
    const nextAt = elapsedSeconds(run.clock) + pauseSeconds;
    return { ...failed, walks: { ...following.walks, [task.site]: { times: times + 1, nextAt } } };
  }
}

/** Whether a task needs the index of a site. */
const isOfIndex = (task: Task, site: Site): boolean =>
  task.kind !== 'walk' && task.kind !== 'rankings' && task.site === site;

/** The tasks of a day. The index is built last, so that its data are stored twice only for a short time. */
function roundTasks(sites: readonly Site[]): Task[] {
  const fetched = sites.flatMap((site): Task[] => [
    { kind: 'figures', site },
    { kind: 'texts', site },
  ]);
  return [...fetched, ...sites.map((site): Task => ({ kind: 'build', site })), { kind: 'rankings' }];
}

async function performTask(
  run: HarvestRun,
  task: Task,
  isInterrupted: () => boolean,
): Promise<FollowOutcome> {
  switch (task.kind) {
    case 'walk':
      await harvestSite(run, task.site);
      return 'done';
    case 'figures':
      return followFigures(run, task.site, isInterrupted);
    case 'texts':
      return followTexts(run, task.site, isInterrupted);
    case 'build':
      await rebuild(run, task.site);
      return 'done';
    case 'rankings':
      return (await harvestRankings(run, FOLLOWED_SECONDS, isInterrupted)) === null ? 'interrupted' : 'done';
  }
}
