import path from 'node:path';
import type { LoadedChanges } from '@mokuroku/narou/scan';
import { loadChanges } from './change-log.ts';
import type { ChangeLog } from './change-log.ts';
import { DamagedFile } from './files.ts';
import type { FileFacts } from './files.ts';
import { damagedFiles, newestComplete } from './generations.ts';
import type { GenerationFacts, GenerationKind, NamedFile } from './generations.ts';
import { loadKeywords } from './keywords.ts';
import type { Keywords } from './keywords.ts';
import { INDEX_VERSION, READ_FILES } from './layout.ts';
import type { SegmentFacts } from './layout.ts';
import { runInThread } from './run-in-thread.ts';
import { loadSegment } from './segment.ts';
import type { SegmentData } from './segment.ts';

/** One state of the index. */
export interface IndexGeneration extends GenerationFacts {
  readonly segments: readonly SegmentFacts[];
  readonly keywords: string;
  /** True if the novels are invented. */
  readonly isSample?: boolean;
  /** The changes of each generation; undefined if they are not published. */
  readonly changes?: ChangeLog;
  /** `keywords` and `changes` files. */
  readonly files: Readonly<Record<string, FileFacts>>;
}

export const filesOfSegment = ({ folder, files }: SegmentFacts): NamedFile[] =>
  Object.entries(files).map(([name, facts]) => [path.join(folder, name), facts]);

export const NOVEL_INDEX: GenerationKind<IndexGeneration> = {
  version: INDEX_VERSION,
  ownNames: /^(segment|keywords|changes)-\d{6}/,
  filesOf: ({ segments, files }) => [...Object.entries(files), ...segments.flatMap(filesOfSegment)],
};

/** The newest complete generation, or null. */
export const newestGeneration = (dir: string): IndexGeneration | null => newestComplete(dir, NOVEL_INDEX);

/** Throws DamagedFile if there is none. */
export function requireGeneration(dir: string): IndexGeneration {
  const generation = newestGeneration(dir);
  if (generation === null) throw new DamagedFile('no generation is complete', dir);
  return generation;
}

/** The files of a generation, except in folders that were verified before. */
export const filesToVerify = (
  generation: IndexGeneration,
  verifiedFolders: ReadonlySet<string> = new Set(),
): NamedFile[] =>
  NOVEL_INDEX.filesOf(generation).filter(([file]) => !verifiedFolders.has(path.dirname(file)));

/** The files of a generation that stay in memory. All others are verified with `sums` when they are read. */
export const filesInMemory = (generation: IndexGeneration): NamedFile[] =>
  filesToVerify(generation).filter(
    ([file]) => !(READ_FILES as readonly string[]).includes(path.basename(file)),
  );

/** Throws DamagedFile with the folder if one of these files is damaged. */
export function requireIntact(dir: string, files: readonly NamedFile[]): void {
  const damaged = damagedFiles(dir, files);
  if (damaged.length > 0) throw new DamagedFile(damaged.join(', '), dir);
}

/** The in-memory part of a generation: plain data that another thread can read and transfer without a copy. */
export interface LoadedGeneration {
  readonly generation: IndexGeneration;
  /** Segments by folder, without those that are open already. */
  readonly segments: ReadonlyMap<string, SegmentData>;
  readonly keywords: Keywords;
  readonly changes: LoadedChanges | undefined;
}

/** Reads the in-memory part, which has been verified, without the segments in folders that are open already. */
export function loadGeneration(
  dir: string,
  generation: IndexGeneration,
  openFolders: ReadonlySet<string> = new Set(),
): LoadedGeneration {
  const others = generation.segments.filter(({ folder }) => !openFolders.has(folder));
  return {
    generation,
    segments: new Map(others.map((facts) => [facts.folder, loadSegment(dir, facts)])),
    keywords: loadKeywords(path.join(dir, generation.keywords)),
    changes: generation.changes && loadChanges(dir, generation.changes),
  };
}

export interface LoadTask {
  readonly dir: string;
  /** Files to verify. */
  readonly files: readonly NamedFile[];
  /** Generation to read if all files are valid, except for open folders. */
  readonly load?:
    { readonly generation: IndexGeneration; readonly openFolders: ReadonlySet<string> } | undefined;
}

/** Verifies files, which takes seconds for a million records, and reads their generation, if requested. */
export function performLoad({ dir, files, load }: LoadTask): LoadedGeneration | undefined {
  requireIntact(dir, files);
  return load && loadGeneration(dir, load.generation, load.openFolders);
}

/** Performs a task in another thread with `script` (see load-worker.ts), or in this thread if undefined. */
export const loadInThread = async (script: URL | undefined, task: LoadTask) =>
  script === undefined
    ? performLoad(task)
    : ((await runInThread(script, task)) as LoadedGeneration | undefined);
