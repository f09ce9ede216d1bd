import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { ChangeLog } from './changes.ts';
import type { BuiltSegment } from './build-segment.ts';
import { factsOfFile, readNumbers, withFile } from './files.ts';
import type { FileFacts } from './files.ts';
import { INDEX_VERSION } from './layout.ts';

/** One state of a folder: the files that make it up, none of which is ever written again. */
export interface GenerationFacts {
  /** How its files are written. */
  readonly version: number;
  readonly number: number;
}

/** A file by its path in the folder. */
export type NamedFile = readonly [string, FileFacts];

/** What is told apart of a folder's generations. */
export interface GenerationKind<Generation extends GenerationFacts> {
  /** A generation of another version is not opened; undefined: of any. */
  readonly version: number | undefined;
  /** Names, in the folder, of what generations are made of. */
  readonly ownNames: RegExp;
  readonly filesOf: (generation: Generation) => readonly NamedFile[];
}

const NAME = /^generation-(\d{6,})\.json$/;

export const numbered = (name: string, number: number): string =>
  `${name}-${String(number).padStart(6, '0')}`;
const fileOf = (number: number): string => `${numbered('generation', number)}.json`;
const sumOf = (text: string): string => createHash('sha256').update(text).digest('hex');

const numberOf = (name: string): number => Number(NAME.exec(name)?.[1] ?? 0);

const generationNames = (dir: string): string[] =>
  (fs.existsSync(dir) ? fs.readdirSync(dir) : [])
    .filter((name) => NAME.test(name))
    .sort((one, other) => numberOf(one) - numberOf(other));

/** A generation if it is whole: of this version, as it was written, and no file missing or cut short. */
function readWhole<Generation extends GenerationFacts>(
  dir: string,
  name: string,
  { version, filesOf }: GenerationKind<Generation>,
): Generation | null {
  try {
    // Whoever opens a named pipe waits for a writer for ever.
    if (!fs.statSync(path.join(dir, name)).isFile()) return null;
    const { sha256, generation } = JSON.parse(fs.readFileSync(path.join(dir, name), 'utf8')) as {
      sha256: string;
      generation: Generation;
    };
    if (generation.version !== (version ?? generation.version)) return null;
    if (sumOf(JSON.stringify(generation)) !== sha256) return null;
    const isWhole = filesOf(generation).every(
      ([file, { bytes }]) => fs.statSync(path.join(dir, file)).size === bytes,
    );
    return isWhole ? generation : null;
  } catch {
    return null;
  }
}

/** What is known of the generations of a folder, and told of those that are passed over. */
export interface PassedOver {
  /** Whether one that is whole in size is known not to be what was written. */
  readonly isBroken: (number: number, files: readonly NamedFile[]) => boolean;
  /** Told of one that is not whole. */
  readonly passOver: (number: number) => void;
}

/** The newest generation that is whole, or null. Contents are not summed up: that takes seconds, see `brokenFiles`. */
export function newestWhole<Generation extends GenerationFacts>(
  dir: string,
  kind: GenerationKind<Generation>,
  passed?: PassedOver,
): Generation | null {
  for (const name of generationNames(dir).reverse()) {
    const generation = readWhole(dir, name, kind);
    if (generation === null) passed?.passOver(numberOf(name));
    else if (!passed?.isBroken(generation.number, kind.filesOf(generation))) return generation;
  }
  return null;
}

/** The number that a new generation gets: none has ever been given twice. */
export const nextNumber = (dir: string): number => numberOf(generationNames(dir).at(-1) ?? '') + 1;

/** How many generations stay: the one in force alone, or the one before it too. */
export type KeptGenerations = 1 | 2;

/** Makes a generation the one in force, in one step, and removes what no generation needs that stays. */
export function publishWhole<Generation extends GenerationFacts>(
  dir: string,
  generation: Generation,
  kind: GenerationKind<Generation>,
  keep: KeptGenerations = 2,
): void {
  const before = keep === 1 ? null : newestWhole(dir, kind);
  const name = fileOf(generation.number);
  const text = JSON.stringify({ sha256: sumOf(JSON.stringify(generation)), generation });
  const unfinished = path.join(dir, `${name}.part`);
  fs.writeFileSync(unfinished, text, { flush: true });
  fs.renameSync(unfinished, path.join(dir, name));
  withFile(dir, 'r', (open) => {
    fs.fsyncSync(open);
  });
  const kept = new Set<string>();
  for (const each of before === null ? [generation] : [before, generation]) {
    kept.add(fileOf(each.number));
    for (const [file] of kind.filesOf(each)) kept.add(file.split(path.sep)[0] ?? '');
  }
  removeExcept(dir, kept, kind.ownNames);
}

