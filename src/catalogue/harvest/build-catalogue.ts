import fs from 'node:fs';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import type { CatalogueNovel } from '../index/catalogue-novel.ts';
import { buildIndex, readIndex } from '../index/engine/build-index.ts';
import type { BuildOptions } from '../index/engine/build-segment.ts';
import { checkIndex, wholeGeneration } from '../index/engine/generations.ts';
import { ncodeToNumber } from '../novels/ncode.ts';
import { journalFile } from './harvest-journal.ts';
import type { HarvestEntry } from './harvest-journal.ts';
import { withFigures } from './harvested-novel.ts';
import type { Figures, Site } from './harvested-novel.ts';
import { readEntries } from './journal.ts';

/** What is to be built: sent to a thread. */
export interface BuildTask {
  readonly dir: string;
  readonly site: Site;
  /** How much of the journal counts. */
  readonly journalBytes: number;
  /** Of the journal alone; else of what the index holds with what the journal says behind it. */
  readonly isAnew: boolean;
  /** Unix seconds. */
  readonly removeFetchedBefore?: number;
}

/** Whoever comes later wins: the place of the last word on each novel, and the figures that came behind its record. */
function lastWords(entries: Iterable<HarvestEntry>, site: Site) {
  const places = new Map<number, number>();
  const figures = new Map<number, Figures>();
  let place = 0;
  for (const entry of entries) {
    if (entry.site !== site) continue;
    for (const each of entry.figures ?? []) figures.set(ncodeToNumber(each.ncode), each);
    for (const { ncode } of entry.put ?? []) {
      places.set(ncodeToNumber(ncode), place++);
      figures.delete(ncodeToNumber(ncode));
    }
    for (const ncode of entry.gone ?? []) places.set(ncodeToNumber(ncode), place++);
  }
  return { places, figures };
}

/** The novels of a site that are to be in its index, each once. */
function* novelsOf(task: BuildTask): Iterable<CatalogueNovel> {
  const { dir, site, journalBytes, isAnew, removeFetchedBefore = 0 } = task;
  const entries = () => readEntries<HarvestEntry>(journalFile(dir), journalBytes);
  const { places, figures } = lastWords(entries(), site);
  const withNewest = (novel: CatalogueNovel) => {
    const newer = figures.get(ncodeToNumber(novel.ncode));
    return newer === undefined ? novel : withFigures(novel, newer);
  };
  for (const novel of isAnew ? [] : readIndex(path.join(dir, site))) {
    const isOld = novel.fetched_at < removeFetchedBefore;
    if (!isOld && !places.has(ncodeToNumber(novel.ncode))) yield withNewest(novel);
  }
  let place = 0;
  for (const entry of entries()) {
    if (entry.site !== site) continue;
    for (const novel of entry.put ?? []) {
      const isLast = places.get(ncodeToNumber(novel.ncode)) === place++;
      if (isLast && novel.fetched_at >= removeFetchedBefore) yield withNewest(novel);
    }
    place += entry.gone?.length ?? 0;
  }
}

/** Builds the next generation of a site's index. Rejects with BrokenIndex: what is broken is not carried on under new sums. */
export async function buildCatalogue(task: BuildTask, options: BuildOptions = {}): Promise<void> {
  const folder = path.join(task.dir, task.site);
  if (!task.isAnew) checkIndex(folder, wholeGeneration(folder), new Set());
  await buildIndex(folder, novelsOf(task), options);
}

function runThread(task: BuildTask, script: URL, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(script, { workerData: task });
    const end = () => void worker.terminate();
    signal.addEventListener('abort', end, { once: true });
    worker.once('error', reject);
    worker.once('exit', (code) => {
      signal.removeEventListener('abort', end);
      if (signal.aborted) reject(signal.reason as Error);
      else if (code === 0) resolve();
      else reject(new Error(`the build ended with ${code}`));
    });
  });
}

/**
 * Builds in a thread of its own, where there is a script for one: a build takes minutes. What one leaves behind that
 * fails or is broken off goes, so that a full disk has room again.
 */
export async function buildApart(
  task: BuildTask,
  script: URL | undefined,
  signal: AbortSignal,
): Promise<void> {
  const folder = path.join(task.dir, task.site);
  fs.mkdirSync(folder, { recursive: true });
  const before = new Set(fs.readdirSync(folder));
  try {
    await (script === undefined ? buildCatalogue(task) : runThread(task, script, signal));
  } catch (error) {
    for (const name of fs.readdirSync(folder)) {
      if (!before.has(name)) fs.rmSync(path.join(folder, name), { recursive: true, force: true });
    }
    throw error;
  }
}
