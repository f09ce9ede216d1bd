// Builds the pages of both services into dist/explorer/: hashed files, those that shrink with their br and gzip form beside them.
// --quiet says nothing when all is well.
import { cpSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'vite';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const started = performance.now();

/**
 * The pages, with what differs in their documents. Assets: the registration service's one-segment paths are domain
 * names; `_` can be none.
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
    // Of both services, at /docs.
    page: 'reference',
    assets: 'docs',
    title: 'API – 目録 mokuroku',
    description:
      'APIの説明。やりたいことから、エンドポイントから。The API reference: by task and by endpoint.',
    shared: 'APIの説明',
    sharedText: 'API reference.',
    without: '/openapi.json',
    data: '/openapi.json',
  },
];
/** What can do light-dark(), color-mix() and nesting: since 2024. */
const TARGET = ['chrome123', 'safari17.5', 'firefox121'];
const COMPRESS_FROM_BYTES = 400;

function compress(file) {
  const bytes = readFileSync(file);
  // The service adds to the documents before it sends them.
  if (bytes.length < COMPRESS_FROM_BYTES || /\.(?:woff2|png|html)$/.test(file)) return;
  writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }));
  writeFileSync(
    `${file}.br`,
    brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
  );
}

function filesIn(folder) {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}

/** Puts what a page is into the one document of all. */
const completeDocument = (facts) => ({
  name: 'complete-document',
  transformIndexHtml: {
    order: 'pre',
    handler: (html) => html.replace(/%(\w+)%/g, (_, name) => facts[name]),
  },
});

/** The first script is small and names the rest; what all need whatever the language is on its way beside it. */
const preloadPage = ({ page, data }) => ({
  name: 'preload-page',
  transformIndexHtml: {
    order: 'post',
    handler: (html, { bundle }) => {
      const whole = Object.values(bundle).find(({ facadeModuleId }) =>
        facadeModuleId?.endsWith(`${page}/page.tsx`),
      );
      const tags = [`<link rel="modulepreload" crossorigin href="/${whole.fileName}" />`];
      if (data) tags.push(`<link rel="preload" href="${data}" as="fetch" crossorigin />`);
      return html.replace('<link rel="stylesheet"', `${tags.join('')}$&`);
    },
  },
});

async function buildPage(facts) {
  const { page, assets } = facts;
  const outDir = path.join(root, 'dist/explorer', page);
  rmSync(outDir, { recursive: true, force: true });
  await build({
    configFile: false,
    root: path.join(root, 'src/explorer'),
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
        // How long plugins took is nothing for somebody who starts the service.
        checks: { pluginTimings: false },
        output: {
          // The manifest names it, in a file that no build looks into.
          assetFileNames: ({ names }) =>
            `${assets}/${names.includes('icon.svg') ? '[name][extname]' : '[name]-[hash][extname]'}`,
        },
      },
      reportCompressedSize: false,
    },
  });
  const files = filesIn(outDir);
  files.forEach(compress);
  return files;
}

const files = (await Promise.all(PAGES.map(buildPage))).flat();
// The licence of the font goes where the font goes.
cpSync(path.join(root, 'src/explorer/fonts/OFL.txt'), path.join(root, 'dist/explorer/OFL.txt'));
if (!process.argv.includes('--quiet')) {
  const scripts = files.filter((file) => file.endsWith('.js'));
  const bytes = scripts.reduce((sum, file) => sum + gzipSync(readFileSync(file), { level: 9 }).length, 0);
  process.stdout.write(
    `built the explorer in ${Math.round(performance.now() - started)} ms: ${(bytes / 1000).toFixed(1)} kB of JavaScript, gzipped\n`,
  );
}
