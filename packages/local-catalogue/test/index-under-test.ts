import { ncodeToNumber } from '@mokuroku/narou';
import type { NovelQuery } from '@mokuroku/narou/queries';
import { parseNovel } from '@mokuroku/narou/scan';
import type { CatalogueNovel, FoundPage } from '@mokuroku/narou/scan';
import { buildIndex, changeIndex, readIndex } from '../src/engine/build-index.ts';
import type { IndexOptions } from '../src/engine/build-index.ts';
import { damagedFiles } from '../src/engine/generations.ts';
import { filesToVerify, requireGeneration, loadGeneration } from '../src/engine/index-generations.ts';
import { openLoaded } from '../src/engine/open-index.ts';
import type { OpenIndex } from '../src/engine/open-index.ts';

/** Small enough that a few hundred novels need several ranges, many samples and hundreds of bitmaps. */
export const SMALL = { spacing: 4, rangePositions: 3000 };

/** Opens the newest complete generation in a folder. */
export const openIndex = (dir: string, now: () => number, maxAgeSeconds?: number): OpenIndex =>
  openLoaded(dir, loadGeneration(dir, requireGeneration(dir)), now, maxAgeSeconds);

/** Publishes changes as the next generation: a build, as of a daily round, if novels are withdrawn. */
export async function publishChanges(
  dir: string,
  { put = [], remove = [] }: { put?: readonly CatalogueNovel[]; remove?: readonly string[] },
  options?: IndexOptions,
): Promise<void> {
  if (remove.length === 0) return changeIndex(dir, put, options);
  const novels = new Map([...readIndex(dir)].map((novel) => [novel.ncode, novel]));
  for (const ncode of remove) novels.delete(ncode);
  for (const novel of put) novels.set(novel.ncode, novel);
  const withdrawn = new Set(remove.map(ncodeToNumber));
  await buildIndex(dir, novels.values(), { ...options, withdrawn });
}

/** All that is stored of a record, without braces. */
export const WHOLE = (stored: string): string => stored.slice(1, -1);

/** A search that returns whole records. */
export function searchRecords(index: OpenIndex, query: NovelQuery): FoundPage<CatalogueNovel> {
  const { total, json } = index.search(query, WHOLE);
  const stored = JSON.parse(json.toString()) as object[];
  return { total, records: stored.map((each) => parseNovel(JSON.stringify(each))) };
}

/** Reads every file of the newest generation of an index, and returns the damaged ones. */
export const verifyIndex = (dir: string): string[] =>
  damagedFiles(dir, filesToVerify(requireGeneration(dir)));
