import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { HOUR, followedUpstream, novel, novels } from '../../../test/catalogue/followed-upstream.ts';
import { harvestedIn, reportIn } from '../../../test/catalogue/harvest-under-test.ts';
import type { CatalogueNovel } from '../index/catalogue-novel.ts';
import { readEvents } from '../index/engine/changes.ts';
import { newestGeneration } from '../index/engine/index-generations.ts';
import { harvest } from './harvest.ts';

const upstream = followedUpstream();

async function harvestedFolder(count = 100) {
  const dir = upstream.folders.next();
  upstream.novels = novels(count);
  await harvest(upstream.options(dir));
  return dir;
}

type Filter = (each: CatalogueNovel) => boolean;
const all: Filter = () => true;
const isOther: Filter = ({ ncode }) => ncode !== 'N0007AA';

/** An upstream that lists and returns only the novels that pass. */
function serveNovels(isListed: Filter, isReturned = isListed): void {
  const [listed, returned] = [isListed, isReturned].map((is) =>
    upstream.scan((upstream.novels ?? []).filter(is)),
  );
  upstream.searchBy(
    (query, index) => (query.ncode ? returned : listed)?.search(query) ?? index.search(query),
  );
}

/** What a harvest hours later left: novels, events, and the report. */
async function harvestLater(dir: string) {
  upstream.clock.set(upstream.clock.now() + 5 * HOUR);
  await harvest(upstream.options(dir));
  const folder = path.join(dir, 'novels');
  const log = newestGeneration(folder)?.changes?.files ?? [];
  return {
    novels: harvestedIn(dir, 'novels').size,
    events: log.flatMap((file) => readEvents(folder, file)).map(({ kind, ncode }) => `${kind} ${ncode}`),
    unsettled: reportIn(dir)?.unsettled,
  };
}

describe('a repeated harvest', { timeout: 60_000 }, () => {
  it('withdraws no novel that its walk missed but the upstream returns', async () => {
    const dir = await harvestedFolder();
    serveNovels(isOther, all);
    expect(await harvestLater(dir)).toEqual({ novels: 100, events: [], unsettled: 0 });
  });

  it('counts a request as the first if the times of the earlier ones are not readable', async () => {
    const dir = await harvestedFolder();
    serveNovels(isOther);
    for (const text of ['null', '7', '{', '{"novels":7}', '{"novels":{"N0007AA":"x"}}']) {
      fs.writeFileSync(path.join(dir, 'harvest', 'unanswered.json'), text);
      expect(await harvestLater(dir)).toEqual({ novels: 100, events: [], unsettled: 1 });
    }
  });

  it('withdraws a novel at the second request that does not return it, hours after the first', async () => {
    const dir = await harvestedFolder();
    serveNovels(isOther);
    expect(await harvestLater(dir)).toEqual({ novels: 100, events: [], unsettled: 1 });
    const events = ['withdrawn N0007AA'];
    expect(await harvestLater(dir)).toEqual({ novels: 99, events, unsettled: 0 });
    expect(await harvestLater(dir)).toEqual({ novels: 99, events, unsettled: 0 });
  });

  it('counts the hours anew if the clock of the first request was ahead', async () => {
    const dir = await harvestedFolder();
    serveNovels(isOther);
    upstream.clock.set(upstream.clock.now() + 100 * HOUR);
    expect(await harvestLater(dir)).toMatchObject({ novels: 100, unsettled: 1 });
    upstream.clock.set(upstream.clock.now() - 100 * HOUR);
    expect(await harvestLater(dir)).toMatchObject({ novels: 100, unsettled: 1 });
    expect(await harvestLater(dir)).toMatchObject({ novels: 99, unsettled: 0 });
  });

  it('asks a second time anew after the novel was returned in between', async () => {
    const dir = await harvestedFolder();
    serveNovels(isOther);
    await harvestLater(dir);
    serveNovels(isOther, all);
    expect(await harvestLater(dir)).toMatchObject({ unsettled: 0 });
    serveNovels(isOther);
    expect(await harvestLater(dir)).toMatchObject({ novels: 100, events: [], unsettled: 1 });
  });

  it('keeps the novels of a small site that seems to have lost more than a tenth of them', async () => {
    const dir = await harvestedFolder(210);
    // The count is that of the novels, so that the walk itself is plausible.
    serveNovels(({ ncode }) => ncode > 'N0021AA');
    await harvestLater(dir);
    expect(await harvestLater(dir)).toEqual({ novels: 210, events: [], unsettled: 22 });
  });

  it('keeps the title of a novel that comes without one', async () => {
    const dir = await harvestedFolder(200);
    upstream.novels = novels(200).with(7, novel(7, { title: '', length: 9 }));
    expect(await harvestLater(dir)).toMatchObject({ novels: 200, events: [] });
    expect(harvestedIn(dir, 'novels').get('N0007AA')?.title).toBe(novel(7).title);
  });

  it('drops a novel without an answer after fourteen days, which is no event', async () => {
    const dir = await harvestedFolder(200);
    serveNovels(({ ncode }) => ncode > 'N0029AA');
    upstream.clock.set(upstream.clock.now() + 15 * 24 * HOUR);
    expect(await harvestLater(dir)).toEqual({ novels: 170, events: [], unsettled: 30 });
  });
});

it('a harvest has every novel of a second with more than the upstream lists', async () => {
  const dir = upstream.folders.next();
  const general_lastup = '2012-04-01 18:00:00';
  upstream.novels = novels(2_050).map((each, length) => ({ ...each, general_lastup, length }));
  await harvest(upstream.options(dir));
  expect(harvestedIn(dir, 'novels').size).toBe(2_050);
});
