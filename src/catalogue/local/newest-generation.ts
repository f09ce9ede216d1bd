import fs from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import type { Logger } from '../../process/logger.ts';
import { isSystemError } from '../index/engine/files.ts';
import { completeGenerations } from '../index/engine/generations.ts';
import type { GenerationFacts, GenerationKind } from '../index/engine/generations.ts';
import { createDamagedGenerations, stampsOf } from './damaged-generations.ts';
import type { DamagedGenerations } from './damaged-generations.ts';

/** Options for everything that serves from a folder. */
export interface FolderOptions {
  /** Milliseconds UTC. */
  now: () => number;
  logger: Logger;
  /** The script that reads generations in another thread; undefined: read in this thread. */
  loadWorker: URL | undefined;
}

/**
 * State of a part of a catalogue:
 * - `damaged`: only some of it can be read,
 * - `outdated`: all of it was fetched too long ago,
 * - `empty`: there is no generation, or it has no records,
 * - `broken`: there are generations, but none is complete or readable,
 * - `unreadable`: the system cannot read it at present,
 * - `absent`: there is no folder.
 */
export type PartState = 'served' | 'damaged' | 'outdated' | 'empty' | 'broken' | 'unreadable' | 'absent';

/** An open generation. */
export interface Served<Generation, Opened> {
  readonly generation: Generation;
  readonly opened: Opened;
  /** Identity of its files before they were opened. */
  readonly stamps: ReadonlySet<string>;
}

/**
 * Reads the generations of a folder. Errors of the system mean that a generation is unreadable at present; all others,
 * that it is damaged.
 */
export interface GenerationReader<Generation extends GenerationFacts, Opened, Loaded> {
  readonly kind: GenerationKind<Generation>;
  /** Whether an open generation is in memory, and verified when opened: then its files do not matter any more. */
  readonly isInMemory: boolean;
  /** Opens one at the start, in this thread. */
  open(generation: Generation): Opened;
  /** Verifies and loads one in another thread. With `before`, its shared files are verified already. */
  load(generation: Generation, before: Served<Generation, Opened> | undefined): Promise<Loaded>;
  /** Verifies the open one. */
  verify(generation: Generation): Promise<unknown>;
  /** Opens a loaded one in place of another. */
  replace(loaded: Loaded, generation: Generation, opened: Opened | undefined): Opened;
}

/** Concurrent callers share one run of `work`. */
function singleFlight<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | undefined;
  return () =>
    (running ??= work().finally(() => {
      running = undefined;
    }));
}

/** The newest generation of a folder that could be opened: at once, and by `refresh`. */
export class NewestGeneration<Generation extends GenerationFacts, Opened, Loaded> {
  /** Looks for another generation. Rejects if the folder has none left, or the system cannot read it. */
  readonly refresh = singleFlight(() => this.#look());
  readonly #dir: string;
  readonly #logger: Logger;
  readonly #reader: GenerationReader<Generation, Opened, Loaded>;
  readonly #damaged: DamagedGenerations;
  #served: Served<Generation, Opened> | undefined;
  #isVerified: boolean;
  #isClosed = false;
  /** Why the last look could not read a generation. It is not remembered: the next look reads it again. */
  #unreadable: unknown;

  constructor(dir: string, logger: Logger, reader: GenerationReader<Generation, Opened, Loaded>) {
    this.#dir = dir;
    this.#logger = logger;
    this.#reader = reader;
    this.#damaged = createDamagedGenerations(dir, logger);
    this.#isVerified = reader.isInMemory;
    for (const generation of this.#candidates()) {
      const stamps = this.#stampsOf(generation);
      try {
        this.#served = { generation, stamps, opened: reader.open(generation) };
        return;
      } catch (error) {
        this.#reject(generation, error);
      }
    }
  }

  get current(): Opened | undefined {
    return this.#served?.opened;
  }

  /** State of the open generation, or of the folder if none is open. */
  stateOf(open: { served: number; outdated: number } | undefined): PartState {
    if (open === undefined && this.#unreadable !== undefined) return 'unreadable';
    if (open === undefined && this.#damaged.hasAny()) return 'broken';
    if (open === undefined) return fs.existsSync(this.#dir) ? 'empty' : 'absent';
    if (open.served > 0) return 'served';
    return open.outdated > 0 ? 'outdated' : 'empty';
  }

  isDamaged(): boolean {
    if (this.#served === undefined) return false;
    const { generation } = this.#served;
    return this.#damaged.isDamaged(generation.number, this.#reader.kind.filesOf(generation));
  }

  /** After an error while reading: a damaged generation is served until `refresh` finds another. */
  discard(err: unknown): void {
    if (this.#served === undefined || this.isDamaged()) return;
    if (isSystemError(err) && this.#unreadable === undefined)
      this.#logger.warn({ dir: this.#dir, err }, 'a file of the catalogue cannot be read at present');
    this.#reject(this.#served.generation, err);
    // The previous generation may have the same files.
    if (!isSystemError(err)) this.#isVerified = false;
  }

  close(): void {
    this.#isClosed = true;
  }

  #stampsOf(generation: Generation): Set<string> {
    const { isInMemory, kind } = this.#reader;
    return new Set(isInMemory ? [] : stampsOf(this.#dir, kind.filesOf(generation)));
  }

  *#candidates(): Generator<Generation, void, undefined> {
    this.#unreadable = undefined;
    const skipUnreadable = (error: unknown) => {
      this.#unreadable = error;
    };
    try {
      yield* completeGenerations(this.#dir, this.#reader.kind, { ...this.#damaged, skipUnreadable });
    } catch (error) {
      skipUnreadable(error); // The folder itself.
    }
  }

  #reject(generation: Generation, err: unknown): void {
    if (isSystemError(err)) this.#unreadable = err;
    else this.#damaged.markDamaged(generation.number, this.#reader.kind.filesOf(generation), { err });
  }

  async #look(): Promise<boolean> {
    const before = this.#served;
    for (const generation of this.#candidates()) {
      // An older one does not replace an intact one because a file is unreadable at present.
      const isAnother = before !== undefined && generation.number !== before.generation.number;
      if (isAnother && this.#unreadable !== undefined && !this.isDamaged()) break;
      if (!(await this.#tryToServe(generation))) continue;
      if (this.#unreadable === undefined) return this.#served !== before;
      break;
    }
    if (this.#unreadable !== undefined) throw this.#unreadable as Error;
    if (before !== undefined) throw new Error(`no complete generation is left in ${this.#dir}`);
    return false;
  }

  /** Returns false if the generation cannot be served. */
  async #tryToServe(generation: Generation): Promise<boolean> {
    const stamps = this.#stampsOf(generation);
    const served = this.#served;
    const isOpen = isDeepStrictEqual([generation, stamps], [served?.generation, served?.stamps]);
    try {
      if (isOpen && !this.#isVerified) await this.#reader.verify(generation);
      if (!isOpen) {
        const loaded = await this.#reader.load(generation, this.#isVerified ? served : undefined);
        if (this.#isClosed) return true;
        const opened = this.#reader.replace(loaded, generation, served?.opened);
        this.#served = { generation, stamps, opened };
      }
      this.#isVerified = true;
      return true;
    } catch (error) {
      this.#reject(generation, error);
      return false;
    }
  }
}
