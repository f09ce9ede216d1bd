// Bundles our own code into dist/ (packages stay outside, so that npm installs them once and patches reach them).
// Flags: --quiet says nothing when all is well, --clean empties dist/ first, --types adds the .d.ts files.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const flags = new Set(process.argv.slice(2));
const started = performance.now();

/** Name in dist/ -> file in src/. What does not exist (yet) is left out. */
const ENTRIES = {
  cli: 'cli.ts',
  client: 'client/index.ts',
  registration: 'registration/index.ts',
  'narou-server': 'catalogue/narou-server/index.ts',
};

function newestChange(folder) {
  let newest = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (entry.isFile()) newest = Math.max(newest, statSync(path.join(entry.parentPath, entry.name)).mtimeMs);
  }
  return newest;
}

/** The page is built by its own script, and only when a source of it is newer than what was built. */
function buildExplorerIfStale() {
  const script = path.join(root, 'scripts/build-explorer.mjs');
  if (!existsSync(script)) return;
  const built = path.join(root, 'dist/explorer');
  const builtAt = existsSync(built) ? newestChange(built) : 0;
  if (builtAt > Math.max(newestChange(path.join(root, 'src/explorer')), statSync(script).mtimeMs)) return;
  execFileSync(process.execPath, [script, '--quiet'], { cwd: root, stdio: 'inherit' });
}

function writeTypes() {
  const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [tsc, '-p', 'tsconfig.types.json'], { cwd: root, stdio: 'inherit' });
}

if (flags.has('--clean')) rmSync(path.join(root, 'dist'), { recursive: true, force: true });
const entryPoints = Object.fromEntries(
  Object.entries(ENTRIES)
    .map(([name, file]) => [name, path.join(root, 'src', file)])
    .filter(([, file]) => existsSync(file)),
);
await build({
  absWorkingDir: root,
  entryPoints,
  outdir: 'dist',
  chunkNames: 'chunks/[name]-[hash]',
  bundle: true,
  splitting: true,
  packages: 'external',
  platform: 'node',
  format: 'esm',
  target: 'node20',
  // Names stay as they are written: stack traces in a self-hoster's log must be readable.
  keepNames: false,
  minify: false,
  sourcemap: false,
  logLevel: 'warning',
});
buildExplorerIfStale();
if (flags.has('--types')) writeTypes();
if (!flags.has('--quiet')) {
  process.stdout.write(
    `built ${Object.keys(entryPoints).join(', ')} in ${Math.round(performance.now() - started)} ms\n`,
  );
}
