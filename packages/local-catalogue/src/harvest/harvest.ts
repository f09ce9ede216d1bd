import { followUpstream } from './follow.ts';
import type { HarvestState, Task } from './harvest-journal.ts';
import { HarvestMemory } from './harvest-memory.ts';
import { TIMED_SECONDS, harvestRankings } from './harvest-rankings.ts';
import type { RankingsSummary } from './harvest-rankings.ts';
import { finishTask } from './harvest-run.ts';
import type { HarvestOptions, HarvestRun, HarvestStep } from './harvest-run.ts';
import { harvestSite } from './harvest-site.ts';
import type { SiteSummary } from './harvest-site.ts';
import { withFolderLock } from './lock-folder.ts';
import { openUpstream } from './open-upstream.ts';
import type { Upstream } from './open-upstream.ts';
import { createRetryingFetch } from './retrying-fetch.ts';
import type { HarvestPause } from './retrying-fetch.ts';

export interface HarvestSummary {
  readonly sites: readonly SiteSummary[];
  /** undefined if they were not requested. */
  readonly rankings: RankingsSummary | undefined;
}

const WALK_NOVELS: Task = { kind: 'walk', site: 'novels' };
/** Longer failures end a harvest; with `--follow` it continues with another task. */
const MAX_OUTAGE_MS = 1_800_000;

/**
 * Fetches the whole catalogue into a folder and builds its index; resumes an interrupted run. Rejects with
 * FolderInUse, a ServiceError of the upstream, a system error of the disk, or the signal's reason. Fetched data are
 * then kept, and the next run resumes.
 */
export function harvest(options: HarvestOptions): Promise<HarvestSummary> {
  return withHarvestFolder(options, async (run) => {
    const { memory } = run;
    const { isResumed, ...change } = startState(memory.state, options);
    if (isResumed) memory.commit({}, change);
    else memory.restart(change);
    const sites: SiteSummary[] = [];
    let rankings: RankingsSummary | undefined;
    for (let task = memory.state.tasks[0]; task !== undefined; task = memory.state.tasks[0]) {
      if (task.kind === 'rankings') rankings = await harvestRankings(run, TIMED_SECONDS);
      else sites.push(await harvestSite(run, task.site));
      finishTask(run);
    }
    return { sites, rankings };
  });
}

/** Runs `harvest` if there is no index yet, then keeps the catalogue up to date. Rejects as `harvest` does. */
export function harvestAndFollow(options: HarvestOptions): Promise<never> {
  return withHarvestFolder(options, followUpstream);
}

type StartState = Pick<HarvestState, 'tasks' | 'begunBy' | 'adult'>;

/**
 * The tasks of a harvest: those of an interrupted one, with the newly requested ones, or all again. Of the tasks of
 * `--follow`, only a walk is one of a harvest too.
 */
export function startState(
  { tasks, begunBy, adult }: StartState,
  requested: Pick<HarvestOptions, 'adult' | 'rankings'>,
): StartState & { readonly isResumed: boolean } {
  const isResumed =
    tasks.some(({ kind }) => kind === 'walk' || begunBy !== 'follow') &&
    tasks.every(({ kind }) => kind === 'walk' || kind === 'rankings');
  const begun: StartState = isResumed ? { tasks, adult } : { tasks: [WALK_NOVELS], adult: false };
  const walks = begun.tasks.filter(({ kind }) => kind === 'walk');
  const areRankingsWanted = requested.rankings || walks.length < begun.tasks.length;
  return {
    isResumed,
    begunBy: 'harvest',
    adult: begun.adult || requested.adult,
    tasks: [
      ...walks,
      ...(requested.adult && !begun.adult ? [{ kind: 'walk', site: 'adult' } as const] : []),
      ...(areRankingsWanted ? [{ kind: 'rankings' } as const] : []),
    ],
  };
}

/** Locks the folder for `use`, and opens the state of an earlier run. */
function withHarvestFolder<Result>(
  options: HarvestOptions,
  use: (run: HarvestRun) => Promise<Result>,
): Promise<Result> {
  const { dir, config, logger } = options;
  return withFolderLock(options, async (signal, requireLock) => {
    let upstream: Upstream | undefined;
    const memory = new HarvestMemory(dir, logger, () => {
      requireLock();
      return upstream ? { spent: upstream.spent(), isSample: upstream.source.isSample() } : {};
    });
    try {
      const { spent: spentBefore, isSample: isSampleBefore } = memory.state;
      upstream = await openUpstream(config, { ...options, spentBefore, isSampleBefore });
      const { reportStep, reportPause } = createProgressReporter(options, upstream);
      const pauses = {
        intervalMs: config.HARVEST_PAUSE_MS,
        maxOutageMs: MAX_OUTAGE_MS,
        onPause: reportPause,
      };
      const retryingFetch = createRetryingFetch({ ...options, signal, ...pauses });
      const run = { ...options, signal, requireLock, memory, upstream, retryingFetch, reportStep };
      return await use({ ...run, throwIfInterrupted: () => undefined });
    } finally {
      await upstream?.close();
      memory.close();
    }
  });
}

/** Reports progress; during a pause, the last progress with the pause. */
function createProgressReporter({ onProgress }: HarvestOptions, upstream: Upstream) {
  let step: HarvestStep = { step: 'idle' };
  const show = (pause: HarvestPause | undefined): void => {
    const { share } = upstream;
    onProgress({ ...step, pause, spent: upstream.spent(), share, usage: upstream.total() });
  };
  return {
    reportPause: show,
    reportStep: (next: HarvestStep): void => {
      step = next;
      show(undefined);
    },
  };
}
