import fs from 'node:fs';
import path from 'node:path';
import type { CatalogueNovel } from '@mokuroku/narou/scan';
import { buildIndex, readIndex } from '../engine/build-index.ts';
import type { IndexOptions } from '../engine/build-index.ts';
import { beginGeneration, removeUnpublished } from '../engine/generations.ts';
import {
  NOVEL_INDEX,
  filesToVerify,
  newestGeneration,
  requireGeneration,
  requireIntact,
} from '../engine/index-generations.ts';
import { MAX_RECORDS } from '../engine/layout.ts';
import { runInThread } from '../engine/run-in-thread.ts';
import { ncodeToNumber } from '@mokuroku/narou';
import { journalFile } from './harvest-journal.ts';
import type { HarvestEntry } from './harvest-journal.ts';
import { indexOptions } from './harvest-run.ts';
import type { HarvestRun } from './harvest-run.ts';
import { withFigures } from './harvested-novel.ts';
import type { Figures, Site } from './harvested-novel.ts';
import { readEntries } from './journal.ts';

/** A build; sent to a thread. */
export interface BuildTask {
  readonly dir: string;
  readonly site: Site;
  readonly options: IndexOptions;
  /** Length of the valid part of the journal. */
  readonly journalBytes: number;
  /** After a walk the journal can stand alone, without an index. */
  readonly source: 'walk' | 'index';
  /** Unix seconds. */
  readonly removeFetchedBefore?: number;
}

/**
 * The last record of each novel by its position, and figures received after it; withdrawn novels. Later entries win.
 */
function readLastRecords(entries: Iterable<HarvestEntry>, site: Site) {
  const positions = new Map<number, number>();
  const figures = new Map<number, Figures>();
  const withdrawn = new Set<number>();
  let position = 0;
  for (const entry of entries) {
    if (entry.site !== site) continue;
    for (const each of entry.figures ?? []) figures.set(ncodeToNumber(each.ncode), each);
    for (const { ncode } of entry.put ?? []) {
      positions.set(ncodeToNumber(ncode), position++);
      figures.delete(ncodeToNumber(ncode));
      withdrawn.delete(ncodeToNumber(ncode));
    }
    for (const ncode of entry.gone ?? []) {
      positions.delete(ncodeToNumber(ncode));
      withdrawn.add(ncodeToNumber(ncode));
    }
  }
  return { positions, figures, withdrawn };
}

function* novelsOf(
  task: BuildTask,
  existing: Iterable<CatalogueNovel>,
  { positions, figures, withdrawn }: ReturnType<typeof readLastRecords>,
): Iterable<CatalogueNovel> {
  const { dir, site, journalBytes, removeFetchedBefore = 0 } = task;
  const withNewest = (novel: CatalogueNovel) => {
    const newer = figures.get(ncodeToNumber(novel.ncode));
    return newer === undefined ? novel : withFigures(novel, newer);
  };
  for (const novel of existing) {
    const number = ncodeToNumber(novel.ncode);
    const isOld = novel.fetched_at < removeFetchedBefore;
    if (!isOld && !positions.has(number) && !withdrawn.has(number)) yield withNewest(novel);
  }
  let position = 0;
  for (const entry of readEntries<HarvestEntry>(journalFile(dir), journalBytes)) {
    if (entry.site !== site) continue;
    for (const novel of entry.put ?? []) {
      const isLast = positions.get(ncodeToNumber(novel.ncode)) === position++;
      if (isLast && novel.fetched_at >= removeFetchedBefore) yield withNewest(novel);
    }
  }
}

/** The novels of the existing index; none if a walk builds the first one. Throws DamagedFile. */
function existingNovels(folder: string, { source }: BuildTask): Iterable<CatalogueNovel> {
  const generation = source === 'walk' ? newestGeneration(folder) : requireGeneration(folder);
  if (generation === null) return [];
  requireIntact(folder, filesToVerify(generation));
  return readIndex(folder);
}

/**
 * Builds the next generation of a site's index. Rejects with DamagedFile, so that damaged data are not copied under
 * new checksums; the current generation then stays.
 */
export async function buildCatalogue(task: BuildTask): Promise<void> {
  const folder = path.join(task.dir, task.site);
  const last = readLastRecords(readEntries(journalFile(task.dir), task.journalBytes), task.site);
  const { withdrawn } = last;
  const novels = novelsOf(task, existingNovels(folder, task), last);
  await buildIndex(folder, novels, { ...task.options, withdrawn });
}

export function readFreeBytes(folder: string): number {
  const { bavail, bsize } = fs.statfsSync(folder);
  return bavail * bsize;
}

/**
 * Bytes of disk per novel during a build. Measured in November 2026 with invented texts of realistic length. A quarter
 * is freed when the build ends.
 */
const BYTES_A_NOVEL = 6_500;

const formatBytes = (bytes: number): string =>
  bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;

/** An index is not built: the current one stays. */
export class IndexTooLarge extends Error {
  override readonly name = 'IndexTooLarge';
}

function checkSize(folder: string, novels: number, freeBytes: (folder: string) => number): void {
  const index = `The index of ${novels.toLocaleString('en')} novels`;
  if (novels > MAX_RECORDS)
    throw new IndexTooLarge(
      `${index} is not built: it can have ${MAX_RECORDS.toLocaleString('en')} at most.`,
    );
  const [needed, free] = [novels * BYTES_A_NOVEL, freeBytes(folder)];
  if (free < needed)
    throw new IndexTooLarge(
      `${index} takes about ${formatBytes(needed)} in addition to the contents of ${folder}; ${formatBytes(free)} are free there.`,
    );
}

/**
 * Builds in its own thread if there is a script for one: a build takes minutes. Rejects with IndexTooLarge before it begins.
 * Deletes the files of a killed, failed or aborted build, so that a full disk has space again.
 */
export async function buildInThread(
  run: HarvestRun,
  part: Pick<BuildTask, 'site' | 'source' | 'removeFetchedBefore'>,
): Promise<void> {
  const { dir, buildScript } = run;
  const { site } = part;
  const novels = run.memory.novelsOf(site).size;
  run.reportStep({ step: 'build', site, total: novels });
  const folder = path.join(dir, site);
  const number = await beginGeneration(folder, NOVEL_INDEX);
  checkSize(folder, novels, run.freeBytes);
  // Before the build, which a resumed task repeats: published after it, an earlier change would replace its record.
  run.memory.commit({ site, isIndexed: true });
  const { journalBytes } = run.memory;
  const task: BuildTask = { ...part, dir, journalBytes, options: { ...indexOptions(run, site), number } };
  run.signal.throwIfAborted();
  try {
    if (buildScript === undefined) await buildCatalogue(task);
    else await runInThread(buildScript, task, run.signal);
  } catch (error) {
    // After the harvest was suspended, the files may be those of another one: then its end is FolderInUse.
    run.requireLock();
    removeUnpublished(folder, NOVEL_INDEX);
    throw error;
  }
}
