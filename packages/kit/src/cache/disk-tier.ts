import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../process/clock.ts';
import { ConfigError } from '../process/config.ts';
import type { Logger } from '../process/logger.ts';
import { makeFolder } from '../process/files.ts';
import { createThrottledLog } from '../process/throttled-log.ts';
import type { ThrottledLog } from '../process/throttled-log.ts';
import { withSignal } from '../process/clock.ts';
import type { CacheTier } from './tiers.ts';
import { filePathOf, readDiskFile, removeDiskFile, diskBytes, writeDiskFile } from './disk-files.ts';
import { sweepDisk } from './disk-sweep.ts';
import type { DiskStats } from './disk-sweep.ts';
import { decodeEntry, encodeEntry } from './entry-codec.ts';
import type { CacheEntry } from './cache-entry.ts';

interface DiskTierOptions {
  /** CACHE_DIR; created if missing. */
  directory: string;
  /** Service and source, whose entries are never mixed: `catalogue:narou`. Becomes a folder name. */
  scope: string;
  /** Maximum size on disk, in bytes. */
  maxBytes: number;
  clock: Clock;
  logger: Logger;
  /** Ends the wait for a read; a disk that has not responded by then is not read until it does. */
  readDeadline?: () => AbortSignal;
}

/** Changes with the folder's layout. Folders of older releases are not touched. */
const LAYOUT = 2;

/** Bytes not yet on disk. Beyond this, writes are dropped. */
const MAX_PENDING_BYTES = 16 * 1024 * 1024;

/** Shares of the maximum size: bytes waiting to be written, and bytes written between two sweeps. */
const PENDING_SHARE = 1 / 16;
const UNSWEPT_SHARE = 1 / 16;

/** After a failure, no writes for this long. */
const WRITE_PAUSE_MS = 60_000;

const READ_DEADLINE_MS = 2_000;

const UNREADABLE = 'a file of the disk cache cannot be read at present: its response is loaded again';

/** Errors of an invalid CACHE_DIR at startup. Others (full, read-only, broken) may be temporary. */
const CONFIG_ERROR_CODES = [
  'ENOENT',
  'ENOTDIR',
  'EEXIST',
  'EACCES',
  'EPERM',
  'ENAMETOOLONG',
  'ELOOP',
  'EINVAL',
];

/**
 * Opens the cache on disk. Throws ConfigError if the path is no folder, or cannot be created or written. A full,
 * read-only or damaged disk does not prevent the startup.
 */
export async function openDiskTier(options: DiskTierOptions): Promise<DiskTier> {
  const { directory, scope } = options;
  const root = join(directory, `${scope.replace(/[^\w.-]+/g, '-')}-${LAYOUT}`);
  const tier = new DiskTier(root, options);
  try {
    await makeFolder(root);
    await access(root, constants.R_OK | constants.W_OK | constants.X_OK);
    void tier.sweep();
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    if (CONFIG_ERROR_CODES.includes(code)) {
      const name = JSON.stringify(directory);
      throw new ConfigError([`CACHE_DIR=${name}: must be a writable folder (${message})`]);
    }
    tier.reportFailure(error);
  }
  return tier;
}

/**
 * Cache in files, one per entry, shared by all processes of a machine. The service works without it: a damaged file is
 * a miss and is removed; after a failed write there are no writes for a minute. Failure and recovery are logged once.
 */
export class DiskTier implements CacheTier {
  readonly #root: string;
  readonly #options: DiskTierOptions;
  readonly #closing = new AbortController();
  /** Writes are sequential, so that the youngest entry of a key is written last. */
  #writes: Promise<void> = Promise.resolve();
  #pendingBytes = 0;
  #sweeping: Promise<void> | undefined;
  #stats: DiskStats = { entries: 0, bytes: 0 };
  #unsweptBytes = 0;
  /** Monotonic. */
  #failedAt: number | undefined;
  #hasFoundDamage = false;
  readonly #readFailures: ThrottledLog;
  /** Number of reads that have not returned in time. */
  #hangingReads = 0;

  constructor(root: string, options: DiskTierOptions) {
    this.#root = root;
    this.#options = options;
    this.#readFailures = createThrottledLog(options);
  }

