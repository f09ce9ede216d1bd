import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import type { BuiltSegment } from './build-segment.ts';
import { factsOfFile, readNumbers, withFile } from './files.ts';
import type { FileFacts } from './files.ts';
import { INDEX_VERSION } from './layout.ts';

export interface GenerationSegment extends BuiltSegment {
  readonly folder: string;
  /** File of the ids that do not count any more. */
  readonly dead: string | null;
  /** Whether it holds what was changed since the others were built. */
  readonly isChange: boolean;
}

/** One state of the index: the files that make it up, none of which is ever written again. */
export interface Generation {
  readonly version: number;
  readonly number: number;
  readonly segments: readonly GenerationSegment[];
  readonly keywords: string;
  /** `dead` and `keywords` files. */
  readonly files: Readonly<Record<string, FileFacts>>;
}

const NAME = /^generation-(\d{6})\.json$/;
const OWN_NAMES = /^(generation|segment|dead|keywords)-\d{6}/;

export const numbered = (name: string, number: number): string =>
  `${name}-${String(number).padStart(6, '0')}`;
const fileOf = (number: number): string => `${numbered('generation', number)}.json`;
const sumOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** All files of a generation, by their path in the index's folder. */
function* filesOf({ segments, files }: Generation): Iterable<readonly [string, FileFacts]> {
  yield* Object.entries(files);
  for (const { folder, files: own } of segments) {
    for (const [name, facts] of Object.entries(own)) yield [path.join(folder, name), facts];
  }
}

/** A generation if it is whole: of this version, as it was written, and no file missing or cut short. */
function readWhole(dir: string, name: string): Generation | null {
  try {
    const { sha256, generation } = JSON.parse(fs.readFileSync(path.join(dir, name), 'utf8')) as {
      sha256: string;
      generation: Generation;
    };
    if (generation.version !== INDEX_VERSION || sumOf(JSON.stringify(generation)) !== sha256) return null;
    const isWhole = [...filesOf(generation)].every(
      ([file, { bytes }]) => fs.statSync(path.join(dir, file)).size === bytes,
    );
    return isWhole ? generation : null;
  } catch {
    return null;
  }
}

const generationNames = (dir: string): string[] =>
  (fs.existsSync(dir) ? fs.readdirSync(dir) : []).filter((name) => NAME.test(name)).sort();

/** The newest generation that is whole, or null. Contents are not summed up: that takes seconds, see `verifyIndex`. */
export function newestGeneration(dir: string): Generation | null {
  for (const name of generationNames(dir).reverse()) {
    const generation = readWhole(dir, name);
    if (generation !== null) return generation;
  }
  return null;
}

export function wholeGeneration(dir: string): Generation {
  const generation = newestGeneration(dir);
  if (generation === null) throw new Error(`no whole index in ${dir}`);
  return generation;
}

/** The number that a new generation gets: none has ever been given twice. */
export const nextNumber = (dir: string): number =>
  Number(NAME.exec(generationNames(dir).at(-1) ?? '')?.[1] ?? 0) + 1;

/** Makes a generation the one in force, in one step, and removes what neither it nor the one before needs. */
export function publishGeneration(dir: string, generation: Generation): void {
  const before = newestGeneration(dir);
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
    for (const file of Object.keys(each.files)) kept.add(file);
    for (const { folder } of each.segments) kept.add(folder);
  }
  removeExcept(dir, kept);
}

/** Removes files of the index that are not kept: older generations, and what was left by a build that was killed. */
export function removeExcept(dir: string, kept: ReadonlySet<string>): void {
  for (const name of fs.readdirSync(dir)) {
    if (OWN_NAMES.test(name) && !kept.has(name))
      fs.rmSync(path.join(dir, name), { recursive: true, force: true });
  }
}

export const deadOf = (dir: string, { dead }: GenerationSegment): Uint32Array =>
  dead === null ? new Uint32Array(0) : readNumbers(path.join(dir, dead));

/** Reads every file of the newest generation, and names those whose contents are not what was written. */
export function verifyIndex(dir: string): string[] {
  return [...filesOf(wholeGeneration(dir))]
    .filter(([file, { sha256 }]) => factsOfFile(path.join(dir, file)).sha256 !== sha256)
    .map(([file]) => file);
}
