import path from 'node:path';
import type { Clock } from '../../process/clock.ts';
import type { Logger } from '../../process/logger.ts';
import type { Usage } from '../../upstream/budget.ts';
import type { NovelRecord, ReportProblem } from '../catalogue-source.ts';
import { buildApart } from './build-catalogue.ts';
import type { HarvestConfig } from './config.ts';
import { openHarvestJournal } from './harvest-journal.ts';
import type { HarvestJournal, HarvestState, Task } from './harvest-journal.ts';
import { marksOf, novelOf, keyOf } from './harvested-novel.ts';
import type { Site } from './harvested-novel.ts';
import { lockFolder } from './lock-folder.ts';
import { openUpstream } from './open-upstream.ts';
import type { SpentToday, Upstream } from './open-upstream.ts';
import { createPoliteAsker } from './polite-asker.ts';
import type { AskPolitely, Rest } from './polite-asker.ts';
import { beginWalk } from './walk.ts';
import type { WalkQuestion, WalkState } from './walk.ts';
import { countAll, walkCatalogue } from './walk-catalogue.ts';

/** What a harvest is doing, told behind every request. */
export interface HarvestProgress {
  readonly step: 'walk' | 'recount' | 'build';
  readonly site: Site;
  /** Novels, or ranges while these are counted again. */
  readonly done: number;
  readonly total: number | undefined;
  /** Set while nothing is asked for. */
  readonly rest: Rest | undefined;
  readonly spent: SpentToday;
  readonly share: Usage;
  /** Since the start of this process. */
  readonly asked: Usage;
}

/** What is there of a site when it has been harvested. */
export interface SiteSummary {
  readonly site: Site;
  readonly novels: number;
  /** As the upstream counts them; what it says of a thousand and more may be hours old. */
  readonly counted: number | undefined;
  /** Counted in the ranges that were asked for, and not to be had. */
  readonly missed: number;
}

export interface HarvestOptions {
  /** The folder of the local catalogue. */
  readonly dir: string;
  readonly config: HarvestConfig;
  /** Adult novels too. */
  readonly adult: boolean;
  readonly clock: Clock;
  /** Rejects when the signal is aborted. */
  readonly wait: (milliseconds: number) => Promise<unknown>;
  readonly random: () => number;
  readonly signal: AbortSignal;
  readonly logger: Logger;
  readonly report: ReportProblem;
  /** Of the thread that builds; undefined: in this one. */
  readonly buildScript: URL | undefined;
  readonly onProgress: (progress: HarvestProgress) => void;
}

/** Failures that last longer end a harvest that is not to stay. */
const PATIENCE_MS = 1_800_000;
/** A walk that has missed more than this part of what is there is not put in the place of an older one. */
const MOST_MISSED = 0.1;
const RENEW_LOCK_MS = 15_000;

/** What the parts of a harvest work with. */
interface Harvest extends HarvestOptions {
  readonly journal: HarvestJournal;
  readonly upstream: Upstream;
  readonly ask: AskPolitely;
  /** Where it stands; written with every entry. */
  state: HarvestState;
  tell: (progress: Pick<HarvestProgress, 'step' | 'site' | 'done' | 'total'>) => void;
}

/**
 * Walks the whole catalogue into a folder and builds its index; goes on where an earlier run was broken off. Rejects
 * with FolderInUse, a ServiceError of the upstream, a system error of the disk, or the signal's reason: what was
 * fetched is kept then, and the next run goes on.
 */
export async function harvest(options: HarvestOptions): Promise<readonly SiteSummary[]> {
  const { dir, clock } = options;
  const lock = lockFolder(path.join(dir, 'harvest'), clock);
  const lost = new AbortController();
  const renewing = setInterval(() => {
    try {
      lock.renew();
    } catch (error) {
      lost.abort(error);
    }
  }, RENEW_LOCK_MS);
  const signal = AbortSignal.any([options.signal, lost.signal]);
  try {
    const journal = openHarvestJournal(dir);
    try {
      return await runWith(journal, { ...options, signal });
    } finally {
      journal.close();
    }
  } finally {
    clearInterval(renewing);
    lock.release();
  }
}

async function runWith(journal: HarvestJournal, options: HarvestOptions): Promise<readonly SiteSummary[]> {
  const { config, clock, wait, random, logger, report, signal } = options;
  const last = lastState(journal);
  const upstream = await openUpstream(config, {
    ...{ clock, wait, random, logger, report },
    spentBefore: last?.spent,
  });
  let shown: Pick<HarvestProgress, 'step' | 'site' | 'done' | 'total'> | undefined;
  const show = (rest: Rest | undefined) => {
    const { share, total: asked } = upstream;
    if (shown) options.onProgress({ ...shown, rest, spent: upstream.spent(), share, asked });
  };
  const ask = createPoliteAsker({
    ...{ clock, wait, signal, pauseMs: config.HARVEST_PAUSE_MS, patienceMs: PATIENCE_MS },
    onRest: show,
  });
  const tell: Harvest['tell'] = (progress) => {
    shown = progress;
    show(undefined);
  };
  const state = withTasks(last, options.adult, upstream.spent());
  try {
    return await runTasks({ ...options, journal, upstream, ask, state, tell });
  } finally {
    await upstream.close();
  }
}

