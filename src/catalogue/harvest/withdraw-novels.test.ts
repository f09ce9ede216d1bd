import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { HOUR, followedUpstream, novel } from '../../../test/catalogue/followed-upstream.ts';
import { harvestedIn } from '../../../test/catalogue/harvest-under-test.ts';
import type { CatalogueNovel } from '../index/catalogue-novel.ts';
import { readEvents } from '../index/engine/changes.ts';
import { newestGeneration } from '../index/engine/index-generations.ts';
import { createNovelScan } from '../index/novel-scan.ts';
import { harvest } from './harvest.ts';
import { reportFile } from './write-report.ts';
import type { HarvestReport } from './write-report.ts';

const upstream = followedUpstream();
const novels = (count: number) => Array.from({ length: count }, (_, index) => novel(index));

/** An upstream that lists and returns only the novels that pass. */
function serveNovels(
  isListed: (each: CatalogueNovel) => boolean,
  isReturned: (each: CatalogueNovel) => boolean,
): void {
  const scanOf = (is: (each: CatalogueNovel) => boolean) =>
    createNovelScan((upstream.novels ?? []).filter(is), () => upstream.clock.now());
  const [listed, returned] = [scanOf(isListed), scanOf(isReturned)];
  const search: typeof listed.search = (query) => (query.ncode ? returned : listed).search(query);
  upstream.own.novelIndex = () => ({ ...listed, search });
}

/** What a harvest hours later left: novels, events, and the report. */
async function harvestLater(dir: string) {
  upstream.clock.set(upstream.clock.now() + 5 * HOUR);
  await harvest(upstream.options(dir));
  const folder = path.join(dir, 'novels');
  const log = newestGeneration(folder)?.changes?.files ?? [];
  const report = (JSON.parse(fs.readFileSync(reportFile(dir), 'utf8')) as HarvestReport).novels;
  return {
    novels: harvestedIn(dir, 'novels').size,
    events: log.flatMap((file) => readEvents(folder, file)).map(({ kind, ncode }) => `${kind} ${ncode}`),
    unsettled: report?.unsettled,
  };
}

const all = () => true;
const isSeventh = ({ ncode }: CatalogueNovel) => ncode === 'N0007AA';

describe('a repeated harvest', { timeout: 60_000 }, () => {
  it('withdraws no novel that its walk missed but the upstream returns', async () => {
    const dir = upstream.folders.next();
    upstream.novels = novels(100);
    await harvest(upstream.options(dir));
    serveNovels((each) => !isSeventh(each), all);
    expect(await harvestLater(dir)).toEqual({ novels: 100, events: [], unsettled: 0 });
  });

  it('counts a request as the first if the times of the earlier ones are not readable', async () => {
    const dir = upstream.folders.next();
    upstream.novels = novels(100);
    await harvest(upstream.options(dir));
    const isThere = (each: CatalogueNovel) => !isSeventh(each);
    serveNovels(isThere, isThere);
    for (const text of ['null', '7', '{', '{"novels":7}', '{"novels":{"N0007AA":"x"}}']) {
      fs.writeFileSync(path.join(dir, 'harvest', 'unanswered.json'), text);
      expect(await harvestLater(dir)).toEqual({ novels: 100, events: [], unsettled: 1 });
    }
  });

  it('withdraws a novel at the second request that does not return it, hours after the first', async () => {
    const dir = upstream.folders.next();
    upstream.novels = novels(100);
    await harvest(upstream.options(dir));
    const isThere = (each: CatalogueNovel) => !isSeventh(each);
    serveNovels(isThere, isThere);
    expect(await harvestLater(dir)).toEqual({ novels: 100, events: [], unsettled: 1 });
    const events = ['withdrawn N0007AA'];
    expect(await harvestLater(dir)).toEqual({ novels: 99, events, unsettled: 0 });
    expect(await harvestLater(dir)).toEqual({ novels: 99, events, unsettled: 0 });
  });

  it('counts the hours anew if the clock of the first request was ahead', async () => {
    const dir = upstream.folders.next();
    upstream.novels = novels(100);
    await harvest(upstream.options(dir));
    const isThere = (each: CatalogueNovel) => !isSeventh(each);
    serveNovels(isThere, isThere);
    upstream.clock.set(upstream.clock.now() + 100 * HOUR);
    expect(await harvestLater(dir)).toMatchObject({ novels: 100, unsettled: 1 });
    upstream.clock.set(upstream.clock.now() - 100 * HOUR);
    expect(await harvestLater(dir)).toMatchObject({ novels: 100, unsettled: 1 });
    expect(await harvestLater(dir)).toMatchObject({ novels: 99, unsettled: 0 });
  });

  it('asks a second time anew after the novel was returned in between', async () => {
    const dir = upstream.folders.next();
    upstream.novels = novels(100);
    await harvest(upstream.options(dir));
    const isThere = (each: CatalogueNovel) => !isSeventh(each);
    serveNovels(isThere, isThere);
    await harvestLater(dir);
    serveNovels(isThere, all);
    expect(await harvestLater(dir)).toMatchObject({ unsettled: 0 });
    serveNovels(isThere, isThere);
    expect(await harvestLater(dir)).toMatchObject({ novels: 100, events: [], unsettled: 1 });
  });

  it('keeps the novels of a small site that seems to have lost more than a tenth of them', async () => {
    const dir = upstream.folders.next();
    upstream.novels = novels(210);
    await harvest(upstream.options(dir));
    const isThere = ({ ncode }: CatalogueNovel) => ncode > 'N0021AA';
    // The count is that of the novels, so that the walk itself is plausible.
    serveNovels(isThere, isThere);
    await harvestLater(dir);
    expect(await harvestLater(dir)).toEqual({ novels: 210, events: [], unsettled: 22 });
  });

  it('keeps the title of a novel that comes without one', async () => {
    const dir = upstream.folders.next();
    upstream.novels = novels(200);
    await harvest(upstream.options(dir));
    upstream.novels = upstream.novels.map((each) =>
      isSeventh(each) ? { ...each, title: '', length: 9 } : each,
    );
    expect(await harvestLater(dir)).toMatchObject({ novels: 200, events: [] });
    expect(harvestedIn(dir, 'novels').get('N0007AA')?.title).toBe(novel(7).title);
  });

  it('drops a novel without an answer after fourteen days, which is no event', async () => {
    const dir = upstream.folders.next();
    upstream.novels = novels(200);
    await harvest(upstream.options(dir));
    const isThere = ({ ncode }: CatalogueNovel) => ncode > 'N0029AA';
    serveNovels(isThere, isThere);
    upstream.clock.set(upstream.clock.now() + 15 * 24 * HOUR);
    expect(await harvestLater(dir)).toEqual({ novels: 170, events: [], unsettled: 30 });
  });
});

it(
  'a harvest has every novel of a second with more than the upstream lists',
  { timeout: 60_000 },
  async () => {
    const dir = upstream.folders.next();
    const scheduled = { general_lastup: '2012-04-01 18:00:00' };
    upstream.novels = Array.from({ length: 5_000 }, (_, index) =>
      novel(index, { ...(index < 2_400 && scheduled), length: index }),
    );
    await harvest(upstream.options(dir));
    expect(harvestedIn(dir, 'novels').size).toBe(5_000);
    expect(await harvestLater(dir)).toEqual({ novels: 5_000, events: [], unsettled: 0 });
  },
);
