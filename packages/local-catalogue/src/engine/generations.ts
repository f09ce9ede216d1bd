import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { makeFolder, syncFolder, writeAtomically } from '@mokuroku/kit/process';
import { factsOfFile, ifThere } from './files.ts';
import type { FileFacts } from './files.ts';

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
  /** Only generations of this version are opened. */
  readonly version: number;
  /** Names of files and folders that belong to generations. */
  readonly ownNames: RegExp;
  readonly filesOf: (generation: Generation) => readonly NamedFile[];
}

const MANIFEST_NAME = /^generation-\d{6,}\.json$/;

export const numberedName = (name: string, number: number): string =>
  `${name}-${String(number).padStart(6, '0')}`;
const manifestName = (number: number): string => `${numberedName('generation', number)}.json`;
const sha256Of = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The number in the name of a file or folder. */
const numberIn = (name: string): number => Number(/\d+/.exec(name)?.[0] ?? 0);

const manifestNames = (dir: string): string[] =>
  (ifThere(() => fs.readdirSync(dir)) ?? [])
    .filter((name) => MANIFEST_NAME.test(name))
    .sort((one, other) => numberIn(one) - numberIn(other));

const formatManifest = (generation: GenerationFacts): string =>
  JSON.stringify({ sha256: sha256Of(JSON.stringify(generation)), generation });

/** A generation with its files, by its manifest; null if this is damaged, or of another layout. */
function parseManifest<Generation extends GenerationFacts>(
  text: string,
  number: number,
  { version, filesOf }: GenerationKind<Generation>,
) {
  try {
    const { sha256, generation } = JSON.parse(text) as { sha256: string; generation: Generation };
    const files = filesOf(generation);
    const isIntact = sha256Of(JSON.stringify(generation)) === sha256 && new Map(files).size === files.length;
    const isWanted = generation.version === version && generation.number === number;
    return isIntact && isWanted ? { generation, files } : null;
  } catch {
    return null;
  }
}

/**
 * A generation if it is complete: of this version, with a valid manifest, and no file missing or truncated. Throws if it
 * cannot be read at present.
 */
function readComplete<Generation extends GenerationFacts>(
  dir: string,
  name: string,
  kind: GenerationKind<Generation>,
): Generation | null {
  const manifest = path.join(dir, name);
  // Opening a named pipe blocks until there is a writer.
  const text = ifThere(() => (fs.statSync(manifest).isFile() ? fs.readFileSync(manifest, 'utf8') : ''));
  const parsed = parseManifest(text ?? '', numberIn(name), kind);
  const isComplete = parsed?.files.every(
    ([file, { bytes }]) => ifThere(() => fs.statSync(path.join(dir, file)).size) === bytes,
  );
  return parsed && isComplete ? parsed.generation : null;
}

/** What a folder has under a number. */
type ReadGeneration<Generation> =
  /** Null: it is incomplete, or of another layout; it may still be copied. */
  | { readonly number: number; readonly generation: Generation | null }
  /** It cannot be read at present. */
  | { readonly number: number; readonly error: unknown };

/** The generations of a folder, newest first. Checksums are not verified, which takes seconds: see `damagedFiles`. */
export function* readGenerations<Generation extends GenerationFacts>(
  dir: string,
  kind: GenerationKind<Generation>,
): Generator<ReadGeneration<Generation>, void, undefined> {
  for (const name of manifestNames(dir).reverse()) {
    const number = numberIn(name);
    let read: ReadGeneration<Generation>;
    try {
      read = { number, generation: readComplete(dir, name, kind) };
    } catch (error) {
      read = { number, error };
    }
    yield read;
  }
}

/** The complete ones. Throws if one cannot be read at present. */
export function* completeGenerations<Generation extends GenerationFacts>(
  dir: string,
  kind: GenerationKind<Generation>,
): Generator<Generation, void, undefined> {
  for (const read of readGenerations(dir, kind)) {
    if ('error' in read) throw read.error;
    if (read.generation !== null) yield read.generation;
  }
}

/** The newest complete generation, or null. */
export const newestComplete = <Generation extends GenerationFacts>(
  dir: string,
  kind: GenerationKind<Generation>,
): Generation | null => completeGenerations(dir, kind).next().value ?? null;

/** Whether a folder has any generation, complete or not. */
export const hasGenerations = (dir: string): boolean => manifestNames(dir).length > 0;

const newestNumber = (dir: string): number => numberIn(manifestNames(dir).at(-1) ?? '');

/**
 * Begins a new generation in a folder, which is created if it is missing: removes the files of killed and failed builds,
 * and returns its number. Numbers are never reused, also not those of removed files: a suspended process may continue
 * to write them.
 */
export async function beginGeneration(
  dir: string,
  { ownNames }: Pick<GenerationKind<never>, 'ownNames'>,
): Promise<number> {
  await makeFolder(dir);
  const removed = removeUnpublished(dir, { ownNames }).map(numberIn);
  return Math.max(newestNumber(dir), ...removed) + 1;
}

/** Generations to keep: only the current one, or the previous one too. */
export type KeptGenerations = 1 | 2;

/** Publishes a generation atomically, and removes files that no remaining generation needs. */
export function publishGeneration<Generation extends GenerationFacts>(
  dir: string,
  generation: Generation,
  kind: GenerationKind<Generation>,
  keptGenerations: KeptGenerations = 2,
): void {
  const before = keptGenerations === 1 ? null : newestComplete(dir, kind);
  // Else a power loss could leave a manifest of files without a name.
  const folders = new Set(kind.filesOf(generation).map(([file]) => path.dirname(file)));
  for (const folder of folders) syncFolder(path.join(dir, folder));
  writeAtomically(path.join(dir, manifestName(generation.number)), formatManifest(generation));
  const keptNames = new Set<string>();
  for (const each of before === null ? [generation] : [before, generation]) {
    keptNames.add(manifestName(each.number));
    for (const [file] of kind.filesOf(each)) keptNames.add(file.split(path.sep)[0] ?? '');
  }
  const isOwn = (name: string) => name.startsWith('generation-') || kind.ownNames.test(name);
  removeFrom(dir, (name) => isOwn(name) && !keptNames.has(name));
}

/** Returns the removed names. */
function removeFrom(dir: string, isRemoved: (name: string) => boolean): string[] {
  const names = fs.readdirSync(dir).filter(isRemoved);
  for (const name of names) fs.rmSync(path.join(dir, name), { recursive: true, force: true });
  return names;
}

/** Removes files of killed and failed builds, whose number is above that of every manifest. Returns their names. */
export function removeUnpublished(
  dir: string,
  { ownNames }: Pick<GenerationKind<never>, 'ownNames'>,
): string[] {
  const newest = newestNumber(dir);
  return removeFrom(dir, (name) => ownNames.test(name) && numberIn(name) > newest);
}

/** Verifies files of a generation, and returns the damaged ones. */
export const damagedFiles = (dir: string, files: readonly NamedFile[]): string[] =>
  files
    .filter(([file, { sha256 }]) => factsOfFile(path.join(dir, file)).sha256 !== sha256)
    .map(([file]) => file);

/** Invalidates the newest generation, so that the previous one becomes current. Its number is not reused. */
export function discardNewest<Generation extends GenerationFacts>(
  dir: string,
  kind: GenerationKind<Generation>,
): void {
  const newest = newestComplete(dir, kind);
  if (newest !== null) fs.truncateSync(path.join(dir, manifestName(newest.number)));
}
