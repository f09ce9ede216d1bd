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
import { createLogger } from '../../process/logger.ts';
import { createNovelScan } from '../index/novel-scan.ts';
import { openRankings } from '../local/open-rankings.ts';
import type { HarvestProgress } from './harvest-run.ts';
import { publishedRankings } from '../local/publish-rankings.ts';
import { japanDateTime } from '../novels/japan-date.ts';

const upstream = followedUpstream();
const fewNovels = () => Array.from({ length: 40 }, (_, index) => novel(index));

function recorded() {
  const said: { msg: string }[] = [];
  const write = (line: string) => said.push(JSON.parse(line) as { msg: string });
  return { said, logger: createLogger('test', 'warn', { write }).logger };
}

/** The upstream counts twice the novels that it returns, but for those of a time range. */
function doubleCounts(): void {
  const index = createNovelScan(upstream.novels ?? [], () => upstream.clock.now());
  const search: typeof index.search = (query) => {
    const result = index.search(query);
    return query.lastup ? result : { ...result, total: result.total * 2 };
  };
  upstream.own.novelIndex = () => ({ ...index, search });
}

describe('following an upstream that', { timeout: 300_000 }, () => {
  it('dates novels beyond all storable times stores them, and does not fetch them repeatedly', async () => {
    const dir = upstream.folders.next();
    upstream.novels = [
      novel(0, { general_firstup: '1960-01-01 00:00:00' }),
      novel(1, { novelupdated_at: '9999-12-31 00:00:00' }),
      novel(2),
    ];
    await upstream.followUntil(dir, THEN + HOUR);
    const fetchedAt = () => [...harvestedIn(dir, 'novels').values()].map(({ fetched_at }) => fetched_at);
    const first = fetchedAt();
    expect(first).toHaveLength(3);
    await upstream.followUntil(dir, THEN + DAY);
    // The oldest third of three is one.
    expect(fetchedAt().filter((at) => first.includes(at))).toHaveLength(2);
  });

  it('counts far more than it returns walks again after pauses that grow to a day, and accepts it once it is consistent', async () => {
    const dir = upstream.folders.next();
    upstream.novels = fewNovels();
    doubleCounts();
    const said: { pauseSeconds?: number }[] = [];
    const write = (line: string) => said.push(JSON.parse(line) as { pauseSeconds?: number });
    await upstream.followUntil(dir, THEN + 4 * DAY, {
      logger: createLogger('test', 'warn', { write }).logger,
    });
    const pauses = said.map(({ pauseSeconds }) => pauseSeconds);
    expect(pauses.slice(0, 10)).toEqual([
      600, 1_200, 2_400, 4_800, 9_600, 19_200, 38_400, 76_800, 86_400, 86_400,
    ]);
    upstream.own = {};
    await upstream.followUntil(dir, THEN + 5 * DAY);
    expect(harvestedIn(dir, 'novels').size).toBe(40);
  });

  it('counted wrongly once is walked again after the pause, even if the clock is set back meanwhile', async () => {
    const dir = upstream.folders.next();
    upstream.novels = fewNovels();
    doubleCounts();
    let behindMs = 0;
    const clock = { ...upstream.clock, now: () => upstream.clock.now() - behindMs };
    const onProgress = ({ step }: { step: string }) => {
      if (step !== 'idle') return;
      upstream.own = {};
      behindMs = 30 * DAY;
    };
    await upstream.followUntil(dir, THEN + HOUR, { clock, onProgress });
    expect(behindMs).toBe(30 * DAY);
    expect(harvestedIn(dir, 'novels').size).toBe(40);
  });

  it('has more novels in every second than can be read is walked again after pauses that grow', async () => {
    const dir = upstream.folders.next();
    const index = createNovelScan(fewNovels(), () => upstream.clock.now());
    let sentCount = 0;
    const search: typeof index.search = ({ lastup, length, lim }) => {
      sentCount++;
      const { min = 0 } = (lastup ?? {}) as { min?: number };
      const { min: shortest = 0 } = length ?? {};
      const ofRange = { general_lastup: japanDateTime(min * 1_000), length: shortest };
      const records = Array.from({ length: lim }, (_, row) => novel(row, ofRange));
      return { total: lastup ? 2_001 : 10, records };
    };
    upstream.own.novelIndex = () => ({ ...index, search });
    const said: { pauseSeconds?: number }[] = [];
    const write = (line: string) => said.push(JSON.parse(line) as { pauseSeconds?: number });
    const { logger } = createLogger('test', 'warn', { write });
    await upstream.followUntil(dir, THEN + 25 * MINUTE, { logger });
    expect(said.map(({ pauseSeconds }) => pauseSeconds)).toEqual([600, 1_200]);
    // A walk is a count and its greatest number of responses.
    expect(sentCount).toBe(2 * 102);
    upstream.own = {};
    upstream.novels = fewNovels();
    await upstream.followUntil(dir, THEN + 4 * HOUR);
    expect(harvestedIn(dir, 'novels').size).toBe(40);
  });

  it('returns novels that are never readable skips those and follows all others', async () => {
    const dir = upstream.folders.next();
    upstream.novels = fewNovels();
    await upstream.followUntil(dir, THEN + HOUR);
    upstream.novels = upstream.novels.map((each) => ({ ...each, weekly_point: 7 }));
    upstream.novels.push(novel(50, { general_lastup: japanDateTime(upstream.clock.now()) }));
    const index = createNovelScan(upstream.novels, () => upstream.clock.now());
    let isReadable = false;
    const search: typeof index.search = (query) => {
      const result = index.search(query);
      return query.ncode && !isReadable ? { ...result, records: [] } : result;
    };
    upstream.own.novelIndex = () => ({ ...index, search });
    const { said, logger } = recorded();
    await upstream.followUntil(dir, THEN + DAY, { logger });
    const harvested = harvestedIn(dir, 'novels');
    expect(harvested.get('N0001AA')).toMatchObject({ weekly_point: 7 });
    expect(harvested.has('N0050AA')).toBe(false);
    expect(said.some(({ msg }) => msg.startsWith('skipped novels'))).toBe(true);
    isReadable = true;
    await upstream.followUntil(dir, THEN + 2 * DAY);
    expect(harvestedIn(dir, 'novels').has('N0050AA')).toBe(true);
  });

  it('lists a novel no longer, but returns an unreadable record of it, does not withdraw that novel', async () => {
    const dir = upstream.folders.next();
    upstream.novels = fewNovels();
    await upstream.followUntil(dir, THEN + HOUR);
    const index = createNovelScan(upstream.novels, () => upstream.clock.now());
    const listed = upstream.novels.filter(({ ncode }) => !['N0006AA', 'N0007AA'].includes(ncode));
    const list = createNovelScan(listed, () => upstream.clock.now());
    const search: typeof index.search = (query) => {
      const isOfOthers = query.ncode?.includes('N0007AA') !== true;
      return isOfOthers ? list.search(query) : index.search(query);
    };
    upstream.own.novelIndex = () => ({ ...index, search });
    upstream.set({ failingStory: true });
    await upstream.followUntil(dir, THEN + 2 * DAY);
    const harvested = harvestedIn(dir, 'novels');
    expect([harvested.has('N0006AA'), harvested.has('N0007AA')]).toEqual([false, true]);
  });

  it.each([
    { ncode: 'X0001A', pt: 1, rank: 1 },
    { ncode: 'N0001A', pt: -1, rank: 1 },
    { ncode: 'N0001A', pt: 1, rank: 2 ** 32 },
  ])('ranks %j skips that entry, and a ranking of only such entries', async (odd) => {
    const dir = upstream.folders.next();
    upstream.novels = fewNovels();
    const plain = { ncode: 'N0001A', pt: 5, rank: 3 };
    upstream.own.ranking = (type) => (type === 'monthly' ? [odd] : [odd, plain]);
    const { said, logger } = recorded();
    await upstream.followUntil(dir, THEN + HOUR, { logger });
    const rankings = openRankings(path.join(dir, 'rankings'), {
      now: () => upstream.clock.now(),
      logger,
      loadWorker: undefined,
    });
    expect(rankings.facts().rankings).toBeGreaterThan(40);
    expect(rankings.ranking('daily', '2013-06-01')?.value).toEqual([plain]);
    expect(rankings.ranking('monthly', '2013-05-01')).toBeUndefined();
    rankings.close();
    expect(said.some(({ msg }) => msg.startsWith('skipped unreadable entries of a ranking'))).toBe(true);
  });

  it('finishes its texts before the clock jumps ahead by 15 days keeps every novel and ranking', async () => {
    const dir = upstream.folders.next();
    await upstream.followUntil(dir, THEN + HOUR);
    const sizesNow = () => ({
      novels: harvestedIn(dir, 'novels').size,
      rankings: [...publishedRankings(path.join(dir, 'rankings'))].length,
    });
    const before = sizesNow();
    const sizes: ReturnType<typeof sizesNow>[] = [];
    let hasJumped = false;
    const onProgress = ({ step, done, total }: HarvestProgress) => {
      if (hasJumped && step !== 'build') sizes.push(sizesNow());
      if (hasJumped || step !== 'texts' || done !== total) return;
      hasJumped = true;
      upstream.clock.set(upstream.clock.now() + 15 * DAY);
    };
    await upstream.followUntil(dir, THEN + 16 * DAY, { onProgress, rounds: HOUR });
    expect(before.rankings).toBe(50);
    expect(Math.min(...sizes.map(({ novels }) => novels))).toBe(before.novels);
    expect(Math.min(...sizes.map(({ rankings }) => rankings))).toBeGreaterThanOrEqual(before.rankings);
  });
});
