import path from 'node:path';
import type { Clock } from '../../process/clock.ts';
import type { Logger } from '../../process/logger.ts';
import type { Usage } from '../../upstream/budget.ts';
import type { ReportProblem } from '../source/catalogue-source.ts';
import type { KeptGenerations } from '../index/engine/generations.ts';
import type { HarvestConfig } from './config.ts';
import type { HarvestEntry, HarvestJournal, HarvestState } from './harvest-journal.ts';
import type { Site } from './harvested-novel.ts';
import type { HarvestMemory } from './harvest-memory.ts';
import { learn, readIndexed } from './known-novels.ts';
import type { KnownNovels } from './known-novels.ts';
import type { SpentToday, Upstream } from './open-upstream.ts';
import type { RetryingFetch, Rest } from './retrying-fetch.ts';

/** What a harvest does at the moment, and how far it is. */
export interface HarvestStep {
  readonly step: 'walk' | 'recount' | 'build' | 'rankings' | 'changes' | 'figures' | 'texts' | 'idle';
  /** undefined: of all. */
  readonly site: Site | undefined;
  /** Novels or rankings; ranges that are left, while these are counted again. */
  readonly done: number;
  readonly total: number | undefined;
}

/** Told behind every request, and when a rest begins. */
export interface HarvestProgress extends HarvestStep {
  /** Set while nothing is asked for. */
  readonly rest: Rest | undefined;
  readonly spent: SpentToday;
  readonly share: Usage;
  /** Since the start of this process. */
  readonly usage: Usage;
}

export interface HarvestOptions {
  /** The folder of the local catalogue. */
  readonly dir: string;
  readonly config: HarvestConfig;
  /** Adult novels too. */
  readonly adult: boolean;
  /** All rankings too. */
  readonly rankings: boolean;
  /** Generations of an index that stay. */
  readonly keep: KeptGenerations;
  readonly clock: Clock;
  /** Rejects when the signal is aborted. */
  readonly wait: (milliseconds: number) => Promise<unknown>;
  readonly random: () => number;
  readonly signal: AbortSignal;
  readonly logger: Logger;
  readonly report: ReportProblem;
  /** Of the thread that builds; undefined: in this one. */
  readonly buildScript: URL | undefined;
  /** Bytes that are free on the disk where a folder is. */
  readonly freeBytes: (folder: string) => number;
  readonly onProgress: (progress: HarvestProgress) => void;
}

/** What the parts of a harvest work with. */
export interface HarvestRun extends HarvestOptions {
  readonly journal: HarvestJournal;
  readonly upstream: Upstream;
  readonly ask: RetryingFetch;
  readonly reportStep: (step: HarvestStep) => void;
  /** Whether something is due for which a long task is to be left for a moment. */
  readonly isInterrupted: () => boolean;
  /** Where it stands; written with every entry. */
  state: HarvestState;
  /** When this process last asked for what changed, answered or not, in Unix seconds. */
  lookedAt: number | undefined;
  /** What the journal says. */
  readonly memory: HarvestMemory;
  /** What is held of each site, as far as it was needed. */
  readonly knownNovels: Map<Site, KnownNovels>;
}

export const unixSeconds = (clock: Clock): number => Math.floor(clock.now() / 1_000);

type Brought = Omit<HarvestEntry, 'state'>;

/** Has what a request brought in mind. */
export function noteProgress(run: HarvestRun, brought: Brought): void {
  run.memory.applyEntry(brought);
  const known = brought.site && run.knownNovels.get(brought.site);
  if (known) learn(known, brought);
}

/** Has what a request brought on disk, with where the harvest stands behind it. */
export function write(run: HarvestRun, brought: Brought, change: Partial<HarvestState> = {}): void {
  run.state = { ...run.state, ...change, spent: run.upstream.spent() };
  run.journal.append({ ...brought, state: run.state });
}

export function commit(run: HarvestRun, brought: Brought, change: Partial<HarvestState> = {}): void {
  noteProgress(run, brought);
  write(run, brought, change);
}

/** All that is held of a site: its index, and what was fetched since. */
export function knownOf(run: HarvestRun, site: Site): KnownNovels {
  const before = run.knownNovels.get(site);
  if (before) return before;
  const known = readIndexed(path.join(run.dir, site));
  for (const [key, novel] of run.memory.of(site).fetched) known.set(key, novel);
  run.knownNovels.set(site, known);
  return known;
}

/** The task under way is done. */
export const taskDone = ({ state }: HarvestRun): Partial<HarvestState> => ({
  tasks: state.tasks.slice(1),
  walk: null,
  counted: undefined,
  tally: undefined,
});

/** As `commit`, when nothing of what was fetched before is needed any more. */
export function commitAndTruncate(run: HarvestRun, change: Partial<HarvestState>): void {
  run.state = { ...run.state, ...change, spent: run.upstream.spent() };
  run.journal.restart({ state: run.state });
  run.memory.clear();
  run.knownNovels.clear();
}
