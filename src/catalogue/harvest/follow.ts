import path from 'node:path';
import { ServiceError } from '../../errors.ts';
import { describeFailure } from '../../process/throttled-log.ts';
import { giveUpGeneration, newestGeneration, nextNumber } from '../index/engine/generations.ts';
import type { BrokenIndex } from '../index/engine/generations.ts';
import { japanDay } from '../novels/japan-date.ts';
import { MAX_AGE_SECONDS } from '../novels/max-age.ts';
import { PUBLICATION_HOURS } from '../novels/ranking-date.ts';
import { buildApart } from './build-catalogue.ts';
import { NoRoom } from './disk-room.ts';
import { followChanges } from './follow-changes.ts';
import { followFigures, followTexts } from './follow-figures.ts';
import type { Task } from './harvest-journal.ts';
import { harvestNewestRankings, harvestRankings } from './harvest-rankings.ts';
import { commit, commitAndTruncate, knownOf, taskDone, unixSeconds } from './harvest-run.ts';
import type { HarvestRun } from './harvest-run.ts';
import { IncompleteWalk, harvestSite } from './harvest-site.ts';
import type { Site } from './harvested-novel.ts';
import { isDoubtful } from './profile.ts';
import { writeReport } from './write-report.ts';

/** What is new and changed is asked for so often. */
const CHANGES_SECONDS = 600;
/** After a failure that is not only a moment's. */
const REST_SECONDS = 600;
/** After whole walks in vain, each of which took thousands of requests, rests grow to this. */
const LONGEST_REST_SECONDS = 86_400;

const sitesOf = ({ adult }: HarvestRun): readonly Site[] => (adult ? ['novels', 'adult'] : ['novels']);

const hasIndex = ({ dir }: HarvestRun, site: Site): boolean =>
  newestGeneration(path.join(dir, site)) !== null;

/** The day's figures are those of the rankings, which are there by then: rounds begin at this hour in Japan. */
const roundDay = (seconds: number): number => japanDay((seconds - PUBLICATION_HOURS.to * 3_600) * 1_000);

/** Seconds until what changed is to be asked for. A look in the future was taken by a clock that has been put right. */
function changesDueIn({ state, lookedAt, clock }: HarvestRun): number {
  const last = lookedAt ?? Math.max(0, ...Object.values(state.follow?.changes ?? {}));
  const since = unixSeconds(clock) - last;
  return since < 0 ? 0 : CHANGES_SECONDS - since;
}

/** Whether what changed is to be asked for, of the sites that have an index. */
export const areChangesDue = (run: HarvestRun): boolean =>
  run.state.follow !== undefined &&
  changesDueIn(run) <= 0 &&
  sitesOf(run).some((site) => hasIndex(run, site));

/** What has failed of late: one interface that is out of order must not keep all others from being followed. */
interface Trouble {
  /** The task that failed last. */
  task: Task | undefined;
  /** Something else was answered since. */
  isAlone: boolean;
  /** First walks in vain: how many, and when (Unix seconds) the next may begin. */
  readonly walks: Map<Site, { readonly times: number; readonly nextAt: number }>;
}

/** Stays, and keeps a catalogue as new as its upstream. Only ends by being aborted, or by the disk. */
export async function followUpstream(run: HarvestRun): Promise<never> {
  const trouble: Trouble = { task: undefined, isAlone: false, walks: new Map() };
  for (;;) {
    run.signal.throwIfAborted();
    try {
      await followOnce(run, trouble);
    } catch (error) {
      if (isBrokenIndex(error)) giveUpIndex(run, error);
      else if (error instanceof ServiceError || error instanceof NoRoom) await restAfter(run, error);
      else throw error;
    }
  }
}

