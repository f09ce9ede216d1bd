import path from 'node:path';
import { expect, it } from 'vitest';
import { DAY, THEN, followedUpstream, novels } from '../../../test/catalogue/followed-upstream.ts';
import { harvestedIn } from '../../../test/catalogue/harvest-under-test.ts';
import { startRespServer } from '../../../test/store/resp-server.ts';
import { publishedRankings } from '../local/publish-rankings.ts';
import type { HarvestProgress } from './harvest-run.ts';
import { harvest, harvestAndFollow } from './harvest.ts';

const upstream = followedUpstream();

type Options = Parameters<typeof upstream.options>[1];

/** Harvests until the walk has fetched its pages, but not checked them. */
async function interruptedWalk(dir: string, of: Options = {}): Promise<void> {
  const onProgress = ({ step }: { step: string }) => {
    if (step === 'recount') throw new Error('interrupted');
  };
  const options = upstream.options(dir, { ...of, onProgress });
  await expect(harvest(options)).rejects.toThrow('interrupted');
}

it('an interrupted harvest with rankings fetches them when it is resumed without --rankings', async () => {
  const dir = upstream.folders.next();
  upstream.novels = novels(40);
  await interruptedWalk(dir, { rankings: true });
  const { rankings } = await harvest(upstream.options(dir));
  expect(rankings?.missed).toBe(0);
  expect([...publishedRankings(path.join(dir, 'rankings'))]).toHaveLength(rankings?.rankings ?? 0);
});

const interruptedAtRankings = ({ step }: { step: string }) => {
  if (step === 'rankings') throw new Error('interrupted');
};

it('a harvest fetches every novel if only the rankings of --follow were left', async () => {
  const dir = upstream.folders.next();
  upstream.novels = novels(40);
  const options = upstream.options(dir, { onProgress: interruptedAtRankings });
  await expect(harvestAndFollow(options)).rejects.toThrow('interrupted');
  const { sites, rankings } = await harvest(upstream.options(dir));
  expect([sites.map(({ had }) => had), rankings]).toEqual([[40], undefined]);
});

it('a harvest resumes its own rankings without the novels, also in a folder that was followed', async () => {
  const dir = await upstream.followedFolder();
  upstream.clock.set(THEN + 5 * DAY);
  const options = upstream.options(dir, { rankings: true, onProgress: interruptedAtRankings });
  await expect(harvest(options)).rejects.toThrow('interrupted');
  const { sites, rankings } = await harvest(upstream.options(dir, { rankings: true }));
  expect([sites, rankings?.missed]).toEqual([[], 0]);
});

it('a harvest with a shared store has counted its own requests and bytes', async () => {
  const store = await startRespServer(() => `*3\r\n${':9000000\r\n'.repeat(3)}`);
  const environment = {
    STORE_URL: `redis://127.0.0.1:${store.port}`,
    UPSTREAM_DAILY_REQUESTS: '1000',
    UPSTREAM_DAILY_BYTES: '1000000',
  };
  const dir = upstream.folders.next();
  upstream.novels = novels(40);
  const options = upstream.options(dir, { environment });
  await harvest(options);
  expect(store.commands.some(([name]) => name === 'evalsha')).toBe(true);
  const { spent: own, usage } = options.progress.at(-1) as HarvestProgress;
  expect(usage.bytes).toBeGreaterThan(0);
  expect([own.requests, own.bytes]).toEqual([usage.requests, usage.bytes]);
});

it('a harvest that spent its share under a clock set ahead does not wait for that time once it is corrected', async () => {
  const dir = upstream.folders.next();
  upstream.novels = novels(40);
  const environment = { UPSTREAM_DAILY_REQUESTS: '4' };
  upstream.clock.set(THEN + 30 * DAY);
  await interruptedWalk(dir, { environment });
  upstream.clock.set(THEN);
  await harvest(upstream.options(dir, { environment }));
  expect(harvestedIn(dir, 'novels').size).toBe(40);
  expect(upstream.clock.now()).toBeLessThan(THEN + 7 * DAY);
});