function lastState(journal: HarvestJournal): HarvestState | undefined {
  let state: HarvestState | undefined;
  for (const entry of journal.entries()) state = entry.state;
  return state;
}

/** A round that was broken off goes on; else a new one begins. */
function withTasks(last: HarvestState | undefined, adult: boolean, spent: SpentToday): HarvestState {
  const sites: readonly Site[] = adult ? ['novels', 'adult'] : ['novels'];
  const whole = sites.map((site): Task => ({ kind: 'walk', site }));
  if (last === undefined || last.tasks.length === 0) {
    return { spent, tasks: whole, walk: null, counted: undefined };
  }
  const isAdded = adult && !last.tasks.some(({ site }) => site === 'adult');
  return isAdded ? { ...last, tasks: [...last.tasks, { kind: 'walk', site: 'adult' }] } : last;
}

async function runTasks(run: Harvest): Promise<readonly SiteSummary[]> {
  const summaries: SiteSummary[] = [];
  for (let task = run.state.tasks[0]; task !== undefined; task = run.state.tasks[0]) {
    summaries.push(await harvestSite(run, task.site));
  }
  return summaries;
}

/** Novels by key, each with the second of its last episode. */
type Held = Map<number, number>;

function countHeld(held: Held, min: number, max: number): number {
  let count = 0;
  for (const lastup of held.values()) if (lastup >= min && lastup <= max) count++;
  return count;
}

function readHeld({ journal }: Harvest, site: Site): Held {
  const held: Held = new Map();
  for (const entry of journal.entries()) {
    if (entry.site === site) hold(held, entry.put ?? []);
  }
  return held;
}

function hold(held: Held, records: readonly (NovelRecord | object)[]): void {
  for (const record of records) {
    const marks = marksOf(record as NovelRecord);
    if (marks) held.set(keyOf(marks.ncode), marks.lastup);
  }
}

function isHeld(held: Held, record: NovelRecord): boolean {
  const marks = marksOf(record);
  return marks !== undefined && held.get(keyOf(marks.ncode)) === marks.lastup;
}

async function harvestSite(run: Harvest, site: Site): Promise<SiteSummary> {
  const { upstream, ask, clock, journal } = run;
  const parts = { source: upstream.source, ask, site };
  const held = readHeld(run, site);
  const begun = run.state.walk ?? beginWalk();
  tellWalk(run, { site, walk: begun, counted: run.state.counted, held });
  const counted = run.state.counted ?? (await countAll(parts));
  const walked = await walkCatalogue(begun, {
    ...{ ...parts, clock, extent: 'whole' },
    held: (min, max) => countHeld(held, min, max),
    take: (page, question) => {
      // What is of no style is asked for last, among all others: those are known by their style already.
      const rows = question.style === null ? page.filter((record) => !isHeld(held, record)) : page;
      hold(held, rows);
      return (walk) => {
        keepWalk(run, { site, rows, question, walk, counted });
        tellWalk(run, { site, walk, counted, held });
      };
    },
  });
  const { missed } = walked;
  if (missed > MOST_MISSED * (missed + held.size)) {
    throw new Error(
      `${missed} of ${missed + held.size} novels could not be had: no index was built of the others.`,
    );
  }
  const recounted = await countAll(parts);
  run.tell({ step: 'build', site, done: 0, total: held.size });
  await buildApart({ dir: run.dir, site, journalBytes: journal.bytes }, run.buildScript, run.signal);
  const tasks = run.state.tasks.slice(1);
  run.state = { spent: upstream.spent(), tasks, walk: null, counted: undefined };
  journal.restart({ state: run.state });
  return { site, novels: held.size, counted: recounted, missed };
}

interface WalkStep {
  site: Site;
  rows: readonly NovelRecord[];
  question: WalkQuestion;
  walk: WalkState;
  counted: number | undefined;
}

function keepWalk(run: Harvest, { site, rows, question, walk, counted }: WalkStep): void {
  const fetchedAt = Math.floor(run.clock.now() / 1_000);
  const put = rows
    .map((record) => novelOf(record, question.style ?? 0, fetchedAt))
    .filter((novel) => novel !== undefined);
  run.state = { ...run.state, spent: run.upstream.spent(), walk, counted };
  run.journal.append({ state: run.state, ...(put.length > 0 && { site, put }) });
}

function tellWalk(
  run: Harvest,
  { site, walk, counted, held }: { site: Site; walk: WalkState; counted: number | undefined; held: Held },
): void {
  if (walk.phase === 'walk') run.tell({ step: 'walk', site, done: held.size, total: counted });
  else run.tell({ step: 'recount', site, done: walk.ranges.length, total: undefined });
}
