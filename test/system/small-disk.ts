import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file system in memory. `size` as `mount` reads it: `1m`. */
export function mountSmallDisk(size = '1m'): { folder: string; unmount: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'mokuroku-small-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder], { stdio: 'ignore' });
  } catch (error) {
    rmSync(folder, { recursive: true });
    throw error;
  }
  const unmount = () => {
    execFileSync('umount', ['-l', folder]);
    rmSync(folder, { recursive: true, force: true });
  };
  return { folder, unmount };
}

/** Only root may mount one. Elsewhere the tests that need it are skipped, and say so. */
export const canMount = (() => {
  try {
    mountSmallDisk().unmount();
    return true;
  } catch {
    return false;
  }
})();
