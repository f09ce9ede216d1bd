import type { Clock, Logger } from '@mokuroku/kit/process';
import type { Usage } from '@mokuroku/narou/upstream';
import type { ReportProblem } from '@mokuroku/narou/source';
import type { IndexOptions } from '../engine/build-index.ts';
import { DamagedFile } from '../engine/files.ts';
import { discardNewest } from '../engine/generations.ts';
import type { KeptGenerations } from '../engine/generations.ts';
import { NOVEL_INDEX } from '../engine/index-generations.ts';
import type { Site } from './harvested-novel.ts';
import type { HarvestMemory } from './harvest-memory.ts';
import type { HarvestConfig, SpentQuota, Upstream } from './open-upstream.ts';
import type { RetryingFetch, HarvestPause } from './retrying-fetch.ts';

export interface HarvestStep {
  readonly step: 'walk' | 'recount' | 'build' | 'rankings' | 'changes' | 'figures' | 'texts' | 'idle';
  /** Missing: all sites. */
  readonly site?: Site;
  /** Number of novels or rankings; while ranges are counted again, the number of remaining ranges. */
  readonly done?: number | undefined;
  readonly total?: number | undefined;
}

/** Reported after every request, and at the beginning of a pause. */
export interface HarvestProgress extends HarvestStep {
  readonly pause: HarvestPause | undefined;
  readonly spent: SpentQuota;
  readonly share: Usage;
  /** Since the start of this process. */
  readonly usage: Usage;
}

export interface HarvestOptions {
  readonly dir: string;
  readonly config: HarvestConfig;
  readonly adult: boolean;
  readonly rankings: boolean;
  readonly keptGenerations: KeptGenerations;
  readonly clock: Clock;
  /** Rejects when the signal is aborted. */
  readonly wait: (milliseconds: number) => Promise<unknown>;
  readonly random: () => number;
  readonly signal: AbortSignal;
  readonly logger: Logger;
  readonly report: ReportProblem;
  /** Script of the build thread; undefined: build in this thread. */
  readonly buildScript: URL | undefined;
  readonly freeBytes: (folder: string) => number;
  readonly onProgress: (progress: HarvestProgress) => void;
}

/** Shared by the parts of a harvest. Only `memory` and the totals of `upstream` change. */
export interface HarvestRun extends HarvestOptions {
  readonly memory: HarvestMemory;
  readonly upstream: Upstream;
  readonly retryingFetch: RetryingFetch;
  readonly reportStep: (step: HarvestStep) => void;
  /** Throws FolderInUse if another harvest has taken the folder over. */
  readonly requireLock: () => void;
  /** Throws Interrupted if a more urgent task is due. */
  readonly throwIfInterrupted: () => void;
}

/** A task stops before its next request; it continues later from its stored state. */
export class Interrupted extends Error {}

/** How a generation of a site's index is written. Changes of adult novels are not published. */
export const indexOptions = ({ keptGenerations, clock, memory }: HarvestRun, site: Site): IndexOptions => ({
  keptGenerations,
  now: unixSeconds(clock),
  isLogged: site === 'novels',
  isSample: memory.state.isSample,
});

export const unixSeconds = (clock: Clock): number => Math.floor(clock.now() / 1_000);

/**
 * Returns to the previous generation if an error is damage in an index. The figures of the next round, or a walk, show
 * which changes it lacks.
 */
export function discardDamaged({ logger, memory }: HarvestRun, error: unknown): boolean {
  if (!(error instanceof DamagedFile && error.folder !== undefined)) return false;
  logger.error(
    { dir: error.folder, failure: error.message },
    'discarded a damaged index: the previous one replaces it, or everything is fetched again; check the disk',
  );
  discardNewest(error.folder, NOVEL_INDEX);
  memory.forgetIndexes();
  return true;
}

export function finishTask({ memory }: HarvestRun): void {
  memory.restart({ tasks: memory.state.tasks.slice(1) });
}
