#!/usr/bin/env node
// The command. A package has dist/ with it; a clone builds it when it is missing.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const pathOf = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url));

if (!existsSync(pathOf('dist/cli.js'))) {
  if (!existsSync(pathOf('../../node_modules/esbuild'))) {
    process.stderr.write(
      'mokuroku is not built yet. In the folder of the clone: npm ci, then npm run build\n',
    );
    process.exit(1);
  }
  execFileSync(process.execPath, [pathOf('../../scripts/build.mjs'), '--quiet'], { stdio: ['ignore', 2, 2] });
}
await import('../dist/cli.js');
