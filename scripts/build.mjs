// Builds the dist/ folder of each published package: our own code of all packages is bundled (what npm installs stays
// outside, so that it is installed once and patches reach it, except the packages in BUNDLED). Flags: --quiet prints
// only warnings, --clean removes the output of earlier builds, --types adds all else that npm packs: declarations, the
// packages of the client and the look-up, documents.
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { hasRecord, recordShipped } from './shipped.mjs';
import { throughDoors } from './through-doors.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
// The first command that runs in a new clone.
if (!existsSync(path.join(root, 'node_modules/esbuild'))) {
  process.stderr.write('The dependencies are not installed: run `npm ci` first.\n');
  process.exit(1);
}
const { build } = await import('esbuild');

const flags = new Set(process.argv.slice(2));
const started = performance.now();

const OUT = 'packages/mokuroku/dist';

/** Name in dist/ of mokuroku -> file in packages/. */
const ENTRIES = {
  cli: 'mokuroku/src/cli.ts',
  client: 'client/src/index.ts',
  registration: 'whois/src/index.ts',
  // The worker thread that builds for a harvest (see build-catalogue.ts).
  'build-worker': 'local-catalogue/src/harvest/build-worker.ts',
  // The worker thread that opens a new generation (see load-worker.ts).
  'load-worker': 'local-catalogue/src/engine/load-worker.ts',
};

/** Packages without a dependency on the others, a file per door: folder -> platform of esbuild, doors. */
const SINGLE = {
  client: { platform: 'neutral', doors: ['index'] },
  whois: { platform: 'node', doors: ['index', 'parse'] },
};

const manifestOf = (name) =>
  JSON.parse(readFileSync(path.join(root, 'packages', name, 'package.json'), 'utf8'));
const installedWith = (name) => {
  const { dependencies = {}, peerDependencies = {} } = manifestOf(name);
  return Object.keys({ ...dependencies, ...peerDependencies });
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
  const built = path.join(root, OUT, 'explorer');
  const builtAt = existsSync(built) ? newestChange(built) : 0;
  const sources = [
    ...readdirSync(path.join(root, 'packages')).map((name) => `packages/${name}/src`),
    'scripts',
  ].map((folder) => path.join(root, folder));
  const changedAt = Math.max(...sources.map(newestChange));
  if (builtAt > changedAt && hasRecord(root, 'vite')) return;
  execFileSync(process.execPath, ['scripts/build-explorer.mjs', '--quiet'], { cwd: root, stdio: 'inherit' });
}

