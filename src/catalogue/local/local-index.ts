import fs from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import type { Logger } from '../../process/logger.ts';
import { filesOfSegment, filesToVerify, newestGeneration } from '../index/engine/index-generations.ts';
import type { IndexGeneration, GenerationSegment } from '../index/engine/index-generations.ts';
import { loadGeneration, loadInThread } from '../index/engine/load-generation.ts';
import { openLoaded } from '../index/engine/open-index.ts';
import type { OpenIndex } from '../index/engine/open-index.ts';
import { createDamagedGenerations, noneLeft, stampsOf } from './damaged-generations.ts';
import type { DamagedGenerations } from './damaged-generations.ts';
import { MAX_AGE_SECONDS } from '../novels/max-age.ts';
import { singleFlight } from './single-flight.ts';

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
 * - `empty`: its generation has no records,
 * - `broken`: nothing can be read, or no generation is complete,
 * - `absent`: there is no folder.
 */
export type PartState = 'served' | 'damaged' | 'outdated' | 'empty' | 'broken' | 'absent';

/** State of the opened generation, or of the folder if none is open. */
export function stateOf(dir: string, open: { served: number; outdated: number } | undefined): PartState {
  if (open === undefined) return fs.existsSync(dir) ? 'broken' : 'absent';
  if (open.served > 0) return 'served';
  return open.outdated > 0 ? 'outdated' : 'empty';
}

/** The index in a folder: its newest complete and undamaged generation. */
export interface LocalIndex {
  /** Undefined if it is empty or outdated. */
  current(): OpenIndex | undefined;
  state(): PartState;
  /** Number of the current generation; 0 if there is none. */
  facts(): { readonly records: number; readonly outdated: number; readonly generation: number };
  /** Marks the current generation as damaged: it is served until `refresh` finds another. */
  discard(why: unknown): void;
  /** Loads another generation, in another thread. Rejects if the folder is missing or cannot be read. */
  refresh(): Promise<void>;
  close(): void;
}

interface ServedGeneration {
  readonly index: OpenIndex;
  readonly generation: IndexGeneration;
  /** Identity of its files before they were opened. */
  readonly stamps: ReadonlySet<string>;
}

/** Opens the newest generation at once; the first `refresh` verifies its checksums. */
export function openLocalIndex(dir: string, options: FolderOptions): LocalIndex {
  const { now, logger, loadWorker } = options;
  const broken = createDamagedGenerations(dir, logger);
  let open = openNewest(dir, now, broken);
  let isVerified = false;
  let isClosed = false;

  const look = async (): Promise<void> => {
    const newest = newestGeneration(dir, broken);
    if (newest === null && open !== undefined) throw noneLeft(dir);
    if (newest === null) return;
    const all = filesToVerify(newest);
    const stamps = new Set(stampsOf(dir, all));
    const isOpen = isDeepStrictEqual([newest, stamps], [open?.generation, open?.stamps]);
    if (isOpen && isVerified) return;
    const verifiedFolders = isVerified ? foldersKnown(dir, newest, open) : new Set<string>();
    const load = isOpen ? undefined : { generation: newest, verifiedFolders };
    const files = filesToVerify(newest, verifiedFolders);
    const reply = await loadInThread(loadWorker, { dir, files, load });
    if (isClosed) return;
    if (reply.broken.length === 0) {
      isVerified = true;
      if (reply.loaded === undefined) return;
      const index = open?.index ?? openLoaded(dir, reply.loaded, now, MAX_AGE_SECONDS);
      if (open !== undefined) index.swapGeneration(reply.loaded);
      open = { index, generation: reply.loaded.generation, stamps };
      const { generation, records } = index.facts();
      logger.info({ dir, generation, records }, 'a new generation of the catalogue is served');
      return;
    }
    broken.markDamaged(newest.number, all, { files: reply.broken });
    await look();
  };
  return {
    current: () => (open !== undefined && open.index.facts().records > 0 ? open.index : undefined),
    state: () => {
      const facts = open?.index.facts();
      const state = stateOf(dir, facts && { served: facts.records, outdated: facts.outdated });
      return state === 'served' && open !== undefined ? stateOfServed(open, broken) : state;
    },
    facts: () => open?.index.facts() ?? { records: 0, outdated: 0, generation: 0 },
    discard: (err) => {
      // The previous generation may have the same files.
      if (open !== undefined && isNewlyDamaged(broken, open.generation, err)) isVerified = false;
    },
    refresh: singleFlight(look),
    close: () => {
      isClosed = true;
      open?.index.close();
    },
  };
}

function stateOfServed({ index, generation }: ServedGeneration, broken: DamagedGenerations): PartState {
  if (!broken.isDamaged(generation.number, filesToVerify(generation))) return 'served';
  return index.isReadable() ? 'damaged' : 'broken';
}

/** Logs once that a generation is damaged. */
function isNewlyDamaged(broken: DamagedGenerations, generation: IndexGeneration, err: unknown) {
  const files = filesToVerify(generation);
  if (broken.isDamaged(generation.number, files)) return false;
  broken.markDamaged(generation.number, files, { err });
  return true;
}

/** Folders of segments that are open already with the same files. */
function foldersKnown(
  dir: string,
  { segments }: IndexGeneration,
  open: ServedGeneration | undefined,
): Set<string> {
  const isKnown = ({ folder, files }: GenerationSegment): boolean =>
    stampsOf(dir, filesOfSegment(folder, files)).every((stamp) => open?.stamps.has(stamp));
  return new Set(segments.filter(isKnown).map(({ folder }) => folder));
}

function openNewest(
  dir: string,
  now: () => number,
  broken: DamagedGenerations,
): ServedGeneration | undefined {
  for (;;) {
    const generation = newestGeneration(dir, broken);
    if (generation === null) return undefined;
    const files = filesToVerify(generation);
    const stamps = new Set(stampsOf(dir, files));
    try {
      const loaded = loadGeneration(dir, generation, new Set());
      return { index: openLoaded(dir, loaded, now, MAX_AGE_SECONDS), generation, stamps };
    } catch (err) {
      broken.markDamaged(generation.number, files, { err });
    }
  }
}