async function restAfter(run: HarvestRun, error: Error): Promise<void> {
  const what = { dir: run.dir, restSeconds: REST_SECONDS, failure: describeFailure(error) };
  run.logger.warn(what, 'following failed; it is retried after a pause');
  run.reportStep({ step: 'idle', site: undefined, done: 0, total: undefined });
  await run.wait(REST_SECONDS * 1_000);
}

/** By its name: the thread that builds hands over an error as a plain one with the same properties. */
const isBrokenIndex = (error: unknown): error is BrokenIndex =>
  error instanceof Error && error.name === 'BrokenIndex';

/** Goes on from the generation before. What that one lacks is met among the figures of the next round. */
function giveUpIndex({ logger, knownNovels: known }: HarvestRun, { folder, message }: BrokenIndex): void {
  logger.error(
    { dir: folder, failure: message },
    'discarded a damaged index: the previous one replaces it, or everything is fetched again; check the disk',
  );
  giveUpGeneration(folder);
  known.clear();
}

/** Does what is most urgent, or waits for what is next. */
async function followOnce(run: HarvestRun, trouble: Trouble): Promise<void> {
  const now = unixSeconds(run.clock);
  const [task] = run.state.tasks;
  const missing = sitesOf(run).filter((site) => !hasIndex(run, site));
  const indexed = sitesOf(run).filter((site) => !missing.includes(site));
  const walkDueIn = (site: Site) => (trouble.walks.get(site)?.nextAt ?? now) - now;
  const walkable = missing.filter((site) => walkDueIn(site) <= 0);
  if (areChangesDue(run)) {
    trouble.isAlone = await followNews(run, indexed);
  } else if (task && !missing.some((site) => isOfIndex(task, site))) {
    await tryTask(run, task, trouble);
  } else if (walkable.length > 0) {
    for (const site of walkable) warnOfLoss(run, site);
    begin(run, wholeTasks(walkable), now);
  } else if (
    indexed.length > 0 &&
    (run.state.follow === undefined || roundDay(now) !== roundDay(run.state.follow.round))
  ) {
    begin(run, roundTasks(indexed), now);
  } else {
    run.reportStep({ step: 'idle', site: undefined, done: 0, total: undefined });
    const dueIn = [...missing.map(walkDueIn), ...(indexed.length > 0 ? [changesDueIn(run)] : [])];
    await run.wait(Math.max(1, Math.min(...dueIn)) * 1_000);
  }
}

function begin(run: HarvestRun, tasks: readonly Task[], now: number): void {
  const changes = { novels: now, adult: now, ...run.state.follow?.changes };
  commit(run, {}, { tasks, follow: { changes, round: now } });
}

/** What is new of each site, and the newest rankings, each for itself. Resolves to whether any site answered. */
async function followNews(run: HarvestRun, sites: readonly Site[]): Promise<boolean> {
  const failures: ServiceError[] = [];
  const attempt = async (asked: Promise<void>) => {
    await asked.catch((error: unknown) => {
      if (!(error instanceof ServiceError)) throw error;
      failures.push(error);
    });
  };
  for (const site of sites) await attempt(followChanges(run, site));
  const [first] = failures;
  const isAnswered = failures.length < sites.length;
  await attempt(harvestNewestRankings(run));
  if (first && !isAnswered) await restAfter(run, first);
  else {
    for (const failure of failures) {
      const what = { dir: run.dir, failure: describeFailure(failure) };
      run.logger.warn(what, 'part of the new data is unavailable; it is requested again in the next round');
    }
  }
  // A task that waits has its turn before the next look.
  if (isAnswered || run.state.tasks.length > 0) run.lookedAt = unixSeconds(run.clock);
  return isAnswered;
}

