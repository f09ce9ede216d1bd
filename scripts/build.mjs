// Bundles our own code into dist/ (packages stay outside, so that npm installs them once and patches reach them,
// except those in BUNDLED). Flags: --quiet prints only warnings, --clean removes the output of earlier builds,
// --types adds the .d.ts files and dist-client/, the client's own package.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { buildClientPackage } from './client-package.mjs';
import { hasRecord, recordShipped } from './shipped.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const flags = new Set(process.argv.slice(2));
const started = performance.now();

/** Name in dist/ -> file in src/. */
const ENTRIES = {
  cli: 'cli.ts',
  client: 'client/index.ts',
  registration: 'registration/index.ts',
  'narou-server': 'catalogue/narou-server/index.ts',
  // The worker thread that builds for a harvest (see build-catalogue.ts).
  'build-worker': 'catalogue/harvest/build-worker.ts',
  // The worker thread that opens a new generation (see load-worker.ts).
  'load-worker': 'catalogue/index/engine/load-worker.ts',
};

function newestChange(folder) {
  let newest = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    if (entry.isFile()) newest = Math.max(newest, statSync(path.join(entry.parentPath, entry.name)).mtimeMs);
  }
  return newest;
}

/** The pages have their own build script, which runs only if a source is newer than the output. */
function buildExplorerIfStale() {
  const built = path.join(root, 'dist/explorer');
  const builtAt = existsSync(built) ? newestChange(built) : 0;
  const changedAt = Math.max(...['src', 'scripts'].map((folder) => newestChange(path.join(root, folder))));
  if (builtAt > changedAt && hasRecord(root, 'vite')) return;
  execFileSync(process.execPath, ['scripts/build-explorer.mjs', '--quiet'], { cwd: root, stdio: 'inherit' });
}

/** Relative imports of a declaration file: `from './x.ts'`, `import("./x.ts")`. */
const RELATIVE_IMPORT = /((?:from|import\()\s*['"])(\.[^'"]*)\.ts(?=['"])/g;

/**
 * Declarations of the three public entry points, and nothing else. tsc keeps `./x.ts` in them; a consumer's compiler
 * looks for `./x.js` (and then reads x.d.ts).
 */
async function writeTypes() {
  const { emitDeclarations } = await import('./declarations.mjs');
  const { all, faces } = emitDeclarations(root);
  rmSync(path.join(root, 'dist/types'), { recursive: true, force: true });
  const wanted = [...faces];
  const seen = new Set();
  for (let file = wanted.pop(); file !== undefined; file = wanted.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    const text = all.get(file);
    for (const [, , target] of text.matchAll(RELATIVE_IMPORT)) {
      wanted.push(path.join(path.dirname(file), `${target}.d.ts`));
    }
    const written = path.join(root, 'dist/types', file);
    mkdirSync(path.dirname(written), { recursive: true });
    writeFileSync(written, text.replaceAll(RELATIVE_IMPORT, '$1$2.js'));
  }
}

/** Chunks of earlier builds: a running service may still load them, but a package must not contain them. */
function removeStaleChunks(current) {
  for (const name of readdirSync(path.join(root, 'dist/chunks'))) {
    if (!current.has(`dist/chunks/${name}`)) rmSync(path.join(root, 'dist/chunks', name));
  }
}

/**
 * Resolves @modelcontextprotocol to files, so that `packages: 'external'` bundles it: source maps and its second
 * format are four fifths of its size. Its default validator, nearly half of the rest, is replaced by
 * mcp/mcp-server.ts and left out.
 */
const bundlePackages = {
  name: 'bundle-packages',
  setup({ onLoad, onResolve }) {
    onLoad({ filter: /\bshimsNode\.mjs$/ }, () => ({
      contents:
        "export { default as process } from 'node:process'; export class DefaultJsonSchemaValidator {}",
    }));
    onResolve({ filter: /^@modelcontextprotocol\// }, ({ path: name }) => ({
      path: fileURLToPath(import.meta.resolve(name)),
    }));
  },
};

/**
 * Bundled packages, each with the names imported from it, in the versions of package-lock.json: see
 * docs/decisions/run-time-dependencies.md.
 */
const BUNDLED = {
  fastify: ['default', 'LogController'],
  yaml: ['stringify'],
  'lru-cache': ['LRUCache'],
  'prom-client': ['AggregatorRegistry', 'Counter', 'Gauge', 'Histogram', 'Registry', 'collectDefaultMetrics'],
};

const bundledApart = {
  name: 'bundled-apart',
  setup: ({ onResolve }) => {
    onResolve({ filter: new RegExp(`^(?:${Object.keys(BUNDLED).join('|')})$`) }, ({ path: name }) => ({
      path: `#bundled/${name}`,
      external: true,
    }));
  },
};

async function bundlePackage([name, exported]) {
  const { metafile } = await build({
    metafile: true,
    absWorkingDir: root,
    stdin: { contents: `export { ${exported.join(', ')} } from '${name}';`, resolveDir: root },
    outfile: `dist/bundled/${name}.js`,
    bundle: true,
    // `pino` is an installed package. The others are never loaded: nothing calls `inject`, and create-server.ts replaces
    // the compilers of schemas.
    external: ['pino', 'light-my-request', '@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler'],
    banner: {
      js: "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);",
    },
    platform: 'node',
    format: 'esm',
    target: 'node20',
    // Comments and indents of packages are a third of their size; names stay, for stack traces.
    minifyWhitespace: true,
    logLevel: 'warning',
  });
  return Object.keys(metafile.inputs);
}

rmSync(path.join(root, 'dist/bundled'), { recursive: true, force: true });
const bundledFiles = (await Promise.all(Object.entries(BUNDLED).map(bundlePackage))).flat();

const { metafile } = await build({
  metafile: true,
  absWorkingDir: root,
  entryPoints: Object.fromEntries(Object.entries(ENTRIES).map(([name, file]) => [name, `src/${file}`])),
  outdir: 'dist',
  chunkNames: 'chunks/[name]-[hash]',
  bundle: true,
  splitting: true,
  packages: 'external',
  plugins: [bundlePackages, bundledApart],
  platform: 'node',
  format: 'esm',
  target: 'node20',
  // Names are not minified, so that stack traces in an operator's log stay readable.
  keepNames: false,
  minify: false,
  sourcemap: false,
  logLevel: 'warning',
});
recordShipped(root, 'esbuild', [...bundledFiles, ...Object.keys(metafile.inputs)]);
if (flags.has('--clean')) removeStaleChunks(new Set(Object.keys(metafile.outputs)));
buildExplorerIfStale();
if (flags.has('--types')) {
  await writeTypes();
  await buildClientPackage(root);
}
if (!flags.has('--quiet')) {
  process.stdout.write(
    `built ${Object.keys(ENTRIES).join(', ')} in ${Math.round(performance.now() - started)} ms\n`,
  );
}
