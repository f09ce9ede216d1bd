import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { temporaryFolder } from '../temporary-folder.ts';
import type * as LocalFolder from '../../packages/mokuroku/test/catalogue/local-folder.ts';

// ARCHITECTURE.md says how a filter and an order are added. A source that lacks one answers 501, or asks its fallback.

const ROOT = path.resolve(import.meta.dirname, '../..');
const DIR = temporaryFolder();

function addRow(file: string, before: string, row: string): void {
  const name = path.join(DIR, 'packages/narou/src/novels', file);
  const source = fs.readFileSync(name, 'utf8');
  expect(source).toContain(before);
  fs.writeFileSync(name, source.replace(before, `${row}\n${before}`));
}

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
}

/** The sources with the added rows. */
async function startServices() {
  const load = async <Module>(file: string) =>
    (await import(/* @vite-ignore */ path.join(DIR, file))) as Module;
  const { startTestCatalogue, sharedWorld, TEST_NOW } = await load<Services>(
    'packages/mokuroku/test/catalogue/start-test-catalogue.ts',
  );
  const { fillLocalFolder, overFolder } = await load<typeof LocalFolder>(
    'packages/mokuroku/test/catalogue/local-folder.ts',
  );
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
  for (const folder of ['packages', 'test']) {
    const isKept = (name: string) => !/\.test\.ts$|\/(explorer|registration|dist)\//.test(name);
    fs.cpSync(path.join(ROOT, folder), path.join(DIR, folder), { recursive: true, filter: isKept });
  }
  fs.cpSync(path.join(ROOT, 'package.json'), path.join(DIR, 'package.json'));
  // The packages of the repository are those of the copy, all others the installed ones.
  const modules = path.join(DIR, 'node_modules');
  fs.mkdirSync(path.join(modules, '@mokuroku'), { recursive: true });
  for (const name of fs.readdirSync(path.join(ROOT, 'node_modules'))) {
    if (!name.includes('mokuroku')) {
      fs.symlinkSync(path.join(ROOT, 'node_modules', name), path.join(modules, name));
    }
  }
  for (const folder of fs.readdirSync(path.join(DIR, 'packages'))) {
    const own = path.join(DIR, 'packages', folder);
    const { name } = JSON.parse(fs.readFileSync(path.join(own, 'package.json'), 'utf8')) as { name: string };
    fs.symlinkSync(own, path.join(modules, name));
  }
  addRow(
    'search-conditions.ts',
    '  stop: { kind:',
    `  impressions: { kind: 'range', servedBy: 'none', operator: 'between', field: 'impression_cnt', example: '10-', text: text('Impressions.', '感想の数。') },`,
  );
  addRow(
    'orders.ts',
    '  old: low(',
    `  impressioncntasc: low('none', 'impression_cnt', 'fewest impressions first', 'Fewest impressions', '感想の少ない順'),`,
  );
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
