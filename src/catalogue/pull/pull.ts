import fs from 'node:fs';
import path from 'node:path';
import type { Clock } from '../../process/clock.ts';
import { makeFolder } from '../../process/make-folder.ts';
import { withFolderLock } from '../harvest/lock-folder.ts';
import { syncFolder } from '../index/engine/files.ts';
import { MANIFEST, NOVEL_INDEX, newestWhole, publishWhole } from '../index/engine/generations.ts';
import type { GenerationFacts, GenerationKind, KeptGenerations } from '../index/engine/generations.ts';
import { RANKINGS } from '../local/ranking-files.ts';
import { UnwritableFile, download, withRetries } from './download.ts';
import type { DownloadParts } from './download.ts';
import { createFileCheck, planPull, readManifest } from './plan.ts';
import type { FileCheck, PullPlan, WantedFile } from './plan.ts';
import { FileGone, SourceFailure, openWebFolder } from './web-folder.ts';
import type { WebFolder } from './web-folder.ts';

/** The parts of a catalogue, by their folders. */
export type PullPart = 'novels' | 'adult' | 'rankings';

/** A generation that was taken over. */
export interface Pulled {
  readonly part: PullPart;
  readonly generation: number;
  /** Files fetched, and of how many. */
  readonly fetched: number;
  readonly files: number;
  readonly bytes: number;
}

export interface PullProgress {
  readonly part: PullPart;
  /** Bytes that are here of those that were missing. */
  readonly done: number;
  readonly total: number;
}

export interface PullOptions {
  /** The folder of a harvest behind a web server. */
  readonly from: URL;
  /** The folder of the local catalogue. */
  readonly dir: string;
  /** Generations that stay. */
  readonly keep: KeptGenerations;
  readonly clock: Clock;
  /** Rejects when the signal is aborted. */
  readonly wait: (milliseconds: number) => Promise<unknown>;
  readonly random: () => number;
  readonly signal: AbortSignal;
  /** Bytes that are free on the disk where a folder is. */
  readonly freeBytes: (folder: string) => number;
  readonly onProgress: (progress: PullProgress) => void;
  readonly onPulled: (pulled: Pulled) => void;
  /** Called with each failure while it follows; the next round tries again. */
  readonly onFailure: (error: Error) => void;
}

/** There is not as much room as the missing files take. */
export class NoRoomToPull extends Error {
  constructor(folder: string, wanted: number, free: number) {
    const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
    super(`${megabytes(wanted)} are to be fetched into ${folder}; ${megabytes(free)} are free there.`);
    this.name = 'NoRoomToPull';
  }
}

const POLL_MS = 60_000;
const MOST_MANIFEST_BYTES = 4_000_000;
/** So often a source may remove, in one round, what its manifest has just named. */
const MOST_MANIFESTS = 10;

/** One part of a catalogue, as this process knows it. */
class PartPull<Generation extends GenerationFacts> {
  readonly #part: PullPart;
  readonly #kind: GenerationKind<Generation>;
  readonly #options: PullOptions;
  readonly #source: WebFolder;
  readonly #dir: string;
  readonly #staging: string;
  readonly #isThere: FileCheck;
  /** Of the manifest that was taken over last. */
  #etag: string | undefined;
  #text: string | undefined;

  constructor(part: PullPart, kind: GenerationKind<Generation>, options: PullOptions, source: WebFolder) {
    this.#part = part;
    this.#kind = kind;
    this.#options = options;
    this.#source = source;
    this.#dir = path.join(options.dir, part);
    this.#staging = path.join(this.#dir, 'pull');
    this.#isThere = createFileCheck(this.#dir);
  }

