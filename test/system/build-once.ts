import { execFileSync } from 'node:child_process';
import path from 'node:path';

/**
 * Builds dist/ and dist-client/ before the suite: a build in the middle would remove files under running services.
 */
export function setup(): void {
  execFileSync(process.execPath, ['scripts/build.mjs', '--clean', '--types', '--quiet'], {
    cwd: path.resolve(import.meta.dirname, '../..'),
    stdio: 'inherit',
  });
}
