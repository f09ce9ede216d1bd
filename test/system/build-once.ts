import { execFileSync } from 'node:child_process';
import path from 'node:path';

/**
 * Builds the packages before the suite: a build in the middle would remove files under running services.
 * MOKUROKU_BUILT says that an earlier run has built them.
 */
export function setup(): void {
  if (process.env['MOKUROKU_BUILT'] === '1') return;
  execFileSync(process.execPath, ['scripts/build.mjs', '--clean', '--types', '--quiet'], {
    cwd: path.resolve(import.meta.dirname, '../..'),
    stdio: 'inherit',
  });
}
