import fs from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';
import type { Plugin } from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { temporaryFolder } from '../temporary-folder.ts';
import type { fillLocalFolder, overFolder } from '../../packages/mokuroku/test/catalogue/local-folder.ts';

// ARCHITECTURE.md says how a filter and an order are added. A source that lacks one answers 501, or asks its fallback.

const ROOT = path.resolve(import.meta.dirname, '../..');
const BUNDLES = path.join(ROOT, 'node_modules/.cache/mokuroku');

/** A row of a table of ours, and the text that it precedes. */
const ROWS: Readonly<Record<string, { before: string; row: string }>> = {
  'search-conditions.ts': {
    before: '  stop: { kind:',
    row: `  impressions: { kind: 'range', servedBy: 'none', operator: 'between', field: 'impression_cnt', example: '10-', text: text('Impressions.', '感想の数。') },`,
  },
  'orders.ts': {
    before: '  old: low(',
    row: `  impressioncntasc: low('none', 'impression_cnt', 'fewest impressions first', 'Fewest impressions', '感想の少ない順'),`,
  },
};

/** Our own packages are bundled, with the added rows; installed ones are imported. */
const withRows: Plugin = {
  name: 'added rows',
  setup: (bundle) => {
    bundle.onResolve({ filter: /^[@\w]/ }, ({ path: name }) =>
      name.startsWith('@mokuroku/') ? undefined : { path: name, external: true },
    );
    bundle.onLoad({ filter: /\/novels\/(?:search-conditions|orders)\.ts$/ }, ({ path: name }) => {
      const source = fs.readFileSync(name, 'utf8');
      const { before = '', row = '' } = ROWS[path.basename(name)] ?? {};
      expect(source).toContain(before);
      return { contents: source.replace(before, `${row}\n${before}`), loader: 'ts' };
    });
  },
};

interface Found {
  status: number;
  body: { data: { impression_cnt: number }[]; error?: { code: string; message: string } };
}
interface Services {
  startTestCatalogue: (
    options: object,
  ) => Promise<{ get: (path: string) => Promise<Found>; close: () => Promise<void> }>;
  sharedWorld: () => { catalogue: { novels: () => { impression_cnt: number }[] } };
  TEST_NOW: number;
  fillLocalFolder: typeof fillLocalFolder;
  overFolder: typeof overFolder;
}

/** The sources with the added rows. */
async function startServices() {
  fs.mkdirSync(BUNDLES, { recursive: true });
  const folder = fs.mkdtempSync(path.join(BUNDLES, 'added-rows-'));
  const outfile = path.join(folder, 'services.mjs');
  const from = path.join(ROOT, 'packages/mokuroku/test/catalogue');
  const contents = `export * from './start-test-catalogue.ts';\nexport * from './local-folder.ts';`;
  const stdin = { contents, resolveDir: from, loader: 'ts' } as const;
  await build({ stdin, outfile, bundle: true, platform: 'node', format: 'esm', plugins: [withRows] });
  const { startTestCatalogue, sharedWorld, TEST_NOW, fillLocalFolder, overFolder } = (await import(
    /* @vite-ignore */ outfile
  )) as Services;
  fs.rmSync(folder, { recursive: true });
  const { catalogue } = sharedWorld();
  const dir = temporaryFolder();
  await fillLocalFolder(dir, catalogue as never, { fetchedAt: TEST_NOW / 1000, now: TEST_NOW, adult: false });
  return {
    live: await startTestCatalogue({}),
    sample: await startTestCatalogue({ isSample: true }),
    local: await startTestCatalogue({ sourceOver: overFolder(dir) }),
    novels: catalogue.novels(),
  };
}

let services: Awaited<ReturnType<typeof startServices>>;
beforeAll(async () => {
  services = await startServices();
});
afterAll(async () => {
  for (const name of ['live', 'sample', 'local'] as const) await services[name].close();
});

it.each([
  ['impressions', 'impressions=10-20'],
  ['order=impressioncntasc', 'order=impressioncntasc'],
])('the live upstream refuses %s, which it would ignore, on both sites', async (name, query) => {
  for (const site of ['novels', 'r18/novels']) {
    const { status, body } = await services.live.get(`/v1/${site}?${query}`);
    expect([status, body.error?.code, body.error?.message]).toEqual([
      501,
      'not_available_here',
      expect.stringContaining(name),
    ]);
  }
});

it.each(['sample', 'local'] as const)('%s answers by a filter that the upstream lacks', async (name) => {
  const { novels } = services;
  const expected = novels.filter(({ impression_cnt: count }) => count >= 1 && count <= 5);
  const { status, body } = await services[name].get('/v1/novels?impressions=1-5&lim=500&of=imp');
  expect([status, body.data.length]).toEqual([200, Math.min(500, expected.length)]);
  expect(body.data.every(({ impression_cnt: count }) => count >= 1 && count <= 5)).toBe(true);
  expect(body.data.length).toBeGreaterThan(20);
});

it.each(['sample', 'local'] as const)('%s answers in an order that the upstream lacks', async (name) => {
  const { status, body } = await services[name].get('/v1/novels?order=impressioncntasc&lim=100&of=imp');
  const counts = body.data.map(({ impression_cnt: count }) => count);
  const sorted = services.novels.map(({ impression_cnt: count }) => count).sort((a, b) => a - b);
  expect([status, counts]).toEqual([200, sorted.slice(0, 100)]);
});
