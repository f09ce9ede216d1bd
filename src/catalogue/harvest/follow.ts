import path from 'node:path';
import { ServiceError } from '../../errors.ts';
import { describeFailure } from '../../process/recurring-log.ts';
import { giveUpGeneration, newestGeneration, nextNumber } from '../index/engine/generations.ts';
import type { BrokenIndex } from '../index/engine/generations.ts';
import { japanDay } from '../novels/japan-date.ts';
import { MAX_AGE_SECONDS } from '../novels/max-age.ts';
import { PUBLICATION_HOURS } from '../novels/ranking-date.ts';
import { buildApart } from './build-catalogue.ts';
import { followChanges } from './follow-changes.ts';
import { followFigures, followTexts } from './follow-figures.ts';
import type { Task } from './harvest-journal.ts';
import { harvestNewestRankings, harvestRankings } from './harvest-rankings.ts';
import { keep, keepAlone, taskDone, unixSeconds } from './harvest-run.ts';
import type { HarvestRun } from './harvest-run.ts';
import { TooLittleCame, harvestSite } from './harvest-site.ts';
import type { Site } from './harvested-novel.ts';

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
function changesDueIn({ state, clock }: HarvestRun): number {
  const since = unixSeconds(clock) - (state.follow?.changes ?? 0);
  return since < 0 ? 0 : CHANGES_SECONDS - since;
}

/** Whether what changed is to be asked for, now that all sites have an index. */
export function areChangesDue(run: HarvestRun): boolean {
  const isWhole = run.state.tasks[0]?.kind === 'walk';
  return !isWhole && run.state.follow !== undefined && changesDueIn(run) <= 0;
}

/** Stays, and keeps a catalogue as new as its upstream. Only ends by being aborted, or by the disk. */
export async function follow(run: HarvestRun): Promise<never> {
  for (let walksInVain = 0; ;) {
    run.signal.throwIfAborted();
    try {
      await followOnce(run);
      walksInVain = 0;
    } catch (error) {
      if (isBrokenIndex(error)) giveUpIndex(run, error);
      else if (error instanceof ServiceError) await restAfter(run, error, REST_SECONDS);
      else if (error instanceof TooLittleCame) {
        await restAfter(run, error, Math.min(LONGEST_REST_SECONDS, REST_SECONDS * 2 ** walksInVain++));
      } else throw error;
    }
  }
}

async function restAfter(run: HarvestRun, error: Error, restSeconds: number): Promise<void> {
  const what = { dir: run.dir, restSeconds, failure: describeFailure(error) };
  run.logger.warn(what, 'what is to be followed cannot be had for now; it is tried again after a rest');
  run.tell({ step: 'idle', site: undefined, done: 0, total: undefined });
  await run.wait(restSeconds * 1_000);
}

/** By its name: the thread that builds hands over an error as a plain one with the same properties. */
const isBrokenIndex = (error: unknown): error is BrokenIndex =>
  error instanceof Error && error.name === 'BrokenIndex';

/** Goes on from the generation before. What that one lacks is met among the figures of the next round. */
function giveUpIndex({ logger, known }: HarvestRun, { folder, message }: BrokenIndex): void {
  logger.error(
    { dir: folder, failure: message },
    'an index is broken and given up: the one before takes its place, or all is fetched anew; look at the disk',
  );
  giveUpGeneration(folder);
  known.clear();
}

/** Does what is most urgent, or waits for what is next. */
async function followOnce(run: HarvestRun): Promise<void> {
  const now = unixSeconds(run.clock);
  const [task] = run.state.tasks;
  const missing = sitesOf(run).filter((site) => !hasIndex(run, site));
  if (areChangesDue(run)) {
    await followChanges(
      run,
      sitesOf(run).filter((site) => !missing.includes(site)),
    );
    await harvestNewestRankings(run);
  } else if (task && !missing.some((site) => isOfIndex(task, site))) {
    await runTask(run, task);
  } else if (missing.length > 0) {
    for (const site of missing) tellOfLoss(run, site);
    begin(run, wholeTasks(missing), now);
  } else if (run.state.follow === undefined || roundDay(now) !== roundDay(run.state.follow.round)) {
    begin(run, roundTasks(run), now);
  } else {
    run.tell({ step: 'idle', site: undefined, done: 0, total: undefined });
    await run.wait(Math.max(1, changesDueIn(run)) * 1_000);
  }
}

function begin(run: HarvestRun, tasks: readonly Task[], now: number): void {
  keep(run, {}, { tasks, follow: { changes: run.state.follow?.changes ?? now, round: now } });
}

/** Whether a task goes on from what the index of a site holds. */
const isOfIndex = (task: Task, site: Site): boolean =>
  task.kind !== 'walk' && task.kind !== 'rankings' && task.site === site;

/** An index of another release, or damaged beyond use, is days of requests: whoever runs this may have a copy. */
function tellOfLoss({ dir, logger }: HarvestRun, site: Site): void {
  const folder = path.join(dir, site);
  if (nextNumber(folder) === 1) return;
  logger.warn(
    { dir: folder },
    'no index there is whole and of this version of mokuroku: all is fetched anew, and what is there stays until then',
  );
}

const wholeTasks = (missing: readonly Site[]): Task[] => [
  ...missing.map((site): Task => ({ kind: 'walk', site })),
  { kind: 'rankings' },
];

/** Of a day. The index is built when all is there, so that none of it is on disk twice for long. */
function roundTasks(run: HarvestRun): Task[] {
  const sites = sitesOf(run);
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

/** The index anew, of what it held and all that came since, without what is too old to be kept. */
async function rebuild(run: HarvestRun, site: Site): Promise<void> {
  run.tell({ step: 'build', site, done: 0, total: run.known.get(site)?.size });
  const removeFetchedBefore = unixSeconds(run.clock) - MAX_AGE_SECONDS;
  const { dir, journal, signal } = run;
  const task = { dir, site, journalBytes: journal.bytes, isAnew: false, removeFetchedBefore };
  await buildApart(task, run.buildScript, signal);
  const isLast = run.state.tasks[1]?.kind !== 'build';
  if (isLast) keepAlone(run, taskDone(run));
  else keep(run, {}, taskDone(run));
}
