import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { HOUR_AGO, localServices } from '../../packages/mokuroku/test/catalogue/local-services.ts';
import { buildIndex } from '../../packages/local-catalogue/src/engine/build-index.ts';
import { publishChanges } from '../../packages/local-catalogue/test/index-under-test.ts';

const services = localServices();

describe('the folder', () => {
  it('is served in its newest generation without a restart; withdrawn novels disappear', async () => {
    const dir = services.copyOf('changing');
    const { get, local } = await services.start(dir, { cacheBytes: 1 });
    const [first, second] = services.upstream.catalogue.novels();
    const put = [{ ...first!, title: '書き換えられた題名', fetched_at: HOUR_AGO + 60 }];
    await publishChanges(path.join(dir, 'novels'), { put, remove: [second!.ncode] });
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

  it('is loaded by another thread: each query meanwhile is answered by one generation or the next', async () => {
    const dir = path.join(services.root, 'under-load');
    const novels = services.datedNovels(() => HOUR_AGO).slice(0, 1_000);
    await buildIndex(path.join(dir, 'novels'), novels);
    const worker = path.join(services.root, 'load-worker.mjs');
    const entry = path.resolve(
      import.meta.dirname,
      '../../packages/local-catalogue/src/engine/load-worker.ts',
    );
    await build({ entryPoints: [entry], outfile: worker, bundle: true, platform: 'node', format: 'esm' });
    const { get, local, log } = await services.start(dir, {
      cacheBytes: 1,
      loadWorker: pathToFileURL(worker),
    });
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
      if (round === 3) await buildIndex(path.join(dir, 'novels'), novels.slice(3));
      else await publishChanges(path.join(dir, 'novels'), { remove: [novels[round]!.ncode] });
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

it('a folder of invented novels is marked in every response, and its feeds link to this service; of others not', async () => {
  const dir = services.copyOf('sample');
  const novels = services.datedNovels(() => HOUR_AGO).slice(0, 9);
  const build = (isSample: boolean) =>
    buildIndex(path.join(dir, 'novels'), novels, { spacing: 4, isSample, isLogged: false });
  const { get, local, base } = await services.start(dir);
  const feed = '/v1/novels?format=atom&lim=1';
  for (const isSample of [true, false, true]) {
    await build(isSample);
    await local.refresh();
    expect(local.isSample()).toBe(isSample);
    // Twice, because the second response is cached.
    // More than once, because a cached response takes another way.
    for (const question of [
      ...Array<string>(3).fill('/v1/novels?lim=1'),
      '/v1/novels/N9999ZZ',
      '/readyz',
      '/',
    ]) {
      const marks = [question, (await get(question)).headers['x-data']];
      expect(marks).toEqual([question, isSample ? 'sample' : undefined]);
    }
    const { text } = await get(`${feed}&of=n&st=${isSample ? 1 : 2}`);
    expect(text.includes('https://ncode.syosetu.com/')).toBe(!isSample);
    expect(text.includes(`${base}/?ncode=`)).toBe(isSample);
    const page = await get('/');
    // Authors are offered only if there are any.
    if (page.status === 200)
      expect(page.text.match(/<meta name="(?:sample|users)"/g)).toEqual([
        '<meta name="users"',
        ...(isSample ? ['<meta name="sample"'] : []),
      ]);
  }
});
