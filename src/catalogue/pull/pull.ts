import fs from 'node:fs';
import path from 'node:path';
import { makeFolder } from '../../process/make-folder.ts';
import { formatBytes } from '../harvest/disk-space.ts';
import type { HarvestOptions } from '../harvest/harvest-run.ts';
import { withFolderLock } from '../harvest/lock-folder.ts';
import { MANIFEST, newestComplete, publishGeneration } from '../index/engine/generations.ts';
import { NOVEL_INDEX } from '../index/engine/index-generations.ts';
import type { GenerationFacts, GenerationKind } from '../index/engine/generations.ts';
import type { LocalPart } from '../local/local-source.ts';
import { RANKINGS } from '../local/ranking-files.ts';
import { UnwritableFile, download, withRetries } from './download.ts';
import type { DownloadParts } from './download.ts';
import { createFileCheck, planPull, readManifest } from './plan.ts';
import type { FileCheck, PullPlan, WantedFile } from './plan.ts';
import { FileGone, SourceFailure, openWebFolder } from './web-folder.ts';
import type { WebFolder } from './web-folder.ts';

/** A generation that was copied. */
export interface Pulled {
  readonly part: LocalPart;
  readonly generation: number;
  /** Files fetched, and their total. */
  readonly fetched: number;
  readonly files: number;
  readonly bytes: number;
}

export interface PullProgress {
  readonly part: LocalPart;
  /** Bytes fetched of the missing ones. */
  readonly done: number;
  readonly total: number;
}

/** Options that a harvest has too: both fill the folder of a local catalogue. */
type SharedOption = 'dir' | 'keptGenerations' | 'clock' | 'wait' | 'random' | 'signal' | 'freeBytes';

export interface PullOptions extends Pick<HarvestOptions, SharedOption> {
  /** The folder of a harvest behind a web server. */
  readonly from: URL;
  readonly onProgress: (progress: PullProgress) => void;
  readonly onPulled: (pulled: Pulled) => void;
  /** Called with each failure while following; the next round retries. */
  readonly onFailedDownload: (error: Error) => void;
}

/** Not enough disk space for the missing files. */
class TooLittleSpace extends Error {
  constructor(folder: string, requiredBytes: number, free: number) {
    super(`${folder} needs ${formatBytes(requiredBytes)}, but only ${formatBytes(free)} are free.`);
    this.name = 'TooLittleSpace';
  }
}

const POLL_MS = 60_000;
const MAX_MANIFEST_BYTES = 4_000_000;
/** Maximum retries in one round if the source removes files that its manifest named. */
const MAX_MANIFESTS = 10;

/** One part of a catalogue. */
class PartPull<Generation extends GenerationFacts> {
  readonly #part: LocalPart;
  readonly #kind: GenerationKind<Generation>;
  readonly #options: PullOptions;
  readonly #source: WebFolder;
  readonly #dir: string;
  readonly #staging: string;
  readonly #isIntact: FileCheck;
  /** Validator of the last copied manifest. */
  #etag: string | undefined;
  #text: string | undefined;

  constructor(part: LocalPart, kind: GenerationKind<Generation>, options: PullOptions, source: WebFolder) {
    this.#part = part;
    this.#kind = kind;
    this.#options = options;
    this.#source = source;
    this.#dir = path.join(options.dir, part);
    this.#staging = path.join(this.#dir, 'pull');
    this.#isIntact = createFileCheck(this.#dir);
  }

