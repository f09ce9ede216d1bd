import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { factsOfFile } from '../index/engine/files.ts';
import type { FileFacts } from '../index/engine/files.ts';
import { namedGenerations, parseGeneration } from '../index/engine/generations.ts';
import type { GenerationFacts, GenerationKind, NamedFile } from '../index/engine/generations.ts';
import { SourceFailure } from './web-folder.ts';

/** A file of a generation: its path at the source, and its local path. */
export interface WantedFile extends FileFacts {
  readonly from: string;
  readonly to: string;
}

/** The steps to copy the generation of a manifest. */
export interface PullPlan<Generation extends GenerationFacts> {
  /** The manifest to publish locally. */
  readonly generation: Generation;
  /** Missing or damaged files. */
  readonly missing: readonly WantedFile[];
  /** Number of files. */
  readonly files: number;
}

/** Allowed names in a manifest: none leaves the folder. */
const NAME = /^[\w-]*$/;

function hasOnlyNames(value: unknown): boolean {
  if (typeof value === 'string') return NAME.test(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([name, part]) => NAME.test(name) && hasOnlyNames(part));
}

const isFile = (kind: Pick<GenerationKind<never>, 'ownNames'>, [file, facts]: NamedFile): boolean =>
  kind.ownNames.test(file) &&
  Number.isSafeInteger(facts.bytes) &&
  facts.bytes >= 0 &&
  /^[0-9a-f]{64}$/.test(facts.sha256);

/** The generation of a manifest. Throws SourceFailure if this release cannot serve it. */
export function readManifest<Generation extends GenerationFacts>(
  name: string,
  text: string,
  kind: GenerationKind<Generation>,
): Generation {
  const generation = parseGeneration(text) as Generation | null;
  const isSound =
    generation &&
    Number.isSafeInteger(generation.number) &&
    generation.number > 0 &&
    hasOnlyNames(generation);
  if (!isSound) throw new SourceFailure(`${name} is not a manifest of mokuroku`, { isTemporary: true });
  if (kind.version !== undefined && generation.version !== kind.version) {
    throw new SourceFailure(
      `${name} is of another release: its files are of layout ${generation.version}, this one reads ${kind.version}`,
    );
  }
  const files = attempt(() => kind.filesOf(generation));
  if (files?.every((file) => isFile(kind, file))) return generation;
  throw new SourceFailure(`${name} lists invalid file names, sizes or checksums`);
}

function attempt<Result>(read: () => Result): Result | null {
  try {
    return read();
  } catch {
    return null;
  }
}

/** The first part of a path, which names a unit of a generation. */
const unitOf = (file: string): string => file.split(path.sep)[0] ?? '';

/** A checksum over the files of each unit of a generation. */
function unitSums(files: readonly NamedFile[]): Map<string, string> {
  const texts = new Map<string, string>();
  for (const [file, { bytes, sha256 }] of files) {
    const unit = unitOf(file);
    const line = `${file.slice(unit.length)} ${bytes} ${sha256}\n`;
    texts.set(unit, `${texts.get(unit) ?? ''}${line}`);
  }
  return new Map(
    [...texts].map(([unit, text]) => [unit, createHash('sha256').update(text).digest('hex').slice(0, 8)]),
  );
}

/**
 * Renames units whose local names belong to other content, for example after the source started from scratch: a file in
 * use is never overwritten.
 */
function withFreeNames<Generation extends GenerationFacts>(
  generation: Generation,
  kind: GenerationKind<Generation>,
  dir: string,
): Generation {
  const used = namedGenerations(dir).map((each) =>
    unitSums(attempt(() => kind.filesOf(each as Generation)) ?? []),
  );
  const names = new Map<string, string>();
  for (const [unit, sum] of unitSums(kind.filesOf(generation))) {
    const isOther = used.some((units) => units.has(unit) && units.get(unit) !== sum);
    if (isOther) names.set(unit, `${unit}-${sum}`);
  }
  if (names.size === 0) return generation;
  const renamed = JSON.stringify(generation).replaceAll(/"([\w-]+)"/g, (text, name: string) => {
    const other = names.get(name);
    return other === undefined ? text : JSON.stringify(other);
  });
  return JSON.parse(renamed) as Generation;
}

/** Verifies the files of a folder. Each is read once per process. */
export type FileCheck = (file: string, facts: FileFacts) => boolean;

export function createFileCheck(dir: string): FileCheck {
  const sums = new Map<string, { readonly stamp: string; readonly sha256: string }>();
  return (file, { bytes, sha256 }) => {
    const stats = fs.statSync(path.join(dir, file), { throwIfNoEntry: false });
    if (!stats?.isFile() || stats.size !== bytes) return false;
    const stamp = `${stats.ino} ${stats.mtimeMs}`;
    const knownSum = sums.get(file);
    if (knownSum?.stamp === stamp) return knownSum.sha256 === sha256;
    const sum = factsOfFile(path.join(dir, file)).sha256;
    sums.set(file, { stamp, sha256: sum });
    return sum === sha256;
  };
}

/** The missing files of a generation. The whole folder is read once: half a minute for a million novels. */
export async function planPull<Generation extends GenerationFacts>(
  generation: Generation,
  kind: GenerationKind<Generation>,
  { dir, isIntact, signal }: { dir: string; isIntact: FileCheck; signal: AbortSignal },
): Promise<PullPlan<Generation>> {
  const local = withFreeNames(generation, kind, dir);
  const sources = kind.filesOf(generation);
  const files = kind.filesOf(local);
  const missing: WantedFile[] = [];
  for (const [at, [to, facts]] of files.entries()) {
    await setImmediate(undefined, { signal });
    const from = (sources[at]?.[0] ?? to).split(path.sep).join('/');
    if (!isIntact(to, facts)) missing.push({ from, to, bytes: facts.bytes, sha256: facts.sha256 });
  }
  return { generation: local, missing, files: files.length };
}