/** Does a task; one that fails again while all else is answered is left out: the next round has it again. */
async function tryTask(run: HarvestRun, task: Task, trouble: Trouble): Promise<void> {
  try {
    await runTask(run, task);
    if (task.kind === 'walk') trouble.walks.delete(task.site);
    trouble.task = undefined;
  } catch (error) {
    const isOwn = trouble.task === task && trouble.isAlone && error instanceof ServiceError;
    trouble.task = task;
    trouble.isAlone = false;
    if (!isOwn && !(error instanceof IncompleteWalk)) throw error;
    const what = { dir: run.dir, task, failure: describeFailure(error) };
    if (task.kind === 'walk') {
      const { times = 0 } = trouble.walks.get(task.site) ?? {};
      const restSeconds = Math.min(LONGEST_REST_SECONDS, REST_SECONDS * 2 ** times);
      trouble.walks.set(task.site, { times: times + 1, nextAt: unixSeconds(run.clock) + restSeconds });
      run.logger.warn({ ...what, restSeconds }, 'fetching a site failed; it is restarted after a pause');
    } else run.logger.warn(what, 'one task fails while others succeed; it is skipped today');
    commit(run, {}, taskDone(run));
  }
}

/** Whether a task goes on from what the index of a site holds. */
const isOfIndex = (task: Task, site: Site): boolean =>
  task.kind !== 'walk' && task.kind !== 'rankings' && task.site === site;

/** An index of another release, or damaged beyond use, is days of requests: whoever runs this may have a copy. */
function warnOfLoss({ dir, logger }: HarvestRun, site: Site): void {
  const folder = path.join(dir, site);
  if (nextNumber(folder) === 1) return;
  logger.warn(
    { dir: folder },
    'no whole index of this version of mokuroku: everything is fetched again, and the old files stay until then',
  );
}

const wholeTasks = (missing: readonly Site[]): Task[] => [
  ...missing.map((site): Task => ({ kind: 'walk', site })),
  { kind: 'rankings' },
];

/** Of a day. The index is built when all is there, so that none of it is on disk twice for long. */
function roundTasks(sites: readonly Site[]): Task[] {
  const fetched = sites.flatMap((site): Task[] => [
    { kind: 'figures', site },
    { kind: 'texts', site },
  ]);
  return [...fetched, ...sites.map((site): Task => ({ kind: 'build', site })), { kind: 'rankings' }];
}

async function runTask(run: HarvestRun, task: Task): Promise<void> {
  switch (task.kind) {
    case 'walk':
      await harvestSite(run, task.site);
      break;
    case 'figures':
      await followFigures(run, task.site);
      break;
    case 'texts':
      await followTexts(run, task.site);
      break;
    case 'build':
      await rebuild(run, task.site);
      break;
    case 'rankings':
      await harvestRankings(run);
  }
}

/**
 * The index anew, of what it held and all that came since, without what is too old to be kept. Figures that cannot be
 * are left out; where what is left cannot be either, the old index stays. The next round fetches both again.
 */
async function rebuild(run: HarvestRun, site: Site): Promise<void> {
  const novels = knownOf(run, site).size;
  run.reportStep({ step: 'build', site, done: 0, total: novels });
  const { dir, journal, keep: kept } = run;
  const now = unixSeconds(run.clock);
  const removeFetchedBefore = now - MAX_AGE_SECONDS;
  const task = { dir, site, novels, keep: kept, journalBytes: journal.bytes, removeFetchedBefore, now };
  for (const of of ['index', 'index-without-figures'] as const) {
    try {
      await buildApart({ ...task, of }, run);
      break;
    } catch (error) {
      if (!isDoubtful(error)) throw error;
      const at = new Date(run.clock.now()).toISOString();
      const lastDoubted = { at, doubts: error.doubts, leftOut: of === 'index' ? 'figures' : 'all' } as const;
      writeReport(dir, site, { lastDoubted });
      run.logger.error(
        { dir, site, ...lastDoubted },
        'implausible data in this round: the old data stay, and the next round requests them again',
      );
    }
  }
  const isLast = run.state.tasks[1]?.kind !== 'build';
  if (isLast) commitAndTruncate(run, taskDone(run));
  else commit(run, {}, taskDone(run));
}