  /** Copies the source's newest generation. Resolves to whether the source has this part. */
  async run(): Promise<boolean> {
    let before: string | undefined;
    for (let round = 1; ; round++) {
      const manifest = await withRetries(this.#options, () => this.#fetchManifest());
      if (manifest === undefined) {
        this.#requireAbsent();
        return false;
      }
      if (manifest.text === this.#text) return true;
      try {
        await this.#copyGeneration(manifest.text);
        [this.#etag, this.#text] = [manifest.etag, manifest.text];
        return true;
      } catch (error) {
        // The source removed the generation during the download: its manifest names a newer one.
        if (!(error instanceof FileGone) || manifest.text === before || round === MAX_MANIFESTS) throw error;
        before = manifest.text;
      }
    }
  }

  /** Fails if the source has removed a part that exists here. The local part stays until it is outdated. */
  #requireAbsent(): void {
    if (newestComplete(this.#dir, this.#kind) === null) return;
    throw new SourceFailure(
      `${this.#source.nameOf(`${this.#part}/${MANIFEST}`)} was removed at the source, but exists here`,
    );
  }

  async #fetchManifest(): Promise<{ text: string; etag: string | undefined } | undefined> {
    const file = `${this.#part}/${MANIFEST}`;
    const condition = this.#etag === undefined ? {} : { 'if-none-match': this.#etag };
    try {
      const headers = { ...condition, 'cache-control': 'no-cache' };
      const reply = await this.#source.get(file, headers, this.#options.signal);
      try {
        if (reply.status === 304 && this.#text !== undefined) return { text: this.#text, etag: this.#etag };
        if (reply.status !== 200) throw new SourceFailure(`${this.#source.nameOf(file)}: ${reply.status}`);
        const chunks: Buffer[] = [];
        let bytes = 0;
        for await (const chunk of reply.body) {
          bytes += chunk.length;
          if (bytes > MAX_MANIFEST_BYTES) {
            throw new SourceFailure(`${this.#source.nameOf(file)} is too long for a manifest`);
          }
          chunks.push(chunk);
        }
        const text = Buffer.concat(chunks).toString('utf8');
        readManifest(this.#source.nameOf(file), text, this.#kind);
        return { text, etag: reply.etag };
      } finally {
        reply.abandon();
      }
    } catch (error) {
      if (error instanceof FileGone) return undefined;
      throw error;
    }
  }

  async #copyGeneration(text: string): Promise<void> {
    const { keptGenerations, onPulled, signal } = this.#options;
    const given = readManifest(this.#part, text, this.#kind);
    await makeFolder(this.#staging);
    const plan = await planPull(given, this.#kind, { dir: this.#dir, isIntact: this.#isIntact, signal });
    const existing = newestComplete(this.#dir, this.#kind);
    const isUpToDate = JSON.stringify(existing) === JSON.stringify(plan.generation);
    if (!isUpToDate || plan.missing.length > 0) {
      const bytes = await this.#fetchMissing(plan);
      for (const file of plan.missing) this.#install(file);
      publishGeneration(this.#dir, plan.generation, this.#kind, keptGenerations);
      const { number: generation } = plan.generation;
      onPulled({ part: this.#part, generation, fetched: plan.missing.length, files: plan.files, bytes });
    }
    await fs.promises.rm(this.#staging, { recursive: true });
  }

  /** Downloads each missing file to the staging folder. Resolves to the number of bytes. */
  async #fetchMissing({ missing }: PullPlan<Generation>): Promise<number> {
    const { freeBytes, onProgress } = this.#options;
    this.#removeUnwanted(missing);
    const bySum = new Map(missing.map((file) => [file.sha256, file]));
    const total = [...bySum.values()].reduce((sum, { bytes }) => sum + bytes, 0);
    const staged = [...bySum.keys()].reduce((sum, sha256) => sum + this.#bytesStaged(sha256), 0);
    const free = freeBytes(this.#staging);
    if (free < total - staged) throw new TooLittleSpace(this.#dir, total - staged, free);
    let receivedBytes = 0;
    const parts: DownloadParts = {
      ...this.#options,
      source: this.#source,
      onBytes: (count) => {
        receivedBytes += count;
        onProgress({ part: this.#part, done: Math.min(total, staged + receivedBytes), total });
      },
    };
    for (const file of bySum.values()) {
      const target = path.join(this.#staging, file.sha256);
      if (!fs.existsSync(target)) await download(`${this.#part}/${file.from}`, file, target, parts);
    }
    return receivedBytes;
  }

  #bytesStaged(sha256: string): number {
    const names = [sha256, `${sha256}.part`].map((name) => path.join(this.#staging, name));
    return names.reduce((sum, name) => sum + (fs.statSync(name, { throwIfNoEntry: false })?.size ?? 0), 0);
  }

  /** Removes staged files of other generations, to free disk space. */
  #removeUnwanted(missing: readonly WantedFile[]): void {
    const missingSums = new Set(missing.map(({ sha256 }) => sha256));
    for (const name of fs.readdirSync(this.#staging)) {
      if (!missingSums.has(name.replace(/\.part$/, ''))) fs.rmSync(path.join(this.#staging, name));
    }
  }

  /** Copies a staged file to its place: several places may need the same file. */
  #install({ to, sha256 }: WantedFile): void {
    const target = path.join(this.#dir, to);
    const unfinished = `${target}.part`;
    fs.mkdirSync(path.dirname(target), { recursive: true });
    fs.rmSync(unfinished, { force: true });
    fs.linkSync(path.join(this.#staging, sha256), unfinished);
    fs.renameSync(unfinished, target);
  }
}

/** Expected failures of a web server or the disk. Any other error is a bug. */
export const isExpected = (error: unknown): error is Error =>
  error instanceof SourceFailure ||
  error instanceof TooLittleSpace ||
  error instanceof UnwritableFile ||
  (error instanceof Error && 'syscall' in error);

/** Copies each part of the source, independently of failures of the others. Resolves to the failures. */
async function pullRound(
  parts: readonly { run(): Promise<boolean> }[],
  options: PullOptions,
): Promise<Error[]> {
  const failures: Error[] = [];
  let isAny = false;
  for (const part of parts) {
    try {
      isAny = (await part.run()) || isAny;
    } catch (error) {
      options.signal.throwIfAborted();
      if (!isExpected(error)) throw error;
      failures.push(error);
    }
  }
  if (!isAny && failures.length === 0)
    failures.push(new SourceFailure('There is no catalogue at this address.'));
  return failures;
}

function withSource<Result>(
  given: PullOptions,
  use: (round: () => Promise<Error[]>, options: PullOptions) => Promise<Result>,
): Promise<Result> {
  return withFolderLock(given, async (signal) => {
    const options = { ...given, signal };
    const source = openWebFolder(options.from, options.clock);
    const parts = [
      new PartPull('novels', NOVEL_INDEX, options, source),
      new PartPull('adult', NOVEL_INDEX, options, source),
      new PartPull('rankings', RANKINGS, options, source),
    ];
    try {
      return await use(() => pullRound(parts, options), options);
    } finally {
      await source.close();
    }
  });
}

/**
 * Updates a folder from a harvester's folder behind a web server. Resolves to the failures; partial downloads stay, and
 * the next run resumes them. Rejects with FolderInUse or the signal's reason.
 */
export const pull = (options: PullOptions): Promise<readonly Error[]> =>
  withSource(options, (round) => round());

/** Repeats `pull` until aborted. */
export const pullAndFollow = (options: PullOptions): Promise<never> =>
  withSource(options, async (round, { wait, random, signal, onFailedDownload: onFailure }) => {
    for (;;) {
      for (const failure of await round()) onFailure(failure);
      await wait(POLL_MS * (0.9 + 0.2 * random()));
      signal.throwIfAborted();
    }
  });
