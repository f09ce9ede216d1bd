import { expect, it } from 'vitest';
import { localServices } from '../../../test/catalogue/local-services.ts';
import { pulledCatalogue } from '../../../test/catalogue/pull-under-test.ts';
import { startStaticServer } from '../../../test/catalogue/static-server.ts';
import { changeIndex } from '../index/engine/build-index.ts';
import { newestGeneration } from '../index/engine/index-generations.ts';
import { pull, pullAndFollow } from './pull.ts';
import type { PullOptions } from './pull.ts';

const source = pulledCatalogue();

/** Follows for some rounds; calls `between` after each of them, with its number from 1. */
async function followSource(
  dir: string,
  rounds: number,
  between: (round: number, waitMs: number) => unknown,
  of: Partial<PullOptions> = {},
): Promise<void> {
  const controller = new AbortController();
  let round = 0;
  const wait = async (milliseconds: number) => {
    await between(++round, milliseconds);
    if (round === rounds) controller.abort(new Error('the end'));
  };
  const options = source.options(dir, { wait, signal: controller.signal, ...of });
  await expect(pullAndFollow(options)).rejects.toThrow('the end');
}

it('checks once a minute with the validator of the last manifest, and downloads what is new', async () => {
  const dir = source.folders.next();
  const waits: number[] = [];
  await followSource(dir, 4, async (round, waitMs) => {
    waits.push(waitMs);
    expect(newestGeneration(source.novels(dir))?.number).toBe(round < 3 ? 1 : 2);
    if (round === 2) await source.change();
  });
  const manifests = source.server.requests.filter(({ file }) => file === 'novels/manifest.json');
  expect(manifests.map(({ status }) => status)).toEqual([200, 304, 200, 304]);
  expect(waits).toEqual([60_000, 60_000, 60_000, 60_000]);
  const spread: number[] = [];
  await followSource(dir, 1, (_, waitMs) => spread.push(waitMs), { random: () => 1 });
  expect(spread).toEqual([66_000]);
});

it('continues after failures, reporting each, and retains its generation', async () => {
  const dir = source.folders.next();
  const failures: string[] = [];
  const firstUrl = source.server.url;
  await source.pull(dir);
  await source.change();
  source.server.fault = () => ({ status: 502 });
  let pauses = 0;
  await followSource(
    dir,
    3 * 12 + 2,
    () => {
      pauses++;
      expect(newestGeneration(source.novels(dir))).not.toBeNull();
      if (failures.length >= 3) source.server.fault = () => undefined;
    },
    { onFailedDownload: ({ message }) => failures.push(message) },
  );
  expect(pauses).toBeGreaterThan(3);
  expect(new Set(failures)).toContain(`${firstUrl}novels/manifest.json: the server responded 502`);
  expect(source.differences(dir)).toEqual([]);
});

const services = localServices();

it('three replicas that follow a source return the same as the harvester', async () => {
  const origin = services.copyOf('origin');
  const server = await startStaticServer(origin);
  const dirs = ['a', 'b', 'c'].map((name) => source.folders.next() + name);
  const options = (dir: string) => source.options(dir, { from: new URL(server.url) });
  for (const dir of dirs) expect(await pull(options(dir))).toEqual([]);
  const started = await Promise.all([origin, ...dirs].map((dir) => services.start(dir, { cacheBytes: 1 })));
  const [some] = services.upstream.catalogue.novels();
  const urls = [
    '/v1/novels?word=%E7%8C%AB&lim=50',
    '/v1/novels?order=weekly&lim=100&of=n-t-gp',
    `/v1/novels/${some!.ncode}`,
    '/v1/r18/novels?lim=20',
    '/v1/rankings/weekly?date=2026-01-05',
    `/v1/novels/${some!.ncode}/ranking-history`,
    '/v1/changes?lim=500',
    '/v1/suggest?q=%E5%86%92',
  ];
  const answers = () =>
    Promise.all(
      started.map(async ({ get }) => {
        const all = await Promise.all(urls.map((url) => get(url)));
        return all.map(({ status, body }) => ({
          status,
          data: body.data as unknown,
          count: body.meta.upstreamAllCount,
          asOf: body.meta.asOf,
        }));
      }),
    );
  const [first, ...copies] = await answers();
  expect(first!.map(({ status }) => status)).toEqual(urls.map(() => 200));
  for (const copy of copies) expect(copy).toEqual(first);
  await changeIndex(`${origin}/novels`, { put: [{ ...some!, title: '新しい題名' }], remove: [] });
  for (const dir of dirs) expect(await pull(options(dir))).toEqual([]);
  for (const { local } of started) await local.refresh();
  const [changed, ...followed] = await answers();
  expect(changed).not.toEqual(first);
  for (const copy of followed) expect(copy).toEqual(changed);
  await server.close();
});
