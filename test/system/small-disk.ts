import { execFileSync } from 'node:child_process';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from '../temporary-folder.ts';

/** Mounts a file system in memory. `size` as `mount` reads it: `1m`. */
const mount = (folder: string, size: string) =>
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder], { stdio: 'ignore' });
const unmount = (folder: string) => execFileSync('umount', ['-l', folder]);

/** The folder of a file system in memory, until the test ends. */
export function mountSmallDisk(size = '1m'): string {
  const folder = temporaryFolder();
  mount(folder, size);
  onTestFinished(() => void unmount(folder));
  return folder;
}

/** Only root may mount one. Elsewhere the tests that need it are skipped, and say so. */
export const canMount = (() => {
  const folder = temporaryFolder();
  try {
    mount(folder, '1m');
    unmount(folder);
    return true;
  } catch {
    return false;
  }
})();
