import type { Logger } from '../../process/logger.ts';
import { filesToVerify, newestGeneration } from '../index/engine/generations.ts';
import { loadGeneration, loadInThread } from '../index/engine/load-generation.ts';
import type { LoadReply } from '../index/engine/load-generation.ts';
import { openLoaded } from '../index/engine/open-index.ts';
import type { OpenIndex } from '../index/engine/open-index.ts';
import { createBrokenGenerations } from './broken-generations.ts';
import type { BrokenGenerations } from './broken-generations.ts';
import { MAX_AGE_SECONDS } from '../novels/max-age.ts';

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
  /** Takes up a newer generation, read in another thread meanwhile. Rejects when the folder cannot be read. */
  refresh(): Promise<void>;
  close(): void;
}

/** Opens the newest generation at once; its contents are held against their sums by the first `refresh`. */
export function openLocalIndex(dir: string, options: FolderOptions): LocalIndex {
  const { now, logger, loadWorker } = options;
  const broken = createBrokenGenerations(dir, logger);
  let index = openNewest(dir, now, broken);
  let isVerified = false;
  let isClosed = false;
  let underWay: Promise<void> | undefined;

  const take = ({ loaded }: LoadReply): void => {
    if (loaded === undefined) return;
    if (index === undefined) index = openLoaded(dir, loaded, now, MAX_AGE_SECONDS);
    else index.take(loaded);
    const { generation, records } = index.facts();
    logger.info({ dir, generation, records }, 'a new generation of the catalogue is served');
  };
  const look = async (): Promise<void> => {
    const newest = newestGeneration(dir, broken);
    const facts = index?.facts();
    const isOpen = newest?.number === facts?.generation;
    if (newest === null || (isOpen && isVerified)) return;
    const known = isVerified && facts ? facts.folders : new Set<string>();
    const files = filesToVerify(newest, known);
    const reply = await loadInThread(loadWorker, {
      ...{ dir, files },
      ...(!isOpen && { load: { generation: newest, known } }),
    });
    if (isClosed) return;
    if (reply.broken.length === 0) {
      take(reply);
      isVerified = true;
      return;
    }
    broken.discard(newest.number, { files: reply.broken });
    if (isOpen) {
      index?.close();
      index = undefined;
    }
    await look();
  };
  return {
    current: () => (index !== undefined && index.facts().records > 0 ? index : undefined),
    refresh: () =>
      (underWay ??= look().finally(() => {
        underWay = undefined;
      })),
    close: () => {
      isClosed = true;
      index?.close();
    },
  };
}

function openNewest(dir: string, now: () => number, broken: BrokenGenerations): OpenIndex | undefined {
  for (;;) {
    const newest = newestGeneration(dir, broken);
    if (newest === null) return undefined;
    try {
      return openLoaded(dir, loadGeneration(dir, newest, new Set()), now, MAX_AGE_SECONDS);
    } catch (err) {
      broken.discard(newest.number, { err });
    }
  }
}
