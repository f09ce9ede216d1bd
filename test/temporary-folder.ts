import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const MEMORY = '/dev/shm';
const BYTES_NEEDED = 2 ** 32;

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = fs.statfsSync(folder);
    fs.accessSync(folder, fs.constants.W_OK);
    return bavail * bsize >= BYTES_NEEDED;
  } catch {
    return false;
  }
}

/** One folder for the temporary folders of a run, in memory if there is room, deleted at its end. */
export function setup(): () => void {
  const folder = fs.mkdtempSync(path.join(hasRoom(MEMORY) ? MEMORY : os.tmpdir(), 'mokuroku-tests-'));
  fs.chmodSync(folder, 0o755); // Servers under test read as their own users.
  process.env['TMPDIR'] = folder;
  return () => {
    fs.rmSync(folder, { recursive: true, force: true });
  };
}

/** A new folder among them. */
export const temporaryFolder = (): string => fs.mkdtempSync(path.join(os.tmpdir(), 'folder-'));
