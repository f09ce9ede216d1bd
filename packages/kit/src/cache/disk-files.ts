import { createHash, randomBytes } from 'node:crypto';
import { open, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder } from '../process/files.ts';

/** We write no larger files, so larger ones are not ours and not read. */
const MAX_FILE_BYTES = 16 * 1024 * 1024;

/** Files occupy whole blocks. */
const BLOCK_BYTES = 4_096;

/** An older temporary file is left over from a killed process. */
const TEMPORARY_FOR_MS = 60_000;

/** 160 bits of SHA-256 in hexadecimal, safe on every file system; the first two digits name the folder. */
const FOLDERS = Array.from({ length: 256 }, (_, i) => i.toString(16).padStart(2, '0'));
const FILE_NAME = /^[0-9a-f]{38}(\.[0-9a-f-]+\.tmp)?$/;

interface DiskFile {
  path: string;
  /** Expiry in milliseconds since 1970, stored as the modification time. */
  until: number;
  /** Occupied disk space. */
  bytes: number;
}

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

/** A missing file counts as undefined; other errors are thrown. */
function ignoreMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error;
  return undefined;
}

/** Disk space of a file with this many bytes. */
export const diskBytes = (bytes: number): number => Math.ceil(bytes / BLOCK_BYTES) * BLOCK_BYTES;

export function filePathOf(root: string, key: string): string {
  const name = createHash('sha256').update(key).digest('hex').slice(0, 40);
  return join(root, name.slice(0, 2), name.slice(2));
}

/** The whole file; undefined if missing. A folder or an oversized file reads as empty. */
export async function readDiskFile(path: string): Promise<Buffer | undefined> {
  const handle = await open(path).catch(ignoreMissing);
  if (!handle) return undefined;
  try {
    const stats = await handle.stat();
    return stats.isFile() && stats.size <= MAX_FILE_BYTES ? await handle.readFile() : Buffer.alloc(0);
  } finally {
    await handle.close();
  }
}

/**
 * Writes a temporary file and renames it, so that no reader sees half of it. After a crash of the machine it may still
 * be truncated: readers verify a checksum.
 */
export async function writeDiskFile(path: string, bytes: Buffer, until: number): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    await writeFile(temporary, bytes, { flag: 'wx' }).catch(async (error: unknown) => {
      ignoreMissing(error);
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

/** Succeeds if another process has removed it already. */
export async function removeDiskFile(path: string): Promise<void> {
  await rm(path, { force: true, recursive: true });
}

/** Lists our files, a folder at a time. Foreign files are skipped. */
export async function* listDiskFiles(root: string): AsyncGenerator<DiskFile[]> {
  for (const folder of FOLDERS) {
    const files: DiskFile[] = [];
    const names = (await readdir(join(root, folder)).catch(ignoreMissing)) ?? [];
    for (const name of names) {
      const path = join(root, folder, name);
      const stats = FILE_NAME.test(name) && (await stat(path).catch(ignoreMissing));
      if (!stats) continue;
      const until = stats.mtimeMs + (name.endsWith('.tmp') ? TEMPORARY_FOR_MS : 0);
      files.push({ path, until, bytes: diskBytes(stats.size) });
    }
    yield files;
  }
}