/** Removes what is not kept: older generations, and what was left by a build that was killed. */
function removeExcept(dir: string, kept: ReadonlySet<string>, ownNames: RegExp): void {
  for (const name of fs.readdirSync(dir)) {
    if ((ownNames.test(name) || name.startsWith('generation-')) && !kept.has(name))
      fs.rmSync(path.join(dir, name), { recursive: true, force: true });
  }
}

/** Reads files of a generation, and names those whose contents are not what was written. */
export const brokenFiles = (dir: string, files: readonly NamedFile[]): string[] =>
  files
    .filter(([file, { sha256 }]) => factsOfFile(path.join(dir, file)).sha256 !== sha256)
    .map(([file]) => file);

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
  /** What has changed from generation to generation; undefined in one of a release that did not tell. */
  readonly changes?: ChangeLog;
  /** `dead`, `keywords` and `changes` files. */
  readonly files: Readonly<Record<string, FileFacts>>;
}

export const filesOfSegment = (folder: string, files: BuiltSegment['files']): NamedFile[] =>
  Object.entries(files).map(([name, facts]) => [path.join(folder, name), facts]);

const KIND: GenerationKind<Generation> = {
  version: INDEX_VERSION,
  ownNames: /^(segment|dead|keywords|changes)-\d{6}/,
  filesOf: ({ segments, files }) => [
    ...Object.entries(files),
    ...segments.flatMap(({ folder, files: own }) => filesOfSegment(folder, own)),
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
export const publishGeneration = (dir: string, generation: Generation, keep?: KeptGenerations): void => {
  publishWhole(dir, generation, KIND, keep);
};

/** The newest generation whose files are all there, in whatever layout; null where there is none. */
export const newestOfAnyVersion = (dir: string): Generation | null =>
  newestWhole(dir, { ...KIND, version: undefined });

/** Files by which the records of a generation are read again, in every layout so far. */
const RECORD_FILES: ReadonlySet<string> = new Set(['records', 'starts', 'columns']);

/**
 * The newest generation, where it is of a former layout and its records are as they were written: an index of this
 * layout is built of it.
 */
export function formerGeneration(dir: string): Generation | null {
  const generation = newestOfAnyVersion(dir);
  if (generation === null || generation.version >= INDEX_VERSION) return null;
  const files = [
    ...generation.segments.flatMap(({ folder, files: own }) => filesOfSegment(folder, own)),
    ...Object.entries(generation.files),
  ].filter(([file]) => RECORD_FILES.has(path.basename(file)) || file.startsWith('dead-'));
  return brokenFiles(dir, files).length === 0 ? generation : null;
}

export const deadOf = (dir: string, { dead }: GenerationSegment): Uint32Array =>
  dead === null ? new Uint32Array(0) : readNumbers(path.join(dir, dead));

/** The files of a generation, but for those of folders known to be whole. */
export const filesToVerify = (generation: Generation, known: ReadonlySet<string>): NamedFile[] =>
  KIND.filesOf(generation).filter(([file]) => !known.has(path.dirname(file)));

/** Reads every file of the newest generation, and names those that are broken. */
export const verifyIndex = (dir: string): string[] =>
  brokenFiles(dir, filesToVerify(wholeGeneration(dir), new Set()));

/** The newest generation of an index, whole in size, is not what was written. */
export class BrokenIndex extends Error {
  readonly folder: string;

  constructor(folder: string, files: readonly string[]) {
    super(`${folder} is not as it was written: ${files.join(', ')}`);
    this.name = 'BrokenIndex';
    this.folder = folder;
  }
}

/** Throws BrokenIndex where a file of a generation is broken, but for those of folders that need not be looked at. */
export function checkIndex(dir: string, generation: Generation, known: ReadonlySet<string>): void {
  const broken = brokenFiles(dir, filesToVerify(generation, known));
  if (broken.length > 0) throw new BrokenIndex(dir, broken);
}

/** Has the newest generation count as none, so that the one before is in force. Its number is not given again. */
export function giveUpGeneration(dir: string): void {
  fs.truncateSync(path.join(dir, fileOf(wholeGeneration(dir).number)));
}