  /** Takes over what the source has. Resolves to whether it has this part. */
  async run(): Promise<boolean> {
    let before: string | undefined;
    for (let round = 1; ; round++) {
      const manifest = await withRetries(this.#options, () => this.#fetchManifest());
      if (manifest === undefined) return this.#isAbsent();
      if (manifest.text === this.#text) return true;
      try {
        await this.#takeOver(manifest.text);
        [this.#etag, this.#text] = [manifest.etag, manifest.text];
        return true;
      } catch (error) {
        // The source has removed a generation while it was fetched: its manifest names the next one by now.
        if (!(error instanceof FileGone) || manifest.text === before || round === MOST_MANIFESTS) throw error;
        before = manifest.text;
      }
    }
  }

  /** What is here stays, and ends by its age. */
  #isAbsent(): false {
    if (newestWhole(this.#dir, this.#kind) === null) return false;
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
          if (bytes > MOST_MANIFEST_BYTES) {
            throw new SourceFailure(`${this.#source.nameOf(file)} is no manifest: it is too long`);
          }
          chunks.push(chunk);
        }
        const text = Buffer.concat(chunks).toString('utf8');
        readManifest(this.#source.nameOf(file), text, this.#kind);
        return { text, etag: reply.etag };
      } finally {
        reply.discard();
      }
    } catch (error) {
      if (error instanceof FileGone) return undefined;
      throw error;
    }
  }

  async #takeOver(text: string): Promise<void> {
    const { keep, onPulled, signal } = this.#options;
    const given = readManifest(this.#part, text, this.#kind);
    await makeFolder(this.#staging);
    const plan = await planPull(given, this.#kind, { dir: this.#dir, isThere: this.#isThere, signal });
    const held = newestWhole(this.#dir, this.#kind);
    const isHeld = JSON.stringify(held) === JSON.stringify(plan.generation);
    if (!isHeld || plan.missing.length > 0) {
      const bytes = await this.#fetchMissing(plan);
      for (const file of plan.missing) this.#install(file);
      publishWhole(this.#dir, plan.generation, this.#kind, keep);
      const { number: generation } = plan.generation;
      onPulled({ part: this.#part, generation, fetched: plan.missing.length, files: plan.files, bytes });
    }
    await fs.promises.rm(this.#staging, { recursive: true });
  }

  /** Brings each missing file whole into the staging folder. Resolves to how many bytes came. */
  async #fetchMissing({ missing }: PullPlan<Generation>): Promise<number> {
    const { freeBytes, onProgress } = this.#options;
    this.#removeUnwanted(missing);
    const bySum = new Map(missing.map((file) => [file.sha256, file]));
    const total = [...bySum.values()].reduce((sum, { bytes }) => sum + bytes, 0);
    const staged = [...bySum.keys()].reduce((sum, sha256) => sum + this.#bytesStaged(sha256), 0);
    const free = freeBytes(this.#staging);
    if (free < total - staged) throw new NoRoomToPull(this.#dir, total - staged, free);
    let came = 0;
    const parts: DownloadParts = {
      ...this.#options,
      source: this.#source,
      onBytes: (count) => {
        came += count;
        onProgress({ part: this.#part, done: Math.min(total, staged + came), total });
      },
    };
    for (const file of bySum.values()) {
      const target = path.join(this.#staging, file.sha256);
      if (!fs.existsSync(target)) await download(`${this.#part}/${file.from}`, file, target, parts);
    }
    return came;
  }

  #bytesStaged(sha256: string): number {
    const names = [sha256, `${sha256}.part`].map((name) => path.join(this.#staging, name));
    return names.reduce((sum, name) => sum + (fs.statSync(name, { throwIfNoEntry: false })?.size ?? 0), 0);
  }

  /** What was staged for a generation that is not wanted any more would take room for nothing. */
  #removeUnwanted(missing: readonly WantedFile[]): void {
    const wanted = new Set(missing.map(({ sha256 }) => sha256));
    for (const name of fs.readdirSync(this.#staging)) {
      if (!wanted.has(name.replace(/\.part$/, ''))) fs.rmSync(path.join(this.#staging, name));
    }
  }

  /** Puts a fetched file in its place. A copy: another place may need the same. */
  #install({ to, sha256 }: WantedFile): void {
    const place = path.join(this.#dir, to);
    const unfinished = `${place}.part`;
    fs.mkdirSync(path.dirname(place), { recursive: true });
    fs.rmSync(unfinished, { force: true });
    fs.linkSync(path.join(this.#staging, sha256), unfinished);
    fs.renameSync(unfinished, place);
    syncFolder(path.dirname(place));
  }
}

/** What a web server, or the disk, may do to us. Anything else is a bug. */
export const isExpected = (error: unknown): error is Error =>
  error instanceof SourceFailure ||
  error instanceof NoRoomToPull ||
  error instanceof UnwritableFile ||
  (error instanceof Error && 'syscall' in error);

/** Takes over each part that the source has; one that fails does not keep the others from it. Resolves to failures. */
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
    const source = openWebFolder(options.from);
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
 * Brings a folder to what a harvester's folder behind a web server holds. Resolves to what failed; what came of it is
 * kept, and the next run resumes. Rejects with FolderInUse or the signal's reason.
 */
export const pull = (options: PullOptions): Promise<readonly Error[]> =>
  withSource(options, (round) => round());

/** As `pull`, again and again. Only ends by being aborted. */
export const pullAndFollow = (options: PullOptions): Promise<never> =>
  withSource(options, async (round, { wait, random, signal, onFailure }) => {
    for (;;) {
      for (const failure of await round()) onFailure(failure);
      await wait(POLL_MS * (0.9 + 0.2 * random()));
      signal.throwIfAborted();
    }
  });