const declarationsOf = (file) => file.replace(/\.ts$/, '.d.ts');
/** In a declaration file: a name of another package of ours, a name that a door exports, and any file of ours. */
const DOOR_IMPORT = /^(import|export)( type)? \{([^}]*)\} from '((?:@mokuroku\/|mokuroku-)[^']*)';$/gm;
const DOOR_EXPORT = /^export (?:type )?\{([^}]*)\} from '(\.[^']*\.ts)';$/gm;
const FILE_IMPORT = /(?<=(?:from|import\()\s*['"])\.[^'"]*\.ts(?=['"])/g;

/** The file, relative to packages/, that declares `name`: the door itself also names all the others. */
function declaringFile(all, door, name) {
  const source = realpathSync(fileURLToPath(import.meta.resolve(door)));
  const file = path.relative(path.join(root, 'packages'), source);
  for (const [, names, exported] of all.get(declarationsOf(file)).matchAll(DOOR_EXPORT)) {
    if (names.split(',').some((each) => each.trim() === name)) return path.join(path.dirname(file), exported);
  }
  return file;
}

/** `import type { Clock } from '@mokuroku/kit/process'` -> `import type { Clock } from '../../kit/src/process/clock.ts'`. */
const withoutDoors = (all, file) =>
  all.get(file).replaceAll(DOOR_IMPORT, (_, statement, type = '', names, door) => {
    const lines = names.split(',').map((each) => {
      const source = declaringFile(all, door, each.trim().split(' as ')[0]);
      return `${statement}${type} {${each}} from './${path.relative(path.dirname(file), source)}';`;
    });
    return lines.join('\n');
  });

/**
 * Declarations of a public entry point into the package's dist/types/, and nothing else. tsc keeps `./x.ts` and names
 * of packages in them; a consumer has one package, and its compiler looks for `./x.js` (and then reads x.d.ts).
 */
function writeTypes(all, name, entries) {
  const folder = path.join(root, 'packages', name, 'dist/types');
  rmSync(folder, { recursive: true, force: true });
  const wanted = entries.map(declarationsOf);
  const seen = new Set();
  for (let file = wanted.pop(); file !== undefined; file = wanted.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    if (!all.has(file)) throw new Error(`no declarations of ${file}: is its door in tsconfig.types.json?`);
    const text = withoutDoors(all, file).replaceAll(FILE_IMPORT, (source) => {
      wanted.push(declarationsOf(path.join(path.dirname(file), source)));
      return source.replace(/\.ts$/, '.js');
    });
    const written = path.join(folder, file);
    mkdirSync(path.dirname(written), { recursive: true });
    writeFileSync(written, text);
  }
}

/** The documents that npm packs with mokuroku, beside its package.json. */
function copyDocuments() {
  for (const name of manifestOf('mokuroku').files) {
    if (existsSync(path.join(root, name)) && name !== 'README.md') {
      cpSync(path.join(root, name), path.join(root, 'packages/mokuroku', name), { recursive: true });
    }
  }
}

/** A package with a file per door; mokuroku has a copy of the first. */
async function buildSingle([name, { platform, doors }]) {
  await build({
    absWorkingDir: root,
    entryPoints: doors.map((door) => `packages/${name}/src/${door}.ts`),
    outdir: `packages/${name}/dist`,
    bundle: true,
    external: installedWith(name),
    platform,
    format: 'esm',
    target: 'es2022',
    logLevel: 'warning',
  });
  cpSync(path.join(root, 'LICENSE'), path.join(root, 'packages', name, 'LICENSE'));
}

/** Chunks of earlier builds: a running service may still load them, but a package must not contain them. */
function removeStaleChunks(current) {
  for (const name of readdirSync(path.join(root, OUT, 'chunks'))) {
    if (!current.has(`${OUT}/chunks/${name}`)) rmSync(path.join(root, OUT, 'chunks', name));
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
    stdin: {
      contents: `export { ${exported.join(', ')} } from '${name}';`,
      resolveDir: path.join(root, 'packages/kit'),
    },
    outfile: `${OUT}/bundled/${name}.js`,
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

rmSync(path.join(root, OUT, 'bundled'), { recursive: true, force: true });
const bundledFiles = (await Promise.all(Object.entries(BUNDLED).map(bundlePackage))).flat();

const { metafile } = await build({
  metafile: true,
  absWorkingDir: root,
  entryPoints: Object.fromEntries(Object.entries(ENTRIES).map(([name, file]) => [name, `packages/${file}`])),
  outdir: OUT,
  chunkNames: 'chunks/[name]-[hash]',
  bundle: true,
  splitting: true,
  external: installedWith('mokuroku'),
  plugins: [throughDoors(), bundlePackages, bundledApart],
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
  const { emitDeclarations } = await import('./declarations.mjs');
  const all = emitDeclarations(root);
  writeTypes(all, 'mokuroku', [ENTRIES.client, ENTRIES.registration]);
  for (const [name, { doors }] of Object.entries(SINGLE))
    writeTypes(
      all,
      name,
      doors.map((door) => `${name}/src/${door}.ts`),
    );
  await Promise.all(Object.entries(SINGLE).map(buildSingle));
  copyDocuments();
}
if (!flags.has('--quiet')) {
  process.stdout.write(
    `built ${Object.keys(ENTRIES).join(', ')} in ${Math.round(performance.now() - started)} ms\n`,
  );
}
