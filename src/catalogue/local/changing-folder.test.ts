import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { HOUR_AGO, localServices } from '../../../test/catalogue/local-services.ts';
import { plainNovel } from '../../../test/catalogue/plain-novel.ts';
import { buildIndex, changeIndex } from '../index/engine/build-index.ts';

const plainOther = plainNovel({ ncode: 'N0001A', fetched_at: HOUR_AGO });
const services = localServices();

describe('the folder', () => {
  it('is served in its newest generation without a restart; withdrawn novels disappear', async () => {
    const dir = services.copyOf('changing');
    const { get, local } = await services.start(dir, { cacheBytes: 1 });
    const [first, second] = services.upstream.catalogue.novels();
    const put = [{ ...first!, title: '書き換えられた題名', fetched_at: HOUR_AGO + 60 }];
    await changeIndex(path.join(dir, 'novels'), { put, remove: [second!.ncode] });
    expect((await get(`/v1/novels/${second!.ncode}`)).status).toBe(200);
    await local.refresh();
    expect((await get(`/v1/novels/${second!.ncode}`)).status).toBe(404);
    const { body } = await get(`/v1/novels/${first!.ncode}`);
    expect(body.data).toMatchObject({ title: '書き換えられた題名' });
    expect(body.meta.asOf).toBe(new Date((HOUR_AGO + 60) * 1000).toISOString());
  });

  it('may be empty at first: a generation that arrives is served', async () => {
    const dir = path.join(services.root, 'empty-as-yet');
    fs.mkdirSync(dir);
    const { get, local } = await services.start(dir, { cacheBytes: 1 });
    expect((await get('/v1/novels?lim=1')).status).toBe(501);
    await buildIndex(path.join(dir, 'novels'), services.datedNovels(() => HOUR_AGO).slice(0, 10));
    await local.refresh();
    expect((await get('/v1/novels?lim=1')).body.meta.upstreamAllCount).toBe(10);
    expect(local.facts()).toMatchObject({ novels: 10, adultNovels: 0, rankings: 0 });
  });

  it('a damaged new generation is skipped and logged once', async () => {
    const dir = services.copyOf('broken-later');
    const { get, local, log } = await services.start(dir, { cacheBytes: 1 });
    await local.refresh();
    const remove = services.upstream.catalogue
      .novels()
      .slice(0, 5)
      .map(({ ncode }) => ncode);
    await changeIndex(path.join(dir, 'novels'), { put: [plainOther], remove });
    const changes = path.join(dir, 'novels', 'segment-000002-changes', 'positions');
    const written = fs.readFileSync(changes);
    fs.writeFileSync(changes, 'X', { flag: 'r+' });
    await local.refresh();
    await local.refresh();
    expect((await get(`/v1/novels/${remove[0]}`)).status).toBe(200);
    expect(log.filter((line) => line.includes('skipped a damaged generation'))).toHaveLength(1);
    // The original is intact, and the next generation is built from it.
    fs.writeFileSync(changes, written);
    await changeIndex(path.join(dir, 'novels'), { put: [], remove });
    await local.refresh();
    expect((await get(`/v1/novels/${remove[0]}`)).status).toBe(404);
  });

  it('an open generation that turns out to be damaged is replaced by the previous one', async () => {
    const dir = services.copyOf('broken-at-start');
    const remove = [services.upstream.catalogue.novels()[0]!.ncode];
    await changeIndex(path.join(dir, 'novels'), { put: [plainOther], remove });
    fs.writeFileSync(path.join(dir, 'novels', 'segment-000002-changes', 'records'), 'X', { flag: 'r+' });
    const { get, local } = await services.start(dir, { cacheBytes: 1 });
    expect((await get(`/v1/novels/${remove[0]}`)).status).toBe(404);
    await local.refresh();
    expect((await get(`/v1/novels/${remove[0]}`)).status).toBe(200);
  });

  it('is loaded by another thread: each query meanwhile is answered by one generation or the next', async () => {
    const dir = services.copyOf('under-load');
    const worker = path.join(services.root, 'load-worker.mjs');
    const entry = path.resolve(import.meta.dirname, '../index/engine/load-worker.ts');
    await build({ entryPoints: [entry], outfile: worker, bundle: true, platform: 'node', format: 'esm' });
    const { get, local, log } = await services.start(dir, {
      cacheBytes: 1,
      loadWorker: pathToFileURL(worker),
    });
    const novels = services.upstream.catalogue.novels();
    let isOver = false;
    const totals: number[] = [];
    const sending = async (): Promise<void> => {
      for (let requestCount = 0; !isOver; requestCount++) {
        const { status, body } = await get(`/v1/novels?lim=20&st=${1 + (requestCount % 500)}&of=n-t`);
        expect(status).toBe(200);
        totals.push(body.meta.upstreamAllCount);
      }
    };
    const load = Promise.all([sending(), sending(), sending()]);
    for (let round = 1; round <= 3; round++) {
      // The last round rebuilds everything.
      if (round === 3)
        await buildIndex(path.join(dir, 'novels'), services.datedNovels(() => HOUR_AGO).slice(3));
      else await changeIndex(path.join(dir, 'novels'), { put: [], remove: [novels[round]!.ncode] });
      await local.refresh();
      expect(local.facts().novels).toBe(novels.length - round);
    }
    isOver = true;
    await load;
    const states = new Set([0, 1, 2, 3].map((removed) => novels.length - removed));
    expect(totals.filter((total) => !states.has(total))).toEqual([]);
    expect(log.filter((line) => line.includes('a new generation of the catalogue is served'))).toHaveLength(
      3,
    );
  });
});
