import fs from 'node:fs';
import path from 'node:path';
import { ncodeToNumber } from '@mokuroku/narou';
import type { CatalogueNovel } from '@mokuroku/narou/scan';
import { buildSegment } from './build-segment.ts';
import type { BuildOptions } from './build-segment.ts';
import { DamagedFile, factsOfFile, readNumbers } from './files.ts';
import { beginGeneration, numberedName, publishGeneration } from './generations.ts';
import type { KeptGenerations } from './generations.ts';
import {
  NOVEL_INDEX,
  filesToVerify,
  newestGeneration,
  requireGeneration,
  requireIntact,
} from './index-generations.ts';
import type { IndexGeneration } from './index-generations.ts';
import { writeChanges } from './change-log.ts';
import { compareWith, loggedChanges } from './compare-generations.ts';
import type { Compared } from './compare-generations.ts';
import { countKeywords, readKeywordTotals, writeKeywords } from './keywords.ts';
import type { KeywordTotals } from './keywords.ts';
import { INDEX_VERSION } from './layout.ts';
import type { SegmentFacts } from './layout.ts';
import { openRecords } from './segment.ts';

/** Options of a build. */
export interface IndexOptions extends BuildOptions {
  readonly keptGenerations?: KeptGenerations | undefined;
  /** Unix seconds: stated as the time of the changes. */
  readonly now?: number;
  /** Ncodes, as numbers. That another novel of the previous generation is left out is no event. */
  readonly withdrawn?: ReadonlySet<number>;
  /** Whether to write the events since the previous generation; default true. */
  readonly isLogged?: boolean;
  /** With more changes since the previous generation, a new log of events starts. */
  readonly maxChanges?: number | undefined;
  /** Whether the novels are invented. */
  readonly isSample?: boolean | undefined;
  /** Of a generation that the caller has begun. */
  readonly number?: number;
}

interface Written {
  readonly segments: readonly SegmentFacts[];
  readonly totals: KeywordTotals;
  readonly compared: Compared;
}

const systemSeconds = (): number => Math.floor(Date.now() / 1000);

/** Writes the other files of a generation, after its segments, and publishes it. */
function publishIndex(
  dir: string,
  number: number,
  { segments, totals, compared }: Written,
  { keptGenerations, now = systemSeconds(), isLogged = true, isSample = false }: IndexOptions,
): void {
  const keywords = numberedName('keywords', number);
  writeKeywords(path.join(dir, keywords), totals);
  const changes = isLogged
    ? writeChanges(dir, {
        number,
        before: compared.log,
        changes: compared.changes,
        now,
        seed: JSON.stringify(segments),
      })
    : undefined;
  const names = [keywords, ...(changes?.files ?? []).map(({ name }) => name)];
  const generation = {
    version: INDEX_VERSION,
    number,
    segments,
    keywords,
    ...(isSample && { isSample }),
    ...(changes && { changes }),
    files: Object.fromEntries(names.map((name) => [name, factsOfFile(path.join(dir, name))])),
  };
  publishGeneration(dir, generation, NOVEL_INDEX, keptGenerations);
}

/**
 * Builds the index of a catalogue, in which every Ncode occurs once, as the next generation in a folder. The current
 * one is served until all files are written, and stays until the generation after.
 */
export async function buildIndex(
  dir: string,
  records: Iterable<CatalogueNovel>,
  options: IndexOptions = {},
): Promise<void> {
  const number = options.number ?? (await beginGeneration(dir, NOVEL_INDEX));
  const totals: KeywordTotals = new Map();
  const before = options.isLogged === false ? null : newestGeneration(dir);
  const comparison = compareWith(dir, before, options.maxChanges);
  function* counted(): Iterable<CatalogueNovel> {
    for (const novel of records) {
      countKeywords(totals, novel, 1);
      comparison.add(novel);
      yield novel;
    }
  }
  try {
    const folder = `${numberedName('segment', number)}-1`;
    const segments = [buildSegment(dir, { folder, isChange: false }, counted(), options)];
    const compared = comparison.finish(options.withdrawn);
    publishIndex(dir, number, { segments, totals, compared }, options);
  } finally {
    comparison.close();
  }
}

