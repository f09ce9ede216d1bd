import { randomUUID } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import type { Clock } from '../../process/clock.ts';
import { parseJson } from '../../process/json.ts';
import { makeFolder } from '../../process/make-folder.ts';
import { ifThere, withFile } from '../index/engine/files.ts';

/** The process that fills a folder, according to the lock. */
const HOLDER = z.object({
  token: z.string(),
  host: z.string(),
  pid: z.number(),
  /** Start of that process, in Unix milliseconds: ids are reused, in a restarted container always. */
  startedAt: z.number(),
  /** Unix milliseconds of the last sign of life. */
  seenAt: z.number().max(8.64e15),
});
type LockHolder = z.output<typeof HOLDER>;

/** A lock whose content a power loss has damaged: it names nobody, but has its age. */
interface DamagedLock {
  readonly token?: undefined;
  readonly seenAt: number;
}

type Lock = LockHolder | DamagedLock;

/** Another process fills the folder. */
export class FolderInUse extends Error {
  constructor(folder: string, lock: Lock) {
    const who = lock.token === undefined ? 'its lock is damaged' : `process ${lock.pid} on ${lock.host}`;
    const seen = new Date(lock.seenAt).toISOString();
    super(`${folder} is in use by another harvest: ${who}, last seen at ${seen}.`);
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
    const lock = readLock(file);
    if (lock && lock.token !== token) throw new FolderInUse(folder, lock);
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
      if (readLock(file)?.token === token) fs.rmSync(file, { force: true });
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
    const lock = readLock(file);
    if (lock && (isAlive(lock, clock) || tries === TRIES)) throw new FolderInUse(folder, lock);
    removeLost(file, lock, own);
  }
}

/** Moves an expired lock away. If another process has created its own meanwhile, that one is moved back. */
function removeLost(file: string, lock: Lock | undefined, own: string): void {
  const aside = `${own}.lost`;
  const isMoved = ifThere(() => {
    fs.renameSync(file, aside);
    return true;
  });
  if (!isMoved) return;
  if (readLock(aside)?.token !== lock?.token) fs.linkSync(aside, file);
  fs.rmSync(aside);
}

/** undefined if there is none. Throws if the system cannot read it. */
function readLock(file: string): Lock | undefined {
  return ifThere(() =>
    withFile(file, 'r', (open) => {
      const { data } = HOLDER.safeParse(parseJson(fs.readFileSync(open, 'utf8')));
      return data ?? { seenAt: fs.fstatSync(open).mtimeMs };
    }),
  );
}

const describeOwnProcess = () => ({
  host: os.hostname(),
  pid: process.pid,
  startedAt: Math.round(performance.timeOrigin),
});

function isAlive(lock: Lock, clock: Clock): boolean {
  const unseenMs = clock.now() - lock.seenAt;
  if (unseenMs > LOST_AFTER_MS || unseenMs < -AHEAD_MS) return false;
  const own = describeOwnProcess();
  if (lock.token === undefined || lock.host !== own.host) return true;
  if (lock.pid === own.pid) return lock.startedAt === own.startedAt;
  try {
    process.kill(lock.pid, 0);
    return true;
  } catch (error) {
    // Anything else says nothing: EPERM is a process of another user.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
