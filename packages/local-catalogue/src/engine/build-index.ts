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
  readDeadIds,
  requireGeneration,
  requireIntact,
} from './index-generations.ts';
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
}

interface Written {
  readonly segments: readonly SegmentFacts[];
  readonly totals: KeywordTotals;
  /** Files written beside the segments. */
  readonly dead: readonly string[];
  readonly compared: Compared;
}

const systemSeconds = (): number => Math.floor(Date.now() / 1000);

/** Writes the other files of a generation, after its segments, and publishes it. */
function publishIndex(
  dir: string,
  number: number,
  { segments, totals, dead, compared }: Written,
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
  const names = [keywords, ...dead, ...(changes?.files ?? []).map(({ name }) => name)];
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
  const number = await beginGeneration(dir, NOVEL_INDEX);
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
    publishIndex(dir, number, { segments, totals, dead: [], compared }, options);
  } finally {
    comparison.close();
  }
}

/** Changes: new or different records, and removed Ncodes. If an Ncode is in both, the record counts. */
interface Changes {
  readonly put: readonly CatalogueNovel[];
  readonly remove: readonly string[];
}

/**
 * Writes changes as the next generation, with earlier changes in one small segment. Writes a few thousand records a
 * second and blocks this process, so do not call it in a process that serves requests. For more changes, rebuild the
 * index from `readIndex`. Rejects with DamagedFile if copied or replaced records are damaged.
 */
export async function changeIndex(dir: string, changes: Changes, options: IndexOptions = {}): Promise<void> {
  const before = requireGeneration(dir);
  const unchanged = before.segments.filter(({ isChange }) => !isChange).map(({ folder }) => folder);
  requireIntact(dir, filesToVerify(before, new Set(unchanged)));
  const number = await beginGeneration(dir, NOVEL_INDEX);
  const put = new Map(changes.put.map((novel) => [novel.ncode, novel]));
  const news = new Map(put);
  const touched = new Set([...changes.remove, ...put.keys()].map(ncodeToNumber));
  const totals = readKeywordTotals(path.join(dir, before.keywords));
  for (const novel of put.values()) countKeywords(totals, novel, 1);
  const segments: SegmentFacts[] = [];
  const replaced = new Map<string, CatalogueNovel>();
  for (const segment of before.segments) {
    const { old, live } = splitIds(dir, segment, touched);
    for (const novel of readSegmentRecords(dir, segment, old)) {
      // The columns of unchanged segments are not verified here, since they are large.
      if (!touched.has(ncodeToNumber(novel.ncode)))
        throw new DamagedFile(path.join(segment.folder, 'columns'), dir);
      countKeywords(totals, novel, -1);
      replaced.set(novel.ncode, novel);
    }
    if (!segment.isChange) segments.push(markDead(dir, number, segment, old));
    else for (const novel of readSegmentRecords(dir, segment, live)) put.set(novel.ncode, novel);
  }
  const folder = `${numberedName('segment', number)}-changes`;
  segments.push(buildSegment(dir, { folder, isChange: true }, put.values(), options));
  const ncodes = [...new Set([...changes.remove, ...news.keys()])];
  const logged = ncodes.flatMap((ncode) => loggedChanges(replaced.get(ncode), news.get(ncode)));
  const compared = { log: before.changes, changes: logged };
  publishIndex(
    dir,
    number,
    { segments, totals, dead: segments.flatMap(({ dead }) => dead ?? []), compared },
    options,
  );
}

/** Reads a file of an index. Throws DamagedFile with the folder if it is damaged. */
function readIntact<Read>(dir: string, file: string, read: () => Read): Read {
  try {
    return read();
  } catch (error) {
    throw error instanceof DamagedFile ? new DamagedFile(file, dir) : error;
  }
}

/** The live ids of a segment, divided into those with a changed Ncode and the others. */
function splitIds(dir: string, segment: SegmentFacts, touched: ReadonlySet<number>) {
  const dead = new Set(readDeadIds(dir, segment));
  const ncodes = readNumbers(path.join(dir, segment.folder, 'columns'), segment.records);
  const old: number[] = [];
  const live: number[] = [];
  for (let id = 0; id < ncodes.length; id++) {
    if (!dead.has(id)) (touched.has(ncodes[id] as number) ? old : live).push(id);
  }
  return { old, live };
}

function markDead(dir: string, number: number, segment: SegmentFacts, ids: readonly number[]): SegmentFacts {
  if (ids.length === 0) return segment;
  const dead = numberedName('dead', number) + segment.folder.replace('segment', '');
  const all = Uint32Array.from([...readDeadIds(dir, segment), ...ids]);
  fs.writeFileSync(path.join(dir, dead), all, { flush: true });
  return { ...segment, dead };
}

function* readSegmentRecords(
  dir: string,
  segment: SegmentFacts,
  ids: readonly number[],
): Iterable<CatalogueNovel> {
  if (ids.length === 0) return;
  const records = path.join(segment.folder, 'records');
  const { file, reader } = readIntact(dir, records, () => openRecords(dir, segment));
  try {
    for (const id of ids) yield readIntact(dir, records, () => reader.record(id));
  } finally {
    fs.closeSync(file);
  }
}

/** The records of the newest generation: all, or those of some Ncodes, by their numbers. */
export function* readIndex(dir: string, ncodes?: ReadonlySet<number>): Iterable<CatalogueNovel> {
  for (const segment of requireGeneration(dir).segments) {
    const { old, live } = splitIds(dir, segment, ncodes ?? new Set());
    yield* readSegmentRecords(dir, segment, ncodes ? old : live);
  }
}
