import fs from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';

/**
 * Creates a folder and its parents. Not by `recursive` of `mkdir`: in Node 20 to 24 that never returns if the system
 * keeps reporting a missing folder, as below /proc.
 */
export async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' && path.dirname(folder) !== folder) {
      await makeFolder(path.dirname(folder));
      await mkdir(folder).catch(ignoreExisting);
    } else {
      ignoreExisting(error);
    }
  }
}

function ignoreExisting(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
}

/** Flushes a folder's list of files to disk. */
export function syncFolder(folder: string): void {
  // Windows opens no folder as a file.
  if (process.platform === 'win32') return;
  const open = fs.openSync(folder, 'r');
  try {
    fs.fsyncSync(open);
  } finally {
    fs.closeSync(open);
  }
}

/**
 * Writes or replaces a file as a whole. Afterwards it is on disk; after a failure the former file is unchanged. Only one
 * writer may run.
 */
export function writeAtomically(file: string, content: string | Uint8Array): void {
  const unfinished = `${file}.part`;
  try {
    fs.writeFileSync(unfinished, content, { flush: true });
    fs.renameSync(unfinished, file);
  } catch (error) {
    fs.rmSync(unfinished, { force: true });
    throw error;
  }
  // Until then, a power loss may restore the former file under this name.
  syncFolder(path.dirname(file));
}
