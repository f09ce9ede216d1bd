import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type * as Lmdb from 'lmdb';
import type { RootDatabase } from 'lmdb';
import type { CacheTier } from './tiers.ts';
import type { Clock } from '../process/clock.ts';
import { ConfigError } from '../process/config.ts';
import { decodeEntry, encodeEntry } from './entry-codec.ts';
import { hashKey } from '../store/key-hash.ts';
import type { Logger } from '../process/logger.ts';
import { createDiskSweep } from './disk-sweep.ts';
import type { DiskTables } from './disk-sweep.ts';

export interface DiskTier extends CacheTier {
  /** Entries, and bytes that they take on disk (the file is a little larger, and never shrinks). */
  readonly figures: { entries: number; bytes: number };
  /** Removes what has expired, and what is nearest to its end until the rest fits. Also done now and then by itself. */
  sweep(): Promise<void>;
  /** Waits until everything that was put is on disk. */
  close(): Promise<void>;
}

export interface DiskTierOptions {
  /** CACHE_DIR, made when it does not exist. */
  directory: string;
  /** What is kept together: `catalogue-narou`. Becomes a folder name. */
  scope: string;
  /** Bound of what is kept on disk, in bytes. */
  maxBytes: number;
  clock: Clock;
  logger: Logger;
}

/** Changes with the layout of the tables; an older release's folder is left alone. */
const LAYOUT = 1;

/** Put and not yet on disk: what comes on top is not worth the memory. */
const MAX_BYTES_UNDER_WAY = 16 * 1024 * 1024;

const NOTHING = Buffer.alloc(0);

/**
 * Answers in an LMDB file that all workers of a machine share and that outlives them. Reads are synchronous, from
 * mapped memory; writes are gathered into transactions on a thread of their own. A crash at any moment leaves the
 * last complete transaction. Throws ConfigError when lmdb is not installed or the folder cannot be used.
 */
export async function openDiskTier(options: DiskTierOptions): Promise<DiskTier> {
  const { clock, logger, maxBytes } = options;
  const lmdb = await importLmdb(options.directory);
  const root = openRoot(lmdb, options);
  const tables: DiskTables = {
    answers: root.openDB<Buffer, string>('answers', { encoding: 'binary', useVersions: true }),
    ends: root.openDB<Buffer, [number, string]>('ends', { encoding: 'binary' }),
  };
  const sweep = createDiskSweep({ root, tables, maxBytes, clock });
  const mostUnderWay = Math.min(MAX_BYTES_UNDER_WAY, Math.ceil(maxBytes / 16));
  /** Reading from a closed environment ends the process: nothing may be under way then. */
  const underWay = new Set<Promise<void>>();
  let bytesUnderWay = 0;
  let complained = false;
  let closed = false;

  /** Said once: the same fault would come with every answer. */
  function complain(err: unknown): void {
    if (!complained && !closed) logger.warn({ err }, 'the disk cache failed; answers are kept in memory');
    complained = true;
  }

  function find(key: string) {
    if (closed) return undefined;
    try {
      const bytes = tables.answers.get(hashKey(key));
      return bytes && decodeEntry(bytes);
    } catch (error) {
      complain(error);
      return undefined;
    }
  }

  async function write(name: string, bytes: Buffer, keepUntil: number): Promise<void> {
    bytesUnderWay += bytes.length;
    try {
      const formerEnd = tables.answers.getBinaryFast(name) && lmdb.getLastVersion();
      // What is asked for in one turn of the event loop is one transaction.
      await Promise.all([
        formerEnd !== undefined && tables.ends.remove([formerEnd, name]),
        tables.answers.put(name, bytes, keepUntil),
        tables.ends.put([keepUntil, name], NOTHING),
      ]);
      if (sweep.noteWritten(bytes.length) && !closed) await sweep.run();
    } catch (error) {
      complain(error);
    } finally {
      bytesUnderWay -= bytes.length;
    }
  }

  await sweep.run();
  return {
    name: 'disk',
    find,
    put: (key, answer) => {
      if (closed || answer.keepUntil <= clock.now()) return;
      if (bytesUnderWay + answer.data.length > mostUnderWay) return;
      const work = write(hashKey(key), encodeEntry(answer), answer.keepUntil).finally(() => {
        underWay.delete(work);
      });
      underWay.add(work);
    },
    get figures() {
      return closed ? { entries: 0, bytes: 0 } : sweep.figures;
    },
    sweep: async () => {
      await Promise.all(underWay);
      if (!closed) await sweep.run();
    },
    close: async () => {
      if (closed) return;
      closed = true;
      await Promise.all(underWay);
      await root.flushed;
      await root.close();
    },
  };
}

function fault(directory: string, what: string, error: unknown): ConfigError {
  const reason = error instanceof Error ? error.message : String(error);
  return new ConfigError([`CACHE_DIR=${JSON.stringify(directory)}: ${what} (${reason})`]);
}

async function importLmdb(directory: string): Promise<typeof Lmdb> {
  try {
    return await import('lmdb');
  } catch (error) {
    const what = 'needs the package lmdb: install it (npm install lmdb), or leave CACHE_DIR empty';
    throw fault(directory, what, error);
  }
}

function openRoot(lmdb: typeof Lmdb, { directory, scope, maxBytes }: DiskTierOptions): RootDatabase {
  try {
    const path = join(directory, `${scope}-${LAYOUT}`);
    mkdirSync(path, { recursive: true });
    return lmdb.open({ path, noSubdir: false, maxDbs: 2, mapSize: maxBytes, encoding: 'binary' });
  } catch (error) {
    throw fault(directory, 'must be a folder that may be written; a damaged cache may be deleted', error);
  }
}
