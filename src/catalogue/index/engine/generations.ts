import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { syncFolder, writeAtomically } from '../../../process/write-atomically.ts';
import type { ChangeLog } from './changes.ts';
import type { BuiltSegment } from './build-segment.ts';
import { factsOfFile, readNumbers } from './files.ts';
import type { FileFacts } from './files.ts';
import { INDEX_VERSION, READ_FILES } from './layout.ts';

/** One state of a folder: a set of files, none of which is ever changed. */
export interface GenerationFacts {
  /** Version of the file formats. */
  readonly version: number;
  readonly number: number;
}

/** A file by its path in the folder. */
export type NamedFile = readonly [string, FileFacts];

/** Properties of the generations in a folder. */
export interface GenerationKind<Generation extends GenerationFacts> {
  /** Only generations of this version are opened; undefined: any version. */
  readonly version: number | undefined;
  /** Names of files and folders that belong to generations. */
  readonly ownNames: RegExp;
  readonly filesOf: (generation: Generation) => readonly NamedFile[];
}

const NAME = /^generation-(\d{6,})\.json$/;

export const numberedName = (name: string, number: number): string =>
  `${name}-${String(number).padStart(6, '0')}`;
const fileOf = (number: number): string => `${numberedName('generation', number)}.json`;
const sumOf = (text: string): string => createHash('sha256').update(text).digest('hex');

const generationNumber = (name: string): number => Number(NAME.exec(name)?.[1] ?? 0);

/** A copy of the current generation's manifest: `pull` reads it first. */
export const MANIFEST = 'manifest.json';

const generationNames = (dir: string): string[] =>
  (fs.existsSync(dir) ? fs.readdirSync(dir) : [])
    .filter((name) => NAME.test(name))
    .sort((one, other) => generationNumber(one) - generationNumber(other));

const formatManifest = (generation: GenerationFacts): string =>
  JSON.stringify({ sha256: sumOf(JSON.stringify(generation)), generation });

/** Parses a generation's manifest; null if it is damaged. */
export function parseGeneration(text: string): GenerationFacts | null {
  const { sha256, generation } = JSON.parse(text) as { sha256: string; generation: GenerationFacts };
  return sumOf(JSON.stringify(generation)) === sha256 ? generation : null;
}

/** The manifest of a generation, without a check of its files; null if it cannot be read. */
function readGenerationFile(dir: string, name: string): GenerationFacts | null {
  try {
    // Opening a named pipe blocks until there is a writer.
    if (!fs.statSync(path.join(dir, name)).isFile()) return null;
    return parseGeneration(fs.readFileSync(path.join(dir, name), 'utf8'));
  } catch {
    return null;
  }
}

/** Every generation in a folder, complete or not, oldest first. */
export const namedGenerations = (dir: string): GenerationFacts[] =>
  generationNames(dir).flatMap((name) => readGenerationFile(dir, name) ?? []);

/** A generation if it is complete: of this version, with a valid manifest, and no file missing or truncated. */
function readComplete<Generation extends GenerationFacts>(
  dir: string,
  name: string,
  { version, filesOf }: GenerationKind<Generation>,
): Generation | null {
  try {
    const generation = readGenerationFile(dir, name) as Generation | null;
    if (generation === null || generation.version !== (version ?? generation.version)) return null;
    const isComplete = filesOf(generation).every(
      ([file, { bytes }]) => fs.statSync(path.join(dir, file)).size === bytes,
    );
    return isComplete ? generation : null;
  } catch {
    return null;
  }
}

/** Known damaged generations, and a callback for skipped ones. */
export interface SkippedGenerations {
  /** Whether a generation with files of the right size is known to be damaged. */
  readonly isDamaged: (number: number, files: readonly NamedFile[]) => boolean;
  /** Called with each incomplete generation. */
  readonly skip: (number: number) => void;
}

