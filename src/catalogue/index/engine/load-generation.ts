import { once } from 'node:events';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { brokenFiles, BrokenIndex, deadOf, filesInMemory } from './generations.ts';
import type { Generation, NamedFile } from './generations.ts';
import { loadChanges } from './changes.ts';
import type { LoadedChanges } from './changes.ts';
import { loadKeywords } from './keywords.ts';
import type { Keywords } from './keywords.ts';
import { loadSegment } from './segment.ts';
import type { SegmentData } from './segment.ts';

/** What of a generation stays in memory. Plain data: it can be read in another thread, and handed over uncopied. */
export interface LoadedGeneration {
  readonly generation: Generation;
  /** By folder; those that are known already are left out. */
  readonly segments: ReadonlyMap<string, SegmentData>;
  /** By folder, ids that do not count any more. */
  readonly dead: ReadonlyMap<string, Uint32Array>;
  readonly keywords: Keywords;
  readonly changes: LoadedChanges | undefined;
}

/**
 * Reads what stays in memory, and verifies it: requests are answered from here on. Throws BrokenIndex. All else is
 * verified by `sums` when it is read.
 */
export function loadGeneration(
  dir: string,
  generation: Generation,
  known: ReadonlySet<string>,
): LoadedGeneration {
  const broken = brokenFiles(dir, filesInMemory(generation, known));
  if (broken.length > 0) throw new BrokenIndex(dir, broken);
  const unknown = generation.segments.filter(({ folder }) => !known.has(folder));
  return {
    generation,
    segments: new Map(
      unknown.map((facts) => [facts.folder, loadSegment(path.join(dir, facts.folder), facts)]),
    ),
    dead: new Map(generation.segments.map((segment) => [segment.folder, deadOf(dir, segment)])),
    keywords: loadKeywords(path.join(dir, generation.keywords)),
    changes: generation.changes && loadChanges(dir, generation.changes),
  };
}

export interface LoadTask {
  readonly dir: string;
  /** What is held against its sums. */
  readonly files: readonly NamedFile[];
  /** What is read when all of them are whole, but for the folders that are known. */
  readonly load?: { readonly generation: Generation; readonly known: ReadonlySet<string> } | undefined;
}

interface LoadReply {
  /** Files that are not as they were written. */
  readonly broken: readonly string[];
  /** The generation, if it is whole and was to be read. */
  readonly loaded?: LoadedGeneration;
}

/** Holds files against their sums, which takes seconds for a million records, and reads the generation they make up. */
export function carryOut({ dir, files, load }: LoadTask): LoadReply {
  const broken = brokenFiles(dir, files);
  if (broken.length > 0 || load === undefined) return { broken };
  return { broken, loaded: loadGeneration(dir, load.generation, load.known) };
}

/** Carries out a task in another thread; `script` is what runs it (see load-worker.ts). Undefined: in this one. */
export async function loadInThread(script: URL | undefined, task: LoadTask): Promise<LoadReply> {
  if (script === undefined) return carryOut(task);
  const worker = new Worker(script, { workerData: task });
  try {
    const [reply] = (await once(worker, 'message')) as [LoadReply]; // Fails when the thread does.
    return reply;
  } finally {
    await worker.terminate();
  }
}