  /** Entries and bytes at the last sweep, plus what this process has written since. */
  get stats(): DiskStats {
    return { ...this.#stats, bytes: this.#stats.bytes + this.#unsweptBytes };
  }

  async find(key: string): Promise<CacheEntry | undefined> {
    if (this.#closing.signal.aborted || this.#hangingReads > 0) return undefined;
    const path = filePathOf(this.#root, key);
    try {
      const bytes = await this.#read(path);
      if (!bytes) return undefined;
      const entry = decodeEntry(key, bytes);
      if (!entry) await this.#removeDamaged(path);
      return entry;
    } catch (err) {
      // Says nothing about the content, nor about writing: the next look reads it again.
      if (this.#failedAt === undefined)
        this.#readFailures.logOncePerPeriod('warn', 'read', { err }, UNREADABLE);
      return undefined;
    }
  }

  /** Rejects if the disk does not respond in time: each such read holds one of the process's few threads for files. */
  async #read(path: string): Promise<Buffer | undefined> {
    const read = readDiskFile(path);
    const deadline = this.#options.readDeadline?.() ?? AbortSignal.timeout(READ_DEADLINE_MS);
    try {
      return await withSignal(read, deadline);
    } catch (error) {
      if (deadline.aborted) {
        this.#hangingReads++;
        void read.catch(() => undefined).finally(() => this.#hangingReads--);
      }
      throw error;
    }
  }

  put(key: string, entry: CacheEntry): void {
    const { clock, maxBytes } = this.#options;
    if (this.#isPaused() || entry.staleIfErrorUntil <= clock.now()) return;
    const bytes = encodeEntry(key, entry);
    const maxPendingBytes = Math.min(MAX_PENDING_BYTES, maxBytes * PENDING_SHARE);
    if (this.#pendingBytes + bytes.length > maxPendingBytes) return;
    this.#pendingBytes += bytes.length;
    this.#writes = this.#writes.then(async () => {
      await this.#write(filePathOf(this.#root, key), bytes, entry.staleIfErrorUntil);
      this.#pendingBytes -= bytes.length;
    });
  }

  /** Removes expired files, then others until the rest fits. Also runs when a sixteenth of `maxBytes` has been written. */
  sweep(): Promise<void> {
    this.#sweeping ??= this.#sweep().finally(() => {
      this.#sweeping = undefined;
    });
    return this.#sweeping;
  }

  /** Waits for pending writes and a running sweep. */
  async flushed(): Promise<void> {
    await this.#writes;
    await this.#sweeping;
  }

  async close(): Promise<void> {
    await this.#writes;
    this.#closing.abort();
    await this.#sweeping;
  }

  /** Reports a failed disk operation. */
  reportFailure(error: unknown): void {
    const { clock, logger } = this.#options;
    if (this.#failedAt === undefined) {
      logger.warn(
        { err: error },
        'the disk cache failed: responses are cached in memory only, and the disk is retried later',
      );
    }
    this.#failedAt = clock.monotonic();
  }

  #isPaused(): boolean {
    if (this.#closing.signal.aborted) return true;
    return this.#failedAt !== undefined && this.#options.clock.monotonic() - this.#failedAt < WRITE_PAUSE_MS;
  }

  async #write(path: string, bytes: Buffer, until: number): Promise<void> {
    if (this.#isPaused()) return;
    try {
      await writeDiskFile(path, bytes, until);
    } catch (error) {
      this.reportFailure(error);
      // On a full disk, removing expired files may help.
      void this.sweep();
      return;
    }
    if (this.#failedAt !== undefined) this.#options.logger.info('the disk cache is in use again');
    this.#failedAt = undefined;
    this.#unsweptBytes += diskBytes(bytes.length);
    if (this.#unsweptBytes > this.#options.maxBytes * UNSWEPT_SHARE) void this.sweep();
  }

  async #sweep(): Promise<void> {
    const { clock, maxBytes } = this.#options;
    this.#unsweptBytes = 0;
    try {
      const { signal } = this.#closing;
      this.#stats = await sweepDisk(this.#root, { now: clock.now(), maxBytes, signal });
    } catch (error) {
      this.reportFailure(error);
    }
  }

  async #removeDamaged(path: string): Promise<void> {
    const level = this.#hasFoundDamage ? 'debug' : 'warn';
    this.#hasFoundDamage = true;
    this.#options.logger[level](
      { path },
      'removed a damaged file, or one of another release, from the disk cache',
    );
    await removeDiskFile(path);
  }
}
