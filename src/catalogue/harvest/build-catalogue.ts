import fs from 'node:fs';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import type { CatalogueNovel } from '../index/catalogue-novel.ts';
import { buildIndex } from '../index/engine/build-index.ts';
import type { BuildOptions } from '../index/engine/build-segment.ts';
import { journalFile } from './harvest-journal.ts';
import type { HarvestEntry } from './harvest-journal.ts';
import { keyOf, withFigures } from './harvested-novel.ts';
import type { Figures, Site } from './harvested-novel.ts';
import { readEntries } from './journal.ts';

/** What is to be built: sent to a thread. */
export interface BuildTask {
  readonly dir: string;
  readonly site: Site;
  /** How much of the journal counts. */
  readonly journalBytes: number;
}

/** Whoever comes later wins: the place of the last record of each novel, and what came behind it. */
function lastWords(entries: Iterable<HarvestEntry>, site: Site) {
  const puts = new Map<number, number>();
  const figures = new Map<number, Figures>();
  let place = 0;
  for (const entry of entries) {
    if (entry.site !== site) continue;
    for (const novel of entry.put ?? []) {
      puts.set(keyOf(novel.ncode), place++);
      figures.delete(keyOf(novel.ncode));
    }
    for (const each of entry.figures ?? []) figures.set(keyOf(each.ncode), each);
    for (const ncode of entry.gone ?? []) puts.set(keyOf(ncode), place++);
  }
  return { puts, figures };
}

/** The novels of a site that a journal makes, each once. */
export function* novelsOf({ dir, site, journalBytes }: BuildTask): Iterable<CatalogueNovel> {
  const entries = () => readEntries<HarvestEntry>(journalFile(dir), journalBytes);
  const { puts, figures } = lastWords(entries(), site);
  let place = 0;
  for (const entry of entries()) {
    if (entry.site !== site) continue;
    for (const novel of entry.put ?? []) {
      const key = keyOf(novel.ncode);
      const newer = figures.get(key);
      if (puts.get(key) === place++) yield newer === undefined ? novel : withFigures(novel, newer);
    }
    place += entry.gone?.length ?? 0;
  }
}

/** Builds the next generation of a site's index. */
export async function buildCatalogue(task: BuildTask, options: BuildOptions = {}): Promise<void> {
  await buildIndex(path.join(task.dir, task.site), novelsOf(task), options);
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
