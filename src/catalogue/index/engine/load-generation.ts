import path from 'node:path';
import { deadOf, verifyGeneration } from './generations.ts';
import type { Generation } from './generations.ts';
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
}

export function loadGeneration(
  dir: string,
  generation: Generation,
  known: ReadonlySet<string>,
): LoadedGeneration {
  const unknown = generation.segments.filter(({ folder }) => !known.has(folder));
  return {
    generation,
    segments: new Map(
      unknown.map((facts) => [facts.folder, loadSegment(path.join(dir, facts.folder), facts)]),
    ),
    dead: new Map(generation.segments.map((segment) => [segment.folder, deadOf(dir, segment)])),
    keywords: loadKeywords(path.join(dir, generation.keywords)),
  };
}

export interface LoadTask {
  readonly dir: string;
  readonly generation: Generation;
  /** Folders of segments that are open, and whole. */
  readonly known: ReadonlySet<string>;
  /** Whether it is read, or only held against its sums. */
  readonly isLoaded: boolean;
}

export interface LoadReply {
  /** Files that are not as they were written. */
  readonly broken: readonly string[];
  /** The generation, if it is whole and was to be read. */
  readonly loaded?: LoadedGeneration;
}

/** Holds every new file of a generation against its sum, which takes seconds for a million records, and reads it. */
export function carryOut({ dir, generation, known, isLoaded }: LoadTask): LoadReply {
  const broken = verifyGeneration(dir, generation, known);
  if (broken.length > 0 || !isLoaded) return { broken };
  return { broken, loaded: loadGeneration(dir, generation, known) };
}
