// Builds the pages of both services into dist/explorer/ of mokuroku, as hashed files. --quiet prints only warnings.
import { createHash } from 'node:crypto';
import { cpSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { buildSync } from 'esbuild';
import { build } from 'vite';
import { recordShipped } from './shipped.mjs';

// Vite builds for development where NODE_ENV says so, and then writes paths of this machine into the files.
process.env.NODE_ENV = 'production';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const started = performance.now();

/**
 * The pages, with the differences of their documents. Assets are below `_`: in the registration service a one-segment
 * path is a domain name, which `_` cannot be.
 */
const PAGES = [
  {
    page: 'catalogue',
    assets: 'assets',
    title: '目録 mokuroku',
    description:
      'Web小説の検索とランキング。A catalogue of Japanese web novels: search, rankings and their history.',
    shared: 'Web小説の検索とランキング',
    sharedText: 'A catalogue of Japanese web novels.',
    without: '/docs',
  },
  {
    page: 'domain',
    assets: '_',
    title: '目録 mokuroku',
    description: 'ドメイン登録の照会。Domain registration lookup.',
    shared: 'ドメイン登録の照会',
    sharedText: 'Domain registration lookup.',
    without: '/docs',
  },
  {
    // In both services, at /docs.
    page: 'reference',
    assets: 'docs',
    title: 'API – 目録 mokuroku',
    description:
      'APIの説明。やりたいことから、エンドポイントから。The API reference: by task and by endpoint.',
    shared: 'APIの説明',
    sharedText: 'API reference.',
    without: '/openapi.json',
  },
];
/** The folder of the reference, which both services have: fonts and pictures of all pages are there, once. */
const SHARED = 'docs';
/** Browsers with light-dark(), color-mix() and nesting: since 2024. */
const TARGET = ['chrome123', 'safari17.5', 'firefox121'];

function filesIn(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}

/** Fills the data of a page into the common document. */
const completeDocument = (facts) => ({
  name: 'complete-document',
  transformIndexHtml: {
    order: 'pre',
    handler: (html) => html.replace(/%(\w+)%/g, (_, name) => facts[name]),
  },
});

/** The first script is small and names the rest; modules needed in every language are preloaded. */
const preloadPage = ({ page, assets }) => ({
  name: 'preload-page',
  transformIndexHtml: {
    order: 'post',
    handler: (html, { bundle }) => {
      const whole = Object.values(bundle).find(({ facadeModuleId }) =>
        facadeModuleId?.endsWith(`${page}/page.tsx`),
      );
      // The first script and its imports are in the document already.
      const scripts = [whole.fileName, ...whole.imports.filter((file) => !html.includes(file))];
      const tags = scripts.map((file) => `<link rel="modulepreload" crossorigin href="/${file}" />`);
      if (page !== 'reference') tags.push(`<meta name="worker" content="/${assets}/worker.js" />`);
      return html.replace('<link rel="stylesheet"', `${tags.join('')}$&`);
    },
  },
});

/** Builds the service worker of a page with the names of all its files; /docs has none. Returns its sources. */
function buildWorker({ page, assets }, outDir) {
  if (page === 'reference') return [];
  // The picture of shared links is for other sites.
  const kept = filesIn(outDir)
    .filter((file) => !/(?:\.html|\.png)$/.test(file))
    .sort();
  const files = kept.map((file) => `/${path.relative(outDir, file).split(path.sep).join('/')}`);
  const hash = createHash('sha256').update(files.join());
  for (const file of kept) hash.update(readFileSync(file));
  const version = hash.digest('hex').slice(0, 12);
  const { metafile } = buildSync({
    metafile: true,
    absWorkingDir: root,
    entryPoints: ['packages/mokuroku/src/explorer/worker.ts'],
    outfile: path.join(outDir, assets, 'worker.js'),
    bundle: true,
    minify: true,
    define: { FILES: JSON.stringify(files), VERSION: JSON.stringify(version) },
    target: TARGET,
    logLevel: 'error',
  });
  return Object.keys(metafile.inputs);
}

async function buildPage(facts) {
  const { page, assets } = facts;
  const outDir = path.join(root, 'packages/mokuroku/dist/explorer', page);
  rmSync(outDir, { recursive: true, force: true });
  const { output } = await build({
    configFile: false,
    root: path.join(root, 'packages/mokuroku/src/explorer'),
    logLevel: 'warn',
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    plugins: [completeDocument(facts), preloadPage(facts)],
    build: {
      outDir,
      emptyOutDir: false,
      assetsDir: assets,
      assetsInlineLimit: 0,
      target: TARGET,
      cssTarget: TARGET,
      modulePreload: false,
      rollupOptions: {
        // Build durations do not concern a user who starts the service.
        checks: { bundlerTimings: false },
        // Such as a module of Node's: the pages import the doors that browsers can load.
        onwarn: ({ message }) => {
          throw new Error(message);
        },
        output: {
          // One file for what most views share: many small ones would be as many requests.
          codeSplitting: { groups: [{ name: 'shared', minShareCount: 4 }] },
          assetFileNames: ({ names: [name] }) => {
            // The manifest refers to icons in a file that no build reads.
            if (name.startsWith('icon')) return `${SHARED}/[name][extname]`;
            return `${name.endsWith('.css') ? assets : SHARED}/[name]-[hash][extname]`;
          },
        },
      },
      reportCompressedSize: false,
    },
  });
  const ofWorker = buildWorker(facts, outDir);
  if (assets !== SHARED) rmSync(path.join(outDir, SHARED), { recursive: true });
  else
    for (const size of [192, 512])
      cpSync(
        path.join(root, `packages/mokuroku/src/explorer/icon-${size}.png`),
        path.join(outDir, SHARED, `icon-${size}.png`),
      );
  const inputs = [...output.flatMap(({ moduleIds = [] }) => moduleIds), ...ofWorker];
  return { files: filesIn(outDir), inputs };
}

const pages = await Promise.all(PAGES.map(buildPage));
recordShipped(
  root,
  'vite',
  pages.flatMap(({ inputs }) => inputs),
);
// The font's licence must accompany the font.
cpSync(
  path.join(root, 'packages/mokuroku/src/explorer/fonts/OFL.txt'),
  path.join(root, 'packages/mokuroku/dist/explorer/OFL.txt'),
);
if (!process.argv.includes('--quiet')) {
  const scripts = pages.flatMap(({ files }) => files).filter((file) => file.endsWith('.js'));
  const bytes = scripts.reduce((sum, file) => sum + gzipSync(readFileSync(file), { level: 9 }).length, 0);
  process.stdout.write(
    `built the explorer in ${Math.round(performance.now() - started)} ms: ${(bytes / 1000).toFixed(1)} kB of JavaScript, gzipped\n`,
  );
}
