import path from 'node:path';
import type { BuiltSegment } from './build-segment.ts';
import type { ChangeLog } from './change-log.ts';
import { DamagedFile, readNumbers } from './files.ts';
import type { FileFacts } from './files.ts';
import { damagedFiles, newestComplete } from './generations.ts';
import type { GenerationFacts, GenerationKind, NamedFile } from './generations.ts';
import { INDEX_VERSION, READ_FILES } from './layout.ts';

export interface GenerationSegment extends BuiltSegment {
  readonly folder: string;
  /** File of the ids that do not count any more. */
  readonly dead: string | null;
  /** Whether the segment contains changes since the others were built. */
  readonly isChange: boolean;
}

/** One state of the index. */
export interface IndexGeneration extends GenerationFacts {
  readonly segments: readonly GenerationSegment[];
  readonly keywords: string;
  /** True if the novels are invented. */
  readonly isSample?: boolean;
  /** The changes of each generation; undefined if they are not published. */
  readonly changes?: ChangeLog;
  /** `dead`, `keywords` and `changes` files. */
  readonly files: Readonly<Record<string, FileFacts>>;
}

export const filesOfSegment = (folder: string, files: BuiltSegment['files']): NamedFile[] =>
  Object.entries(files).map(([name, facts]) => [path.join(folder, name), facts]);

export const NOVEL_INDEX: GenerationKind<IndexGeneration> = {
  version: INDEX_VERSION,
  ownNames: /^(segment|dead|keywords|changes)-\d{6}/,
  filesOf: ({ segments, files }) => [
    ...Object.entries(files),
    ...segments.flatMap(({ folder, files: own }) => filesOfSegment(folder, own)),
  ],
};

/** The newest complete generation, or null. */
export const newestGeneration = (dir: string): IndexGeneration | null => newestComplete(dir, NOVEL_INDEX);

export function requireGeneration(dir: string): IndexGeneration {
  const generation = newestGeneration(dir);
  if (generation === null) throw new Error(`no complete index in ${dir}`);
  return generation;
}

export const readDeadIds = (dir: string, { dead }: GenerationSegment): Uint32Array =>
  dead === null ? new Uint32Array(0) : readNumbers(path.join(dir, dead));

/** The files of a generation, except in folders that were verified before. */
export const filesToVerify = (
  generation: IndexGeneration,
  verifiedFolders: ReadonlySet<string> = new Set(),
): NamedFile[] =>
  NOVEL_INDEX.filesOf(generation).filter(([file]) => !verifiedFolders.has(path.dirname(file)));

/** The files of a generation that stay in memory, except in folders that were verified before. */
export const filesInMemory = (
  generation: IndexGeneration,
  verifiedFolders: ReadonlySet<string>,
): NamedFile[] =>
  filesToVerify(generation, verifiedFolders).filter(
    ([file]) => !(READ_FILES as readonly string[]).includes(path.basename(file)),
  );

/** The newest generation of an index has files of the right size, but with damaged content. */
export class DamagedIndex extends DamagedFile {
  readonly folder: string;

  constructor(folder: string, files: readonly string[]) {
    super(files.join(', '));
    this.message = `${folder} has damaged files: ${this.what}`;
    this.name = 'DamagedIndex';
    this.folder = folder;
  }
}

/** Throws DamagedIndex if one of these files is damaged. */
export function requireIntact(dir: string, files: readonly NamedFile[]): void {
  const damaged = damagedFiles(dir, files);
  if (damaged.length > 0) throw new DamagedIndex(dir, damaged);
}
