import fs from 'node:fs';
import path from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { harvestOptions, harvestedIn, temporaryFolders } from '../../../test/catalogue/harvest-under-test.ts';
import { japan, standingClock } from '../../../test/catalogue/upstream-under-test.ts';
import { createEmbeddedCatalogue } from '../../sample/novels/embedded-catalogue.ts';
import type { CatalogueNovel } from '../index/catalogue-novel.ts';
import type { FoundPage, NovelIndex } from '../index/novel-index.ts';
import { japanDateTime } from '../novels/japan-date.ts';
import { ncodeFromNumber } from '../novels/ncode.ts';
import { startNarouServer } from '../narou-server/server.ts';
import type { NovelQuery } from '../novels/novel-query.ts';
import { IncompleteWalk } from './harvest-site.ts';
import { harvest } from './harvest.ts';

const folders = temporaryFolders();
afterAll(folders.remove);

const clock = standingClock(japan('2010-01-01T12:00:00'));
const catalogue = createEmbeddedCatalogue({ clock });

/** Harvests from an upstream with its own search; returns the number of requests. */
async function harvestFrom(
  search: (query: NovelQuery, index: NovelIndex) => ReturnType<NovelIndex['search']>,
  dir = folders.next(),
) {
  const novelIndex = (): NovelIndex => {
    const index = catalogue.novelIndex();
    return { ...index, search: (query) => search(query, index) };
  };
  const server = await startNarouServer({ catalogue: { ...catalogue, novelIndex }, clock });
  try {
    await harvest(harvestOptions(server.url, dir, clock));
  } finally {
    await server.close();
  }
}

it('an upstream that ignores the requested time ends the harvest on its first response', async () => {
  let requestCount = 0;
  const unbounded = harvestFrom((query, index) => {
    requestCount++;
    return index.search({ ...query, lastup: undefined });
  });
  await expect(unbounded).rejects.toThrow('returned novels outside the requested time (lastup)');
  expect(requestCount).toBeLessThan(5);
});

it('an upstream may count a tenth more than it returns, and no more', async () => {
  const counting = (share: number) => (query: NovelQuery, index: NovelIndex) => {
    const { total, records } = index.search(query) as FoundPage<CatalogueNovel>;
    return { total: query.lastup ? total : Math.floor(total / share), records };
  };
  await expect(harvestFrom(counting(0.9))).resolves.toBeUndefined();
  await expect(harvestFrom(counting(0.89))).rejects.toThrow(IncompleteWalk);
});

it('a walk must have nine tenths of the novels that the upstream counts at its end', async () => {
  const growingBy = (share: number) => {
    let counts = 0;
    return (query: NovelQuery, index: NovelIndex) => {
      const { total, records } = index.search(query) as FoundPage<CatalogueNovel>;
      const isLast = !query.lastup && ++counts > 1;
      return { total: isLast ? Math.floor(total / share) : total, records };
    };
  };
  await expect(harvestFrom(growingBy(0.9))).resolves.toBeUndefined();
  await expect(harvestFrom(growingBy(0.89))).rejects.toThrow(IncompleteWalk);
});

it('an upstream with more novels in every second than can be read ends the harvest, with the reason in its report', async () => {
  let sentCount = 0;
  const dir = folders.next();
  const any = catalogue.novelIndex().search({ order: 'old', st: 1, lim: 1 });
  const crowded = harvestFrom((query) => {
    sentCount++;
    const general_lastup = japanDateTime(((query.lastup as { min?: number } | undefined)?.min ?? 0) * 1_000);
    const records = Array.from({ length: query.lim }, (_, index) => ({
      ...(any.records[0] as CatalogueNovel),
      story: '猫',
      length: query.length?.min ?? 0,
      ncode: ncodeFromNumber(sentCount * 500 + index),
      general_lastup,
    }));
    return { total: query.lastup ? 2_001 : 10, records };
  }, dir);
  await expect(crowded).rejects.toThrow(
    /^novels: The walk was stopped: 101 responses are too many for 10 novels\./,
  );
  expect(sentCount).toBe(102);
  const report = fs.readFileSync(path.join(dir, 'harvest', 'report.json'), 'utf8');
  expect(report).toContain(
    '"refusedBecause": "The walk was stopped: 101 responses are too many for 10 novels.',
  );
  // Nothing of it is stored: the next walk has only the novels of an upstream that is consistent again.
  await expect(harvestFrom((query, index) => index.search(query), dir)).resolves.toBeUndefined();
  expect(harvestedIn(dir, 'novels').size).toBe(catalogue.novels().length);
});