/** The newest complete generation, or null. Checksums are not verified, which takes seconds: see `damagedFiles`. */
export function newestComplete<Generation extends GenerationFacts>(
  dir: string,
  kind: GenerationKind<Generation>,
  skipped?: SkippedGenerations,
): Generation | null {
  for (const name of generationNames(dir).reverse()) {
    const generation = readComplete(dir, name, kind);
    if (generation === null) skipped?.skip(generationNumber(name));
    else if (!skipped?.isDamaged(generation.number, kind.filesOf(generation))) return generation;
  }
  return null;
}

/** The number of a new generation; numbers are never reused. */
export const nextNumber = (dir: string): number => generationNumber(generationNames(dir).at(-1) ?? '') + 1;

/** Generations to keep: only the current one, or the previous one too. */
export type KeptGenerations = 1 | 2;

/**
 * Publishes a generation atomically, and removes files that no remaining generation needs. Higher generations are
 * removed too: they exist in a copy whose source was restored to an earlier state.
 */
export function publishGeneration<Generation extends GenerationFacts>(
  dir: string,
  generation: Generation,
  kind: GenerationKind<Generation>,
  keep: KeptGenerations = 2,
): void {
  const before = keep === 1 ? null : newestComplete(dir, kind);
  const text = formatManifest(generation);
  // Else a power loss could leave a manifest of files without a name.
  const folders = new Set(kind.filesOf(generation).map(([file]) => path.dirname(file)));
  for (const folder of folders) syncFolder(path.join(dir, folder));
  writeAtomically(path.join(dir, fileOf(generation.number)), text);
  writeAtomically(path.join(dir, MANIFEST), text);
  const keptNames = new Set<string>();
  const isLower = before !== null && before.number < generation.number;
  for (const each of isLower ? [before, generation] : [generation]) {
    keptNames.add(fileOf(each.number));
    for (const [file] of kind.filesOf(each)) keptNames.add(file.split(path.sep)[0] ?? '');
  }
  removeExcept(dir, keptNames, kind.ownNames);
}

const generationsFirst = (one: string, other: string): number =>
  Number(NAME.test(other)) - Number(NAME.test(one)) || generationNumber(one) - generationNumber(other);

/** Removes older generations, and files of killed builds. */
function removeExcept(dir: string, keptNames: ReadonlySet<string>, ownNames: RegExp): void {
  // Manifests first, so that none names missing files.
  for (const name of fs.readdirSync(dir).sort(generationsFirst)) {
    if ((ownNames.test(name) || name.startsWith('generation-')) && !keptNames.has(name))
      fs.rmSync(path.join(dir, name), { recursive: true, force: true });
  }
}

/** Verifies files of a generation, and returns the damaged ones. */
export const damagedFiles = (dir: string, files: readonly NamedFile[]): string[] =>
  files
    .filter(([file, { sha256 }]) => factsOfFile(path.join(dir, file)).sha256 !== sha256)
    .map(([file]) => file);

export interface GenerationSegment extends BuiltSegment {
  readonly folder: string;
  /** File of the ids that do not count any more. */
  readonly dead: string | null;
  /** Whether the segment contains changes since the others were built. */
  readonly isChange: boolean;
}

/** One state of the index. */
export interface Generation extends GenerationFacts {
  readonly segments: readonly GenerationSegment[];
  readonly keywords: string;
  /** The changes of each generation; undefined in a generation of an earlier release. */
  readonly changes?: ChangeLog;
  /** `dead`, `keywords` and `changes` files. */
  readonly files: Readonly<Record<string, FileFacts>>;
}

export const filesOfSegment = (folder: string, files: BuiltSegment['files']): NamedFile[] =>
  Object.entries(files).map(([name, facts]) => [path.join(folder, name), facts]);

