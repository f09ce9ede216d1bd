import path from 'node:path';
import { expect, it } from 'vitest';
import { DAY, THEN, followedUpstream, novel } from '../../../test/catalogue/followed-upstream.ts';
import { harvestedIn } from '../../../test/catalogue/harvest-under-test.ts';
import { publishedRankings } from '../local/publish-rankings.ts';
import { harvest } from './harvest.ts';

const upstream = followedUpstream();
const fewNovels = () => Array.from({ length: 40 }, (_, place) => novel(place));

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
  upstream.novels = fewNovels();
  await interruptedWalk(dir, { rankings: true });
  const { rankings } = await harvest(upstream.options(dir));
  expect(rankings?.missed).toBe(0);
  expect([...publishedRankings(path.join(dir, 'rankings'))]).toHaveLength(rankings?.rankings ?? 0);
});

it('a harvest that spent its share under a clock set ahead does not wait for that time once it is corrected', async () => {
  const dir = upstream.folders.next();
  upstream.novels = fewNovels();
  const environment = { UPSTREAM_DAILY_REQUESTS: '4' };
  upstream.clock.set(THEN + 30 * DAY);
  await interruptedWalk(dir, { environment });
  upstream.clock.set(THEN);
  await harvest(upstream.options(dir, { environment }));
  expect(harvestedIn(dir, 'novels').size).toBe(40);
  expect(upstream.clock.now()).toBeLessThan(THEN + 7 * DAY);
});
