import fs from 'node:fs';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import type { CatalogueNovel } from '../index/catalogue-novel.ts';
import { buildIndex, readGeneration, readIndex } from '../index/engine/build-index.ts';
import type { IndexOptions } from '../index/engine/build-index.ts';
import {
  brokenFiles,
  checkIndex,
  filesToVerify,
  formerGeneration,
  newestGeneration,
  wholeGeneration,
} from '../index/engine/generations.ts';
import type { KeptGenerations } from '../index/engine/generations.ts';
import { makeFolder } from '../../process/make-folder.ts';
import { ncodeToNumber } from '../novels/ncode.ts';
import { checkRoom } from './disk-room.ts';
import { ofFormerLayout } from './former-records.ts';
import { journalFile } from './harvest-journal.ts';
import type { HarvestEntry } from './harvest-journal.ts';
import { figuresOfNovel, withFigures } from './harvested-novel.ts';
import type { Figures, Site } from './harvested-novel.ts';
import { readEntries } from './journal.ts';
import { DoubtfulRound, createProfile, doubtsAbout } from './profile.ts';

/** Describes a build. Sent to a thread. */
export interface BuildTask {
  readonly dir: string;
  readonly site: Site;
  /** How many novels there will be, about. */
  readonly novels: number;
  readonly keep: KeptGenerations;
  /** How much of the journal counts. */
  readonly journalBytes: number;
  /**
   * Of what: the journal alone; what the index holds with what the journal says behind it, or without the figures that
   * it says; the records of an index of a former layout.
   */
  readonly of: 'journal' | 'index' | 'index-without-figures' | 'former';
  /** Unix seconds. */
  readonly removeFetchedBefore?: number;
  /** Unix seconds. */
  readonly now: number;
}

/** Later entries win: the position of the last record of each novel, and the figures received after it. */
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
function* novelsOf(task: BuildTask, held: Iterable<CatalogueNovel>): Iterable<CatalogueNovel> {
  const { dir, site, journalBytes, of, removeFetchedBefore = 0 } = task;
  const entries = () => readEntries<HarvestEntry>(journalFile(dir), journalBytes);
  const { places, figures } = lastWords(entries(), site);
  // If the new figures are rejected, new records keep the figures of the existing ones.
  const areFiguresLeft = of === 'index-without-figures';
  if (areFiguresLeft) figures.clear();
  const withNewest = (novel: CatalogueNovel) => {
    const newer = figures.get(ncodeToNumber(novel.ncode));
    return newer === undefined ? novel : withFigures(novel, newer);
  };
  for (const novel of held) {
    const number = ncodeToNumber(novel.ncode);
    const isOld = novel.fetched_at < removeFetchedBefore;
    if (areFiguresLeft && places.has(number)) figures.set(number, figuresOfNovel(novel));
    if (of !== 'journal' && !isOld && !places.has(number)) yield withNewest(novel);
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

/** What the index holds: for a walk that is to take its place nothing where that is broken. */
function heldBefore(folder: string, { of }: BuildTask): Iterable<CatalogueNovel> {
  if (of !== 'journal') {
    checkIndex(folder, wholeGeneration(folder), new Set());
    return readIndex(folder);
  }
  const generation = newestGeneration(folder);
  const isWhole = generation && brokenFiles(folder, filesToVerify(generation, new Set())).length === 0;
  return isWhole ? readIndex(folder) : [];
}

/** The novels of a build; throws DoubtfulRound behind the last where all together cannot be, by what was held. */
function* judgedNovels(folder: string, task: BuildTask): Iterable<CatalogueNovel> {
  const [before, after] = [createProfile(), createProfile()];
  const held = function* () {
    for (const novel of heldBefore(folder, task)) {
      before.add(novel);
      yield novel;
    }
  };
  for (const novel of novelsOf(task, held())) {
    after.add(novel);
    yield novel;
  }
  const doubts = doubtsAbout(before.profile(), after.profile());
  if (doubts.length > 0) throw new DoubtfulRound(doubts);
}

/**
 * Builds the next generation of a site's index. Rejects with BrokenIndex: what is broken is not carried on under new
 * sums; and with DoubtfulRound: the generation in force stays.
 */
export async function buildCatalogue(task: BuildTask, options: IndexOptions = {}): Promise<void> {
  const folder = path.join(task.dir, task.site);
  const former = task.of === 'former' ? formerGeneration(folder) : null;
  const novels = former
    ? ofFormerLayout(readGeneration(folder, former), task.site)
    : judgedNovels(folder, task);
  const { keep, now } = task;
  // The changes of adult novels are not published.
  const isLogged = task.site === 'novels';
  await buildIndex(folder, novels, { ...options, keep, now, isLogged, changesSoFar: former?.changes });
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

/** How a build is done. */
export interface BuildParts {
  /** Of the thread that builds; undefined: in this one. */
  readonly buildScript: URL | undefined;
  readonly signal: AbortSignal;
  /** Bytes that are free where a folder is. */
  readonly freeBytes: (folder: string) => number;
}

/**
 * Builds in a thread of its own, where there is a script for one: a build takes minutes. Rejects with NoRoom before it
 * begins. What one leaves behind that fails or is broken off goes, so that a full disk has room again.
 */
export async function buildApart(task: BuildTask, parts: BuildParts): Promise<void> {
  const folder = path.join(task.dir, task.site);
  await makeFolder(folder);
  checkRoom(folder, task.novels, parts.freeBytes);
  const before = new Set(fs.readdirSync(folder));
  try {
    if (parts.buildScript === undefined) await buildCatalogue(task);
    else await runThread(task, parts.buildScript, parts.signal);
  } catch (error) {
    for (const name of fs.readdirSync(folder)) {
      if (!before.has(name)) fs.rmSync(path.join(folder, name), { recursive: true, force: true });
    }
    throw error;
  }
}