export const NOVEL_INDEX: GenerationKind<Generation> = {
  version: INDEX_VERSION,
  ownNames: /^(segment|dead|keywords|changes)-\d{6}/,
  filesOf: ({ segments, files }) => [
    ...Object.entries(files),
    ...segments.flatMap(({ folder, files: own }) => filesOfSegment(folder, own)),
  ],
};

/** The newest complete generation that is not known to be damaged, or null. */
export const newestGeneration = (dir: string, skipped?: SkippedGenerations): Generation | null =>
  newestComplete(dir, NOVEL_INDEX, skipped);

export function completeGeneration(dir: string): Generation {
  const generation = newestGeneration(dir);
  if (generation === null) throw new Error(`no complete index in ${dir}`);
  return generation;
}

/** Makes a generation the current one. */
export const publishNovelIndex = (dir: string, generation: Generation, keep?: KeptGenerations): void => {
  publishGeneration(dir, generation, NOVEL_INDEX, keep);
};

/** The newest generation with all of its files, of any layout; null if there is none. */
export const newestOfAnyVersion = (dir: string): Generation | null =>
  newestComplete(dir, { ...NOVEL_INDEX, version: undefined });

/** In every layout so far, the files that contain the records of a generation; its changes are in further files. */
const RECORD_FILES: ReadonlySet<string> = new Set(['records', 'starts', 'columns', 'sums']);

/**
 * The newest generation, if it has a former layout and its records are undamaged: an index of this layout can be built
 * from it.
 */
export function formerGeneration(dir: string): Generation | null {
  const generation = newestOfAnyVersion(dir);
  if (generation === null || generation.version >= INDEX_VERSION) return null;
  const files = [
    ...generation.segments.flatMap(({ folder, files: own }) => filesOfSegment(folder, own)),
    ...Object.entries(generation.files),
  ].filter(([file]) => RECORD_FILES.has(path.basename(file)) || /^(dead|changes)-/.test(file));
  return damagedFiles(dir, files).length === 0 ? generation : null;
}

export const deadOf = (dir: string, { dead }: GenerationSegment): Uint32Array =>
  dead === null ? new Uint32Array(0) : readNumbers(path.join(dir, dead));

/** The files of a generation, except in folders that were verified before. */
export const filesToVerify = (generation: Generation, known: ReadonlySet<string>): NamedFile[] =>
  NOVEL_INDEX.filesOf(generation).filter(([file]) => !known.has(path.dirname(file)));

/** The files of a generation that stay in memory, except in folders that were verified before. */
export const filesInMemory = (generation: Generation, known: ReadonlySet<string>): NamedFile[] =>
  filesToVerify(generation, known).filter(
    ([file]) => !(READ_FILES as readonly string[]).includes(path.basename(file)),
  );

/** Reads every file of the newest generation, and returns the damaged ones. */
export const verifyIndex = (dir: string): string[] =>
  damagedFiles(dir, filesToVerify(completeGeneration(dir), new Set()));

/** The newest generation of an index has files of the right size, but with damaged content. */
export class DamagedIndex extends Error {
  readonly folder: string;

  constructor(folder: string, files: readonly string[]) {
    super(`${folder} has damaged files: ${files.join(', ')}`);
    this.name = 'DamagedIndex';
    this.folder = folder;
  }
}

/** Throws DamagedIndex if a file of a generation is damaged; folders that were verified before are skipped. */
export function checkIndex(dir: string, generation: Generation, known: ReadonlySet<string>): void {
  const broken = damagedFiles(dir, filesToVerify(generation, known));
  if (broken.length > 0) throw new DamagedIndex(dir, broken);
}

/** Invalidates the newest generation, so that the previous one becomes current. Its number is not reused. */
export function discardGeneration(dir: string): void {
  fs.truncateSync(path.join(dir, fileOf(completeGeneration(dir).number)));
  const left = newestGeneration(dir);
  if (left === null) fs.rmSync(path.join(dir, MANIFEST), { force: true });
  else writeAtomically(path.join(dir, MANIFEST), formatManifest(left));
}
