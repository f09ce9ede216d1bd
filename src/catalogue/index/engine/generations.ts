import path from 'node:path';
import type { BuiltSegment } from './build-segment.ts';
import { readNumbers } from './files.ts';
import type { FileFacts } from './files.ts';
import { brokenFiles, newestWhole, publishWhole } from './generation-files.ts';
import type { GenerationFacts, GenerationKind, NamedFile, PassedOver } from './generation-files.ts';
import { INDEX_VERSION } from './layout.ts';

export interface GenerationSegment extends BuiltSegment {
  readonly folder: string;
  /** File of the ids that do not count any more. */
  readonly dead: string | null;
  /** Whether it holds what was changed since the others were built. */
  readonly isChange: boolean;
}

/** One state of the index. */
export interface Generation extends GenerationFacts {
  readonly segments: readonly GenerationSegment[];
  readonly keywords: string;
  /** `dead` and `keywords` files. */
  readonly files: Readonly<Record<string, FileFacts>>;
}

const KIND: GenerationKind<Generation> = {
  version: INDEX_VERSION,
  ownNames: /^(segment|dead|keywords)-\d{6}/,
  filesOf: ({ segments, files }) => [
    ...Object.entries(files),
    ...segments.flatMap(({ folder, files: own }) =>
      Object.entries(own).map(([name, facts]) => [path.join(folder, name), facts] as const),
    ),
  ],
};

/** The newest generation that is whole and not among those known to be broken, or null. */
export const newestGeneration = (dir: string, passed?: PassedOver): Generation | null =>
  newestWhole(dir, KIND, passed);

export function wholeGeneration(dir: string): Generation {
  const generation = newestGeneration(dir);
  if (generation === null) throw new Error(`no whole index in ${dir}`);
  return generation;
}

/** Makes a generation the one in force. */
export const publishGeneration = (dir: string, generation: Generation): void => {
  publishWhole(dir, generation, KIND);
};

export const deadOf = (dir: string, { dead }: GenerationSegment): Uint32Array =>
  dead === null ? new Uint32Array(0) : readNumbers(path.join(dir, dead));

/** The files of a generation, but for those of folders known to be whole. */
export const filesToVerify = (generation: Generation, known: ReadonlySet<string>): NamedFile[] =>
  KIND.filesOf(generation).filter(([file]) => !known.has(path.dirname(file)));

/** Reads every file of the newest generation, and names those that are broken. */
export const verifyIndex = (dir: string): string[] =>
  brokenFiles(dir, filesToVerify(wholeGeneration(dir), new Set()));
