import { createHash, randomBytes } from 'node:crypto';
import { open, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder } from '../process/make-folder.ts';

/** Nothing that we write is larger; what is, is not ours and not read into memory. */
const MAX_FILE_BYTES = 16 * 1024 * 1024;

/** A file of less than a block takes a whole one. */
const BLOCK_BYTES = 4_096;

/** A file that is being written has this long until it counts as left behind by a process that was killed. */
const TEMPORARY_FOR_MS = 60_000;

/** 160 bits of SHA-256 in hexadecimal, which no file system takes for another; the first two name the folder. */
const FOLDERS = Array.from({ length: 256 }, (_, i) => i.toString(16).padStart(2, '0'));
const FILE_NAME = /^[0-9a-f]{38}(\.[0-9a-f-]+\.tmp)?$/;

interface DiskFile {
  path: string;
  /** Milliseconds since 1970 until which it is of use: its time of change, set when it is written. */
  until: number;
  /** Of the disk. */
  bytes: number;
}

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

/** What is not there is nothing; every other fault is the caller's. */
function orNothing(error: unknown): undefined {
  if (!isMissing(error)) throw error;
  return undefined;
}

/** Room that so many bytes take on disk. */
export const diskBytes = (bytes: number): number => Math.ceil(bytes / BLOCK_BYTES) * BLOCK_BYTES;

export function filePathOf(root: string, key: string): string {
  const name = createHash('sha256').update(key).digest('hex').slice(0, 40);
  return join(root, name.slice(0, 2), name.slice(2));
}

/** The whole file; undefined when there is none. What cannot be ours (a folder, a file too large) reads as empty. */
export async function readDiskFile(path: string): Promise<Buffer | undefined> {
  const handle = await open(path).catch(orNothing);
  if (!handle) return undefined;
  try {
    const found = await handle.stat();
    return found.isFile() && found.size <= MAX_FILE_BYTES ? await handle.readFile() : Buffer.alloc(0);
  } finally {
    await handle.close();
  }
}

/**
 * Writes beside the file and puts it in its place in one step, so that no reader ever sees half of it. After a crash
 * of the machine it may still be cut off: its reader checks it.
 */
export async function writeDiskFile(path: string, bytes: Buffer, until: number): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    await writeFile(temporary, bytes, { flag: 'wx' }).catch(async (error: unknown) => {
      orNothing(error);
      await makeFolder(dirname(path));
      await writeFile(temporary, bytes, { flag: 'wx' });
    });
    await utimes(temporary, until / 1000, until / 1000);
    await rename(temporary, path);
  } catch (error) {
    await removeDiskFile(temporary).catch(() => undefined);
    throw error;
  }
}

/** Whoever removes it first: it is gone. */
export async function removeDiskFile(path: string): Promise<void> {
  await rm(path, { force: true, recursive: true });
}

/** Every file that is ours, a folder at a time; what else lies about is left alone. */
export async function* listDiskFiles(root: string): AsyncGenerator<DiskFile[]> {
  for (const folder of FOLDERS) {
    const files: DiskFile[] = [];
    const names = (await readdir(join(root, folder)).catch(orNothing)) ?? [];
    for (const name of names) {
      const path = join(root, folder, name);
      const found = FILE_NAME.test(name) && (await stat(path).catch(orNothing));
      if (!found) continue;
      const until = found.mtimeMs + (name.endsWith('.tmp') ? TEMPORARY_FOR_MS : 0);
      files.push({ path, until, bytes: diskBytes(found.size) });
    }
    yield files;
  }
}
