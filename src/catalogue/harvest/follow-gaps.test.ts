import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  DAY,
  HOUR,
  MINUTE,
  THEN,
  followedUpstream,
  novel,
} from '../../../test/catalogue/followed-upstream.ts';
import { harvestedIn } from '../../../test/catalogue/harvest-under-test.ts';
import type { CatalogueNovel } from '../index/catalogue-novel.ts';
import { createNovelScan } from '../index/novel-scan.ts';
import { publishedRankings } from '../local/publish-rankings.ts';
import { dayOfDate, japanDateTime } from '../novels/japan-date.ts';
import { harvestAndFollow } from './harvest.ts';

const upstream = followedUpstream();
const fewNovels = () => Array.from({ length: 40 }, (_, place) => novel(place));
const seconds = (milliseconds: number) => milliseconds / 1_000;

function addNovel(at: number): void {
  upstream.novels = [...(upstream.novels ?? []), novel(50, { general_lastup: japanDateTime(at) })];
}

// Follows for days of the test's clock, beside other work of the machine.
describe('a followed catalogue', { timeout: 300_000 }, () => {
  it('waits while the disk is full, and is built once it has space', async () => {
    const dir = upstream.folders.next();
    upstream.novels = fewNovels();
    const freeBytes = () => (upstream.clock.now() < THEN + HOUR ? 0 : Infinity);
    await upstream.followUntil(dir, THEN + 2 * HOUR, { freeBytes });
    expect(harvestedIn(dir, 'novels').size).toBe(40);
  });

  it('has the novels of both sites that appeared while it was not followed for hours', async () => {
    const dir = upstream.folders.next();
    upstream.novels = fewNovels();
    await upstream.followUntil(dir, THEN + HOUR, { adult: true });
    addNovel(THEN + 1.5 * HOUR);
    upstream.clock.set(THEN + 5 * HOUR);
    await upstream.followUntil(dir, THEN + 5 * HOUR + 15 * MINUTE, { adult: true });
    expect([harvestedIn(dir, 'novels').size, harvestedIn(dir, 'adult').size]).toEqual([41, 41]);
  });

  it('has the novels of hours in which the upstream refused only the requests for changes', async () => {
    const dir = upstream.folders.next();
    upstream.novels = fewNovels();
    await upstream.followUntil(dir, THEN + HOUR);
    addNovel(upstream.clock.now());
    const index = createNovelScan(upstream.novels, () => upstream.clock.now());
    const search: typeof index.search = (query) => {
      const isProbe = query.lim === 1;
      if (!isProbe && upstream.clock.now() < THEN + 5 * HOUR) throw new Error('the upstream fails');
      return index.search(query);
    };
    upstream.own.novelIndex = () => ({ ...index, search });
    await upstream.followUntil(dir, THEN + 6 * HOUR);
    expect(harvestedIn(dir, 'novels').has('N0050AA')).toBe(true);
  });

  it('has the figures of a whole record that was fetched after the figures of the day', async () => {
    const dir = upstream.folders.next();
    upstream.novels = fewNovels();
    await upstream.followUntil(dir, THEN + HOUR);
    await upstream.followUntil(dir, THEN + DAY, {
      onProgress: ({ step, done }) => {
        if (step === 'figures' && done === 40)
          upstream.novels = upstream.novels?.map((each) => ({ ...each, weekly_point: 9 }));
      },
    });
    const fetched = [...harvestedIn(dir, 'novels').values()].filter(
      ({ fetched_at }) => fetched_at > seconds(THEN + HOUR),
    );
    expect(fetched.map(({ weekly_point }) => weekly_point)).toEqual([9, 9, 9]);
  });

  it('fetches no record of a day twice if it is interrupted after a page of them', async () => {
    const dir = upstream.folders.next();
    upstream.novels = fewNovels();
    await upstream.followUntil(dir, THEN + HOUR);
    // Too long ago for the requests for changes: the figures of the day show it.
    upstream.novels = upstream.novels.map((each, place) =>
      place === 5 ? { ...each, novelupdated_at: '2012-06-01 18:00:00' } : each,
    );
    upstream.clock.set(THEN + 20 * HOUR);
    const onProgress = ({ step }: { step: string }) => {
      if (step === 'texts') throw new Error('killed');
    };
    await expect(harvestAndFollow(upstream.options(dir, { onProgress }))).rejects.toThrow('killed');
    const killedAt = upstream.clock.now();
    upstream.clock.set(killedAt + 5 * MINUTE);
    await upstream.followUntil(dir, THEN + DAY);
    const times = [...harvestedIn(dir, 'novels').values()].map(({ fetched_at }) => fetched_at);
    // A fourteenth of forty is three.
    expect(times.filter((time) => time > seconds(THEN + HOUR))).toEqual(
      Array.from({ length: 3 }, () => seconds(killedAt)),
    );
  });

  it('has the figures of a day on which the upstream returned more novels than can be read, once it is consistent', async () => {
    const dir = upstream.folders.next();
    upstream.novels = fewNovels();
    await upstream.followUntil(dir, THEN + HOUR);
    upstream.novels = upstream.novels.map((each) => ({ ...each, weekly_point: 9 }));
    const [any] = upstream.novels as [CatalogueNovel];
    const index = createNovelScan(upstream.novels, () => upstream.clock.now());
    let crowdedCount = 0;
    const search: typeof index.search = (query) => {
      // Only the walk for figures begins in 1970.
      const { min = Infinity } = (query.lastup ?? {}) as { min?: number };
      if (query.lim === 1 || min > 30 * 86_400 || crowdedCount > 103) return index.search(query);
      crowdedCount++;
      const general_lastup = japanDateTime(min * 1_000);
      return { total: 2_001, records: Array.from({ length: query.lim }, () => ({ ...any, general_lastup })) };
    };
    upstream.own.novelIndex = () => ({ ...index, search });
    await upstream.followUntil(dir, THEN + DAY);
    expect(crowdedCount).toBe(104);
    const harvested = [...harvestedIn(dir, 'novels').values()];
    expect(new Set(harvested.map(({ weekly_point }) => weekly_point))).toEqual(new Set([9]));
    // Without figures every record would be fetched again.
    expect(harvested.filter(({ fetched_at }) => fetched_at > seconds(THEN + HOUR))).toHaveLength(3);
  });

  it.each([
    ['since before the last build', false],
    ['since a change', true],
  ])('drops after fourteen days what the upstream cannot return any more: %s', async (_since, isChanged) => {
    const dir = upstream.folders.next();
    upstream.novels = fewNovels();
    await upstream.followUntil(dir, THEN + HOUR);
    const novelupdated_at = japanDateTime(THEN + HOUR);
    if (isChanged)
      upstream.novels = upstream.novels.map((each, place) =>
        place === 7 ? { ...each, novelupdated_at } : each,
      );
    await upstream.followUntil(dir, THEN + 2 * HOUR);
    upstream.set({ maintenance: 'html503' });
    await upstream.followUntil(dir, THEN + 15 * DAY);
    upstream.set({ maintenance: 'off', failingStory: true });
    upstream.own.ranking = (type, day) => {
      if (type === 'daily' && day === dayOfDate('2013-05-20')) throw new Error('the upstream fails');
      return upstream.sample.ranking(type, day);
    };
    // One round: the next one would drop records that this one stored in error.
    await upstream.followUntil(dir, THEN + 15.5 * DAY);
    const harvested = harvestedIn(dir, 'novels');
    expect([harvested.size, harvested.has('N0007AA')]).toEqual([39, false]);
    const daily = [...publishedRankings(path.join(dir, 'rankings'))].filter(({ type }) => type === 'daily');
    const dates = daily.map(({ date }) => date);
    expect([dates.includes('2013-05-19'), dates.includes('2013-05-20')]).toEqual([true, false]);
  });
});
