import fs from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Logger } from '@mokuroku/kit/process';
import { DamagedFile } from '../engine/files.ts';
import { readGenerations } from '../engine/generations.ts';
import type { GenerationFacts, GenerationKind, NamedFile } from '../engine/generations.ts';

export interface FolderOptions {
  /** Milliseconds UTC. */
  now: () => number;
  logger: Logger;
  /** The script that reads generations in another thread; undefined: read in this thread. */
  loadWorker: URL | undefined;
}

/**
 * State of a part of a catalogue, as its last read said:
 * - `behind`: all of it can be read, but the folder or a newer generation cannot,
 * - `damaged`: only some of it can be read,
 * - `outdated`: all of it was fetched too long ago,
 * - `empty`: there is no generation, or it has no records,
 * - `broken`: there are generations, but none is complete or undamaged,
 * - `unreadable`: nothing can be read at present,
 * - `absent`: there is no folder.
 */
export type PartState =
  'served' | 'behind' | 'damaged' | 'outdated' | 'empty' | 'broken' | 'unreadable' | 'absent';

export interface Served<Generation, Opened> {
  readonly generation: Generation;
  readonly opened: Opened;
  /** Identity of its files before they were opened. */
  readonly fileIdentities: readonly string[];
}

/** Reads the generations of a folder. Each method throws DamagedFile for damage; any other error: not read. */
export interface GenerationReader<Generation extends GenerationFacts, Opened> {
  readonly kind: GenerationKind<Generation>;
  /** Opens one at the start, in this thread. */
  open(generation: Generation): Opened;
  /**
   * Verifies and reads one in another thread. With `before`, its shared files are verified already. The returned function
   * opens it in place of another.
   */
  load(
    generation: Generation,
    before: Served<Generation, Opened> | undefined,
  ): Promise<(opened: Opened | undefined) => Opened>;
  /** Verifies the open one. Undefined: it is in memory, verified when it was opened, and its files do not matter. */
  readonly verify?: (generation: Generation) => Promise<unknown>;
}

/** Identity of each file: expected size and sum, and properties that change when it is written or replaced. */
export const fileIdentitiesOf = (dir: string, files: readonly NamedFile[]): string[] =>
  files.map(([file, { sha256 }]) => {
    const { ino, mtimeMs } = fs.statSync(path.join(dir, file));
    return `${file} ${sha256} ${ino} ${mtimeMs}`;
  });

/** Concurrent callers share one run of `work`. */
function singleFlight<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | undefined;
  return () =>
    (running ??= work().finally(() => {
      running = undefined;
    }));
}

/** A search for the generation to serve. `failure`: why something was not read. */
interface Look {
  failure: unknown;
}

