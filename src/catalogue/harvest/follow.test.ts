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
import { publishedRankings } from '../local/publish-rankings.ts';
import { japanDateTime } from '../novels/japan-date.ts';
import { MAX_AGE_SECONDS } from '../novels/max-age.ts';

const upstream = followedUpstream();
const secondsNow = () => Math.floor(upstream.clock.now() / 1_000);

// Follows for days of the test's clock, beside other work of the machine.
describe('a followed catalogue', { timeout: 300_000 }, () => {
  it('equals that of the upstream after a day, with every ranking and adult novels', async () => {
    const dir = upstream.folders.next();
    await upstream.followUntil(dir, THEN + DAY, { adult: true });
    for (const [site, all] of [
      ['novels', upstream.sample.novels()],
      ['adult', upstream.sample.adultNovels()],
    ] as const) {
      const harvested = harvestedIn(dir, site);
      expect(harvested.size).toBe(all.length);
      for (const each of all) {
        const of = { updated_at: '', fetched_at: 0, xid: '', buntai: undefined };
        expect({ ...harvested.get(each.ncode), ...of }).toEqual({ ...each, ...of });
      }
    }
    const rankings = [...publishedRankings(path.join(dir, 'rankings'))];
    const ofType = (type: string) => rankings.filter((each) => each.type === type).map(({ date }) => date);
    expect(ofType('daily')).toHaveLength(42);
    expect(ofType('daily').at(-1)).toBe('2013-06-11');
    // The ranking of Tuesday the 11th is that of the week of Monday the 10th.
    expect(ofType('weekly')).toEqual([
      '2013-05-06',
      '2013-05-13',
      '2013-05-20',
      '2013-05-27',
      '2013-06-03',
      '2013-06-10',
    ]);
    expect(ofType('monthly')).toEqual(['2013-05-01', '2013-06-01']);
    expect(ofType('quarterly')).toEqual(['2013-05-01', '2013-06-01']);
  });

  it('has new and changed novels within ten minutes, and drops withdrawn ones after two days', async () => {
    const dir = upstream.folders.next();
    upstream.novels = Array.from({ length: 60 }, (_, index) => novel(index));
    await upstream.followUntil(dir, THEN + 15 * MINUTE);
    expect(harvestedIn(dir, 'novels').size).toBe(60);
    const now = japanDateTime(upstream.clock.now());
    upstream.novels = [
      ...upstream.novels.slice(2),
      novel(100, { title: '新しい物語', general_lastup: now, novelupdated_at: now }),
      novel(0, { title: '改題された物語', novelupdated_at: now }),
      // A change may appear two hours late.
      novel(101, { general_lastup: japanDateTime(upstream.clock.now() - 115 * MINUTE) }),
    ];
    await upstream.followUntil(dir, upstream.clock.now() + 10 * MINUTE);
    let harvested = harvestedIn(dir, 'novels');
    expect(harvested.get('N0100AA')?.title).toBe('新しい物語');
    expect(harvested.get('N0000AA')?.title).toBe('改題された物語');
    expect(harvested.has('N0101AA')).toBe(true);
    expect(harvested.has('N0001AA')).toBe(true);
    await upstream.followUntil(dir, upstream.clock.now() + 2 * DAY);
    harvested = harvestedIn(dir, 'novels');
    expect(harvested.has('N0001AA')).toBe(false);
    expect([...harvested.keys()].sort()).toEqual(upstream.novels.map(({ ncode }) => ncode).sort());
  });

  it('has the figures of the day, also of unchanged novels', async () => {
    const dir = upstream.folders.next();
    upstream.novels = Array.from({ length: 30 }, (_, index) => novel(index));
    await upstream.followUntil(dir, THEN + 15 * MINUTE);
    upstream.novels = upstream.novels.map((each, index) => ({
      ...each,
      weekly_point: 7 * index,
      weekly_unique: index,
      isstop: 1,
    }));
    await upstream.followUntil(dir, THEN + DAY);
    const harvested = harvestedIn(dir, 'novels');
    for (const each of upstream.novels)
      expect({ ...harvested.get(each.ncode), fetched_at: 0 }).toEqual({ ...each, buntai: undefined });
  });

  it('has no record older than fourteen days, and fetches a fourteenth again each day', async () => {
    const dir = upstream.folders.next();
    upstream.novels = Array.from({ length: 280 }, (_, index) => novel(index));
    const ages: number[] = [];
    const perDay: number[] = [];
    await upstream.followUntil(dir, THEN + HOUR);
    for (let day = 1; day <= 16; day++) {
      const before = secondsNow();
      await upstream.followUntil(dir, THEN + HOUR + day * DAY, { rounds: HOUR });
      const times = [...harvestedIn(dir, 'novels').values()].map(({ fetched_at }) => fetched_at);
      expect(times).toHaveLength(280);
      ages.push(secondsNow() - Math.min(...times));
      perDay.push(times.filter((time) => time >= before).length);
      const ofRankings = [...publishedRankings(path.join(dir, 'rankings'))].map(({ fetchedAt }) => fetchedAt);
      ages.push(secondsNow() - Math.min(...ofRankings));
    }
    expect(Math.max(...ages)).toBeLessThan(MAX_AGE_SECONDS);
    expect(perDay.slice(0, 11)).toEqual(Array.from({ length: 11 }, () => 20));
  });
});
