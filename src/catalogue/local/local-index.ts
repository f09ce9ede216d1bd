import { isDeepStrictEqual } from 'node:util';
import type { Logger } from '../../process/logger.ts';
import { filesToVerify, newestGeneration } from '../index/engine/generations.ts';
import type { Generation } from '../index/engine/generations.ts';
import { loadGeneration, loadInThread } from '../index/engine/load-generation.ts';
import type { LoadReply } from '../index/engine/load-generation.ts';
import { openLoaded } from '../index/engine/open-index.ts';
import type { OpenIndex } from '../index/engine/open-index.ts';
import { createBrokenGenerations, noneLeft } from './broken-generations.ts';
import type { BrokenGenerations } from './broken-generations.ts';
import { MAX_AGE_SECONDS } from '../novels/max-age.ts';
import { oneAtATime } from './one-at-a-time.ts';

/** What is told to whoever serves from a folder. */
export interface FolderOptions {
  /** Milliseconds UTC. */
  now: () => number;
  logger: Logger;
  /** The script that reads generations in another thread; undefined: they are read in this one. */
  loadWorker: URL | undefined;
}

/** The index in a folder, in its newest generation that is whole and as it was written. */
export interface LocalIndex {
  /** Undefined where nothing is held, or all of it has grown too old. */
  current(): OpenIndex | undefined;
  /** Takes up another generation, read in another thread meanwhile. Rejects when the folder cannot be read, or is gone. */
  refresh(): Promise<void>;
  close(): void;
}

interface Open {
  readonly index: OpenIndex;
  readonly generation: Generation;
}

/** Opens the newest generation at once; its contents are held against their sums by the first `refresh`. */
export function openLocalIndex(dir: string, options: FolderOptions): LocalIndex {
  const { now, logger, loadWorker } = options;
  const broken = createBrokenGenerations(dir, logger);
  let open = openNewest(dir, now, broken);
  let isVerified = false;
  let isClosed = false;

  const take = ({ loaded }: LoadReply): void => {
    if (loaded === undefined) return;
    const { generation } = loaded;
    const index = open?.index ?? openLoaded(dir, loaded, now, MAX_AGE_SECONDS);
    if (open !== undefined) index.take(loaded);
    open = { index, generation };
    const { records } = index.facts();
    logger.info(
      { dir, generation: generation.number, records },
      'a new generation of the catalogue is served',
    );
  };
  const look = async (): Promise<void> => {
    const newest = newestGeneration(dir, broken);
    if (newest === null && open !== undefined) throw noneLeft(dir);
    const isOpen = isDeepStrictEqual(newest, open?.generation);
    if (newest === null || (isOpen && isVerified)) return;
    const known = isVerified && open ? foldersOfBoth(newest, open.generation) : new Set<string>();
    const load = isOpen ? undefined : { generation: newest, known };
    const files = filesToVerify(newest, known);
    const reply = await loadInThread(loadWorker, { dir, files, load });
    if (isClosed) return;
    isVerified = reply.broken.length === 0;
    if (isVerified) {
      take(reply);
      return;
    }
    broken.discard(newest.number, filesToVerify(newest, new Set()), { files: reply.broken });
    if (isOpen) {
      open?.index.close();
      open = undefined;
    }
    await look();
  };
  return {
    current: () => (open !== undefined && open.index.facts().records > 0 ? open.index : undefined),
    refresh: oneAtATime(look),
    close: () => {
      isClosed = true;
      open?.index.close();
    },
  };
}

/** Folders of segments that two generations share. One of the same name may be of a folder that was put in its place. */
const foldersOfBoth = (one: Generation, other: Generation): Set<string> =>
  new Set(
    one.segments
      .filter(({ folder, files }) =>
        other.segments.some((each) => each.folder === folder && isDeepStrictEqual(each.files, files)),
      )
      .map(({ folder }) => folder),
  );

function openNewest(dir: string, now: () => number, broken: BrokenGenerations): Open | undefined {
  for (;;) {
    const generation = newestGeneration(dir, broken);
    if (generation === null) return undefined;
    try {
      const loaded = loadGeneration(dir, generation, new Set());
      return { index: openLoaded(dir, loaded, now, MAX_AGE_SECONDS), generation };
    } catch (err) {
      broken.discard(generation.number, filesToVerify(generation, new Set()), { err });
    }
  }
}
