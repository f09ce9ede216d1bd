import { once } from 'node:events';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { DamagedFile } from './files.ts';
import type { NamedFile } from './generations.ts';
import { filesInMemory, readDeadIds, requireIntact } from './index-generations.ts';
import type { IndexGeneration } from './index-generations.ts';
import { loadChanges } from './change-log.ts';
import type { LoadedChanges } from '@mokuroku/narou/scan';
import { loadKeywords } from './keywords.ts';
import type { Keywords } from './keywords.ts';
import { loadSegment } from './segment.ts';
import type { SegmentData } from './segment.ts';

/** The in-memory part of a generation: plain data that another thread can read and transfer without a copy. */
export interface LoadedGeneration {
  readonly generation: IndexGeneration;
  /** Segments by folder, without those that are open already. */
  readonly segments: ReadonlyMap<string, SegmentData>;
  /** Dead ids by folder. */
  readonly dead: ReadonlyMap<string, Uint32Array>;
  readonly keywords: Keywords;
  readonly changes: LoadedChanges | undefined;
}

/**
 * Reads and verifies the in-memory part; then requests can be served. Throws DamagedIndex. Everything else is verified
 * with `sums` when it is read.
 */
export function loadGeneration(
  dir: string,
  generation: IndexGeneration,
  verifiedFolders: ReadonlySet<string>,
): LoadedGeneration {
  requireIntact(dir, filesInMemory(generation, verifiedFolders));
  const unknown = generation.segments.filter(({ folder }) => !verifiedFolders.has(folder));
  return {
    generation,
    segments: new Map(
      unknown.map((facts) => [facts.folder, loadSegment(path.join(dir, facts.folder), facts)]),
    ),
    dead: new Map(generation.segments.map((segment) => [segment.folder, readDeadIds(dir, segment)])),
    keywords: loadKeywords(path.join(dir, generation.keywords)),
    changes: generation.changes && loadChanges(dir, generation.changes),
  };
}

export interface LoadTask {
  readonly dir: string;
  /** Files to verify. */
  readonly files: readonly NamedFile[];
  /** Generation to read if all files are valid, except for known folders. */
  readonly load?:
    { readonly generation: IndexGeneration; readonly verifiedFolders: ReadonlySet<string> } | undefined;
}

/**
 * Verifies files, which takes seconds for a million records, and reads their generation, if requested. Throws
 * DamagedIndex.
 */
function performLoad({ dir, files, load }: LoadTask): LoadedGeneration | undefined {
  requireIntact(dir, files);
  return load && loadGeneration(dir, load.generation, load.verifiedFolders);
}

/** From another thread: an error arrives without its class. */
type LoadReply = { readonly loaded: LoadedGeneration | undefined } | { readonly damaged: string };

/** Performs a task in another thread. */
export function replyTo(task: LoadTask): LoadReply {
  try {
    return { loaded: performLoad(task) };
  } catch (error) {
    if (!(error instanceof DamagedFile)) throw error;
    return { damaged: error.what };
  }
}

/** Runs a task in another thread with `script` (see load-worker.ts), or in this thread if undefined. */
export async function loadInThread(
  script: URL | undefined,
  task: LoadTask,
): Promise<LoadedGeneration | undefined> {
  if (script === undefined) return performLoad(task);
  const worker = new Worker(script, { workerData: task });
  const endWithoutReply = async () => {
    await once(worker, 'exit');
    throw new Error('the thread ended without a reply');
  };
  try {
    // Both fail when the thread does.
    const [reply] = (await Promise.race([once(worker, 'message'), endWithoutReply()])) as [LoadReply];
    if ('damaged' in reply) throw new DamagedFile(reply.damaged);
    return reply.loaded;
  } finally {
    await worker.terminate();
  }
}
