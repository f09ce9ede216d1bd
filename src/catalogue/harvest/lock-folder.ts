import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Clock } from '../../process/clock.ts';
import { makeFolder } from '../../process/make-folder.ts';

/** The process that fills a folder, according to the lock. */
interface LockHolder {
  readonly token: string;
  readonly host: string;
  readonly pid: number;
  /** Start of that process, in Unix milliseconds: ids are reused, in a restarted container always. */
  readonly startedAt: number;
  /** Unix milliseconds of the last sign of life. */
  readonly seenAt: number;
}

/** Another process fills the folder. */
export class FolderInUse extends Error {
  constructor(folder: string, { host, pid, seenAt }: LockHolder) {
    const seen = new Date(seenAt).toISOString();
    super(`${folder} is in use by another harvest: process ${pid} on ${host}, last seen at ${seen}.`);
    this.name = 'FolderInUse';
  }
}

interface FolderLock {
  /** Renews the lock. Throws FolderInUse if another process has taken the folder over. */
  renew(): void;
  release(): void;
}

/** Age at which a lock of another machine expires. On the same machine the process id is checked. */
const LOST_AFTER_MS = 120_000;
/** Clocks of two machines differ by less. A later time comes from a clock that has been corrected since. */
const AHEAD_MS = 3_600_000;
const TRIES = 5;
const RENEW_LOCK_MS = 15_000;

/**
 * Locks a folder for one harvest. The lock is a file that is created atomically, on a shared volume too. The lock of
 * a killed process is taken over.
 */
export function lockFolder(folder: string, clock: Clock): FolderLock {
  const file = path.join(folder, 'lock');
  const token = randomUUID();
  const own = `${file}.${token}`;
  const write = (to: string) => {
    const holder: LockHolder = { token, ...describeOwnProcess(), seenAt: clock.now() };
    fs.writeFileSync(to, JSON.stringify(holder));
  };
  const checkOwner = () => {
    const holder = readHolder(file);
    if (holder && holder.token !== token) throw new FolderInUse(folder, holder);
  };
  try {
    write(own);
    acquireLock(folder, file, own, clock);
  } finally {
    fs.rmSync(own, { force: true });
  }
  return {
    renew: () => {
      checkOwner();
      write(own);
      fs.renameSync(own, file);
    },
    release: () => {
      fs.rmSync(own, { force: true }); // Left by a failed renewal on a full disk.
      if (readHolder(file)?.token === token) fs.rmSync(file, { force: true });
    },
  };
}

/**
 * Runs a task while the folder of a catalogue is locked. Aborts its signal with FolderInUse if another process takes
 * the folder over.
 */
export async function withFolderLock<Result>(
  { dir, clock, signal }: { dir: string; clock: Clock; signal: AbortSignal },
  use: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const folder = path.join(dir, 'harvest');
  await makeFolder(folder);
  const lock = lockFolder(folder, clock);
  const lost = new AbortController();
  const renewing = setInterval(() => {
    try {
      lock.renew();
    } catch (error) {
      lost.abort(error);
    }
  }, RENEW_LOCK_MS);
  try {
    return await use(AbortSignal.any([signal, lost.signal]));
  } finally {
    clearInterval(renewing);
    lock.release();
  }
}

/** A link fails if there is a lock: of two processes at the same time, one gets an error. */
function acquireLock(folder: string, file: string, own: string, clock: Clock): void {
  for (let tries = 1; ; tries++) {
    try {
      fs.linkSync(own, file);
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const holder = readHolder(file);
    if (holder && (isAlive(holder, clock) || tries === TRIES)) throw new FolderInUse(folder, holder);
    removeLost(file, holder, own);
  }
}

/** Moves an expired lock away. If another process has created its own meanwhile, that one is moved back. */
function removeLost(file: string, holder: LockHolder | undefined, own: string): void {
  const aside = `${own}.lost`;
  try {
    fs.renameSync(file, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  if (readHolder(aside)?.token !== holder?.token) fs.linkSync(aside, file);
  fs.rmSync(aside);
}

/** undefined if the lock is missing or unreadable. */
function readHolder(file: string): LockHolder | undefined {
  try {
    const holder = JSON.parse(fs.readFileSync(file, 'utf8')) as LockHolder;
    return Number.isNaN(new Date(holder.seenAt).getTime()) ? undefined : holder;
  } catch {
    return undefined;
  }
}

const describeOwnProcess = () => ({
  host: os.hostname(),
  pid: process.pid,
  startedAt: Math.round(performance.timeOrigin),
});

function isAlive({ host, pid, startedAt, seenAt }: LockHolder, clock: Clock): boolean {
  const unseenMs = clock.now() - seenAt;
  if (unseenMs > LOST_AFTER_MS || unseenMs < -AHEAD_MS) return false;
  const own = describeOwnProcess();
  if (host !== own.host) return true;
  if (pid === own.pid) return startedAt === own.startedAt;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process exists, but belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