/**
 * Writes new and different records as the next generation, with earlier ones in one small segment: of equal Ncodes, the
 * record there counts. Writes a few thousand records a second and blocks this process, so do not call it in a process
 * that serves requests. For more changes, or to leave novels out, rebuild the index from `readIndex`. Rejects with
 * DamagedFile if copied or replaced records are damaged.
 */
export async function changeIndex(
  dir: string,
  changed: readonly CatalogueNovel[],
  options: IndexOptions = {},
): Promise<void> {
  const before = requireGeneration(dir);
  const unchanged = before.segments.filter(({ isChange }) => !isChange);
  requireIntact(dir, filesToVerify(before, new Set(unchanged.map(({ folder }) => folder))));
  const number = await beginGeneration(dir, NOVEL_INDEX);
  const news = new Map(changed.map((novel) => [novel.ncode, novel]));
  const touched = new Set([...news.keys()].map(ncodeToNumber));
  const put = new Map(news);
  const replaced = new Map<string, CatalogueNovel>();
  const totals = readKeywordTotals(path.join(dir, before.keywords));
  for (const novel of news.values()) countKeywords(totals, novel, 1);
  for (const novel of readLive(dir, before, (ncode, { isChange }) => isChange || touched.has(ncode))) {
    if (!news.has(novel.ncode)) put.set(novel.ncode, novel);
    else {
      countKeywords(totals, novel, -1);
      replaced.set(novel.ncode, novel);
    }
  }
  const folder = `${numberedName('segment', number)}-changes`;
  const segments = [...unchanged, buildSegment(dir, { folder, isChange: true }, put.values(), options)];
  const changes = [...news].flatMap(([ncode, novel]) => loggedChanges(replaced.get(ncode), novel));
  publishIndex(dir, number, { segments, totals, compared: { log: before.changes, changes } }, options);
}

/** Reads a file of an index. Throws DamagedFile with the folder if it is damaged. */
function readIntact<Read>(dir: string, file: string, read: () => Read): Read {
  try {
    return read();
  } catch (error) {
    throw error instanceof DamagedFile ? new DamagedFile(file, dir) : error;
  }
}

/** The records of a generation that are wanted, and that none of a later segment replaces. */
function* readLive(
  dir: string,
  { segments }: IndexGeneration,
  isWanted: (ncode: number, segment: SegmentFacts) => boolean,
): Iterable<CatalogueNovel> {
  const later = new Set<number>();
  for (const segment of segments.toReversed()) {
    const ncodes = readNumbers(path.join(dir, segment.folder, 'columns'), segment.records);
    const ids: number[] = [];
    for (let id = 0; id < ncodes.length; id++) {
      const ncode = ncodes[id] as number;
      if (isWanted(ncode, segment) && !later.has(ncode)) ids.push(id);
    }
    if (segment.isChange) for (const ncode of ncodes) later.add(ncode);
    yield* readRecords(dir, segment, ncodes, ids);
  }
}

function* readRecords(
  dir: string,
  segment: SegmentFacts,
  ncodes: Uint32Array,
  ids: readonly number[],
): Iterable<CatalogueNovel> {
  if (ids.length === 0) return;
  const records = path.join(segment.folder, 'records');
  const { file, reader } = readIntact(dir, records, () => openRecords(dir, segment));
  try {
    for (const id of ids) {
      const novel = readIntact(dir, records, () => reader.record(id));
      // The columns of a large segment are not verified before they are read here.
      if (ncodeToNumber(novel.ncode) !== ncodes[id])
        throw new DamagedFile(path.join(segment.folder, 'columns'), dir);
      yield novel;
    }
  } finally {
    fs.closeSync(file);
  }
}

/** The records of the newest generation: all, or those of some Ncodes, by their numbers. */
export const readIndex = (dir: string, ncodes?: ReadonlySet<number>): Iterable<CatalogueNovel> =>
  readLive(dir, requireGeneration(dir), (ncode) => ncodes?.has(ncode) ?? true);
