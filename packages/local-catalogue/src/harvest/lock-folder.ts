import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Clock } from '@mokuroku/kit/process';
import { makeFolder } from '@mokuroku/kit/process';
import { ifThere } from '../engine/files.ts';

interface Lock {
  /** Host, id and start of the process. Process ids are reused, in a restarted container always. */
  readonly holder: string;
  /** Unix milliseconds of the last sign of life. */
  readonly seenAt: number;
}

export class FolderInUse extends Error {
  /** `lock`: of another process; undefined if there is none any more. */
  constructor(file: string, lock: Lock | undefined) {
    const [host, pid] = lock?.holder.split(' ') ?? [];
    const who = pid === undefined ? 'an unknown process' : `process ${pid} on ${host}`;
    super(
      lock === undefined
        ? `${file} was deleted during this harvest, by hand or by a later harvest. Run it again: it resumes.`
        : `${path.dirname(file)} is in use by another harvest: ${who}, last seen at ${new Date(lock.seenAt).toISOString()}. ` +
            `If there is none, it is free after ${LOST_AFTER_MS / 60_000} minutes.`,
    );
    this.name = 'FolderInUse';
  }
}

/** Age at which any lock expires: its holder is a killed process, or one whose id another process has now. */
const LOST_AFTER_MS = 120_000;
const RENEW_LOCK_MS = 15_000;

const ownHolder = (): string => `${os.hostname()} ${process.pid} ${Math.round(performance.timeOrigin)}`;

/**
 * Locks a folder for one harvest on this machine. The lock is a file that is created exclusively and renewed. That of
 * a process that is gone, or of one that was not seen for two minutes, is taken over.
 */
export function lockFolder(folder: string, clock: Clock) {
  const file = path.join(folder, 'lock');
  const touch = () => fs.utimesSync(file, clock.now() / 1_000, clock.now() / 1_000);
  while (!createLock(file)) {
    const lock = readLock(file);
    if (lock === undefined) continue;
    if (isAlive(lock, clock)) throw new FolderInUse(file, lock);
    removeLost(file, lock);
  }
  touch();
  return {
    /** Throws FolderInUse if another process has taken the folder over, or had and has ended. */
    renew: () => {
      const lock = readLock(file);
      if (lock?.holder !== ownHolder()) throw new FolderInUse(file, lock);
      touch();
    },
    release: () => {
      if (readLock(file)?.holder === ownHolder()) fs.rmSync(file);
    },
  };
}

/**
 * Runs a task while the folder of a catalogue is locked. If another process takes the folder over, its signal is aborted
 * with FolderInUse; before that, `requireLock` throws it: a suspended process may continue with its next write.
 */
export async function withFolderLock<Result>(
  { dir, clock, signal }: { dir: string; clock: Clock; signal: AbortSignal },
  use: (signal: AbortSignal, requireLock: () => void) => Promise<Result>,
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
    return await use(AbortSignal.any([signal, lost.signal]), lock.renew);
  } finally {
    clearInterval(renewing);
    lock.release();
  }
}

/** False if there is one. */
function createLock(file: string): boolean {
  try {
    fs.writeFileSync(file, ownHolder(), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    fs.rmSync(file, { force: true }); // Empty, on a full disk.
    throw error;
  }
}

/** undefined if there is none. Throws if the system cannot read it. */
const readLock = (file: string): Lock | undefined =>
  ifThere(() => ({ holder: fs.readFileSync(file, 'utf8'), seenAt: fs.statSync(file).mtimeMs }));

/** Moves an expired lock away. If another process has created its own meanwhile, that one is moved back. */
function removeLost(file: string, { holder }: Lock): void {
  const aside = `${file}.${process.pid}`;
  const moved = ifThere(() => {
    fs.renameSync(file, aside);
    return readLock(aside);
  });
  if (moved && moved.holder !== holder) fs.linkSync(aside, file);
  fs.rmSync(aside, { force: true });
}

function isAlive({ holder, seenAt }: Lock, clock: Clock): boolean {
  if (Math.abs(clock.now() - seenAt) > LOST_AFTER_MS) return false;
  const [host, pid] = holder.split(' ');
  // Of a process elsewhere, or a damaged lock, the age alone says something.
  if (host !== os.hostname() || holder === ownHolder()) return true;
  if (Number(pid) === process.pid) return false;
  try {
    process.kill(Number(pid), 0);
    return true;
  } catch (error) {
    // Anything else says nothing: EPERM is a process of another user.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