/** The newest generation of a folder that could be opened: at once, and by `refresh`. */
export class NewestGeneration<Generation extends GenerationFacts, Opened> {
  /** Looks for another generation. Rejects if the folder has none left, or something was not read: it is read again. */
  readonly refresh = singleFlight(() => this.#refresh());
  readonly #dir: string;
  readonly #logger: Logger;
  readonly #reader: GenerationReader<Generation, Opened>;
  /** The files of damaged generations, by number: each stays damaged until one of them changes. */
  readonly #damaged = new Map<number, readonly string[]>();
  /** Incomplete ones; each is logged once. */
  readonly #skipped = new Set<number>();
  #served: Served<Generation, Opened> | undefined;
  /** Of the open one. `damaged`: as a request or a verification found; it is read anew. */
  #condition: 'opened' | 'verified' | 'damaged';
  #isClosed = false;
  /** Of the last look. */
  #failure: unknown;

  constructor(dir: string, logger: Logger, reader: GenerationReader<Generation, Opened>) {
    this.#dir = dir;
    this.#logger = logger;
    this.#reader = reader;
    this.#condition = reader.verify === undefined ? 'verified' : 'opened';
    const look: Look = { failure: undefined };
    for (const generation of this.#candidates(look)) if (this.#tryToOpen(generation, look)) break;
    this.#failure = look.failure;
  }

  get opened(): Opened | undefined {
    return this.#served?.opened;
  }

  /** State of the open generation, or of the folder if none is open. */
  stateOf(open: { served: number; outdated: number } | undefined): PartState {
    const isRead = this.#failure === undefined;
    if (open !== undefined && open.served > 0) return isRead ? 'served' : 'behind';
    if (open !== undefined) return open.outdated > 0 ? 'outdated' : 'empty';
    if (!isRead) return 'unreadable';
    if (this.#damaged.size + this.#skipped.size > 0) return 'broken';
    return fs.existsSync(this.#dir) ? 'empty' : 'absent';
  }

  isDamaged(): boolean {
    return this.#condition === 'damaged';
  }

  /**
   * After damage met by a request: `refresh` reads all files again. It alone says whether those of now are damaged:
   * others may have replaced the open ones.
   */
  discard(err: DamagedFile): void {
    if (this.isDamaged()) return;
    this.#condition = 'damaged';
    this.#logger.error({ dir: this.#dir, err }, 'a file of the catalogue is damaged; all are read again');
  }

  close(): void {
    this.#isClosed = true;
  }

  #fileIdentitiesOf(generation: Generation): string[] {
    return fileIdentitiesOf(this.#dir, this.#reader.kind.filesOf(generation));
  }

  #isMarked(generation: Generation): boolean {
    const fileIdentities = this.#damaged.get(generation.number);
    return (
      fileIdentities !== undefined && isDeepStrictEqual(fileIdentities, this.#fileIdentitiesOf(generation))
    );
  }

  #isOpen(generation: Generation, fileIdentities: readonly string[]): boolean {
    if (this.isDamaged() || !isDeepStrictEqual(generation, this.#served?.generation)) return false;
    return (
      this.#reader.verify === undefined || isDeepStrictEqual(fileIdentities, this.#served?.fileIdentities)
    );
  }

  #skip(generation: number): void {
    if (this.#skipped.has(generation)) return;
    this.#skipped.add(generation);
    const message = 'skipped a generation of the catalogue that is incomplete or of another release';
    this.#logger.warn({ dir: this.#dir, generation }, message);
  }

  /** The generations that may be served, newest first. Throws if the folder cannot be read. */
  *#candidates(look: Look): Generator<Generation, void, undefined> {
    for (const read of readGenerations(this.#dir, this.#reader.kind)) {
      if ('error' in read) look.failure = read.error;
      else if (read.generation === null) this.#skip(read.number);
      else if (!this.#isMarked(read.generation)) yield read.generation;
    }
  }

  #reject({ number }: Generation, fileIdentities: readonly string[], err: unknown, look: Look): false {
    if (err instanceof DamagedFile) {
      const message = 'skipped a damaged generation of the catalogue';
      this.#logger.error({ dir: this.#dir, generation: number, err }, message);
      this.#damaged.set(number, fileIdentities);
    } else look.failure = err;
    return false;
  }

  #tryToOpen(generation: Generation, look: Look): boolean {
    const fileIdentities = this.#fileIdentitiesOf(generation);
    try {
      this.#served = { generation, fileIdentities, opened: this.#reader.open(generation) };
      return true;
    } catch (error) {
      return this.#reject(generation, fileIdentities, error, look);
    }
  }

  async #refresh(): Promise<boolean> {
    const look: Look = { failure: undefined };
    const before = this.#served;
    try {
      await this.#look(look);
    } catch (error) {
      look.failure = error; // The folder itself.
    }
    this.#failure = look.failure;
    if (look.failure !== undefined) throw look.failure as Error;
    return this.#served !== before;
  }

  async #look(look: Look): Promise<void> {
    const before = this.#served;
    for (const generation of this.#candidates(look)) {
      // An older one does not replace an intact one because a newer one is not read at present.
      if (before !== undefined && look.failure !== undefined && !this.isDamaged()) return;
      if (await this.#tryToServe(generation, look)) return;
    }
    if (before !== undefined && look.failure === undefined)
      throw new Error(`no complete generation is left in ${this.#dir}`);
  }

  /** Returns false if the generation cannot be served. */
  async #tryToServe(generation: Generation, look: Look): Promise<boolean> {
    const fileIdentities = this.#fileIdentitiesOf(generation);
    const served = this.#served;
    const isOpen = this.#isOpen(generation, fileIdentities);
    try {
      if (isOpen && this.#condition === 'opened') await this.#reader.verify?.(generation);
      if (!isOpen) {
        const isVerified = this.#condition === 'verified';
        const replace = await this.#reader.load(generation, isVerified ? served : undefined);
        if (this.#isClosed) return true;
        this.#served = { generation, fileIdentities, opened: replace(served?.opened) };
      }
      this.#condition = 'verified';
      return true;
    } catch (error) {
      if (isOpen && error instanceof DamagedFile) this.#condition = 'damaged';
      return this.#reject(generation, fileIdentities, error, look);
    }
  }
}
