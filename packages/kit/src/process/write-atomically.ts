import fs from 'node:fs';
import path from 'node:path';

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
