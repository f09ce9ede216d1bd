import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import { DAY, HOUR, MINUTE, THEN, followedUpstream, novel, novels } from '../../test/followed-upstream.ts';
import { eventsIn, expectNovels, harvestedIn, leaveJournal } from '../../test/harvest-under-test.ts';
import { recordedLog } from '../../test/recorded-log.ts';
import { newestGeneration } from '../engine/index-generations.ts';
import { publishedRankings } from '../local/ranking-files.ts';
import { dateOfDay, dayOfDate, japanDateTime, japanInstant } from '@mokuroku/narou';
import type { NovelQuery } from '@mokuroku/narou/queries';
import type { HarvestProgress } from './harvest-run.ts';

const upstream = followedUpstream();
const seconds = (milliseconds: number) => milliseconds / 1_000;
const harvestedNovels = (dir: string) => [...harvestedIn(dir, 'novels').values()];
const fetchTimes = (dir: string) => harvestedNovels(dir).map(({ fetched_at }) => fetched_at);
const fails = () => {
  throw new Error('the upstream fails');
};
const rankingsIn = (dir: string) => publishedRankings(path.join(dir, 'rankings'));
const datesOf = (dir: string, wanted: string) =>
  rankingsIn(dir).flatMap(({ type, date }) => (type === wanted ? [date] : []));

// Follows for days of the test's clock, beside other work of the machine.
describe('a followed catalogue', { timeout: 300_000 }, () => {
  it('equals that of the upstream after a day, with every ranking and adult novels', async () => {
    const dir = temporaryFolder();
    await upstream.followUntil(dir, THEN + DAY, { adult: true, rounds: 4 * HOUR });
    for (const [site, all] of [
      ['novels', upstream.sample().novels()],
      ['adult', upstream.sample().adultNovels()],
    ] as const) {
      const harvested = harvestedIn(dir, site);
      // What was published after the last round is not there yet.
      const settled = all.filter(
        ({ novelupdated_at }) => japanInstant(novelupdated_at) < THEN + DAY - 6 * HOUR,
      );
      expect(settled.length).toBeGreaterThan(all.length * 0.5);
      expect(harvested.size).toBeGreaterThanOrEqual(settled.length);
      for (const each of settled) {
        const of = { updated_at: '', fetched_at: 0, xid: '', buntai: undefined };
        expect({ ...harvested.get(each.ncode), ...of }).toEqual({ ...each, ...of });
      }
    }
    expect(datesOf(dir, 'daily')).toHaveLength(42);
    expect(datesOf(dir, 'daily').at(-1)).toBe('2013-06-11');
    // The ranking of Tuesday the 11th is that of the week of Monday the 10th.
    expect(datesOf(dir, 'weekly').join()).toBe(
      '2013-05-06,2013-05-13,2013-05-20,2013-05-27,2013-06-03,2013-06-10',
    );
    expect(datesOf(dir, 'monthly')).toEqual(['2013-05-01', '2013-06-01']);
    expect(datesOf(dir, 'quarterly')).toEqual(['2013-05-01', '2013-06-01']);
  });

  it('has new and changed novels within ten minutes, and drops withdrawn ones after two days', async () => {
    const dir = await upstream.followedFolder(60);
    const now = japanDateTime(upstream.clock.now());
    // Other novels have a new chapter text only: that is no fault of the times.
    upstream.novels = [
      ...novels(60)
        .map((each, index) => (index < 32 ? { ...each, novelupdated_at: now } : each))
        .slice(2),
      novel(100, { title: '新しい物語', general_lastup: now, novelupdated_at: now }),
      novel(0, { title: '改題された物語', novelupdated_at: now }),
    ];
    // A change may appear two hours late.
    upstream.addNovel(101, upstream.clock.now() - 115 * MINUTE);
    await upstream.followUntil(dir, upstream.clock.now() + 10 * MINUTE);
    let harvested = harvestedIn(dir, 'novels');
    expect(harvested.get('N0100AA')?.title).toBe('新しい物語');
    expect(harvested.get('N0000AA')?.title).toBe('改題された物語');
    expect([harvested.has('N0101AA'), harvested.has('N0001AA')]).toEqual([true, true]);
    await upstream.followUntil(dir, upstream.clock.now() + 2 * DAY);
    harvested = harvestedIn(dir, 'novels');
    expect([...harvested.keys()].sort()).toEqual(upstream.novels.map(({ ncode }) => ncode).sort());
  });

  it('is written anew for a change once, and not while nothing changes', async () => {
    const dir = await upstream.followedFolder();
    const number = () => newestGeneration(path.join(dir, 'novels'))?.number ?? 0;
    const before = number();
    const rankings = () => fs.readdirSync(path.join(dir, 'rankings'));
    const rankingsBefore = rankings();
    upstream.addNovel(50);
    await upstream.followUntil(dir, THEN + 4 * HOUR);
    expect([harvestedIn(dir, 'novels').size, number()]).toEqual([41, before + 1]);
    expect(rankings()).toEqual(rankingsBefore);
    // Nor for a doubt about a novel that expired.
    leaveJournal(dir, { doubts: { novels: [['N0999AA', { page: 1 }]] } });
    const requests = upstream.requestCount();
    await upstream.followUntil(dir, THEN + 4 * HOUR + 5 * MINUTE);
    expect(upstream.requestCount() - requests).toBe(2);
  });

  it('has at most 500 second looks at once, so that changes do not wait for them', async () => {
    const dir = await upstream.followedFolder();
    const now = japanDateTime(upstream.clock.now());
    const added = novels(1_030, { general_firstup: now, general_lastup: now }).slice(40);
    upstream.novels = [...novels(40), ...added];
    await upstream.followUntil(dir, THEN + 26 * HOUR);
    const looks = new Map<number, number>();
    upstream.searchBy((query, index) => {
      if (query.ncode) looks.set(upstream.clock.now(), (looks.get(upstream.clock.now()) ?? 0) + 1);
      return index.search(query);
    });
    await upstream.followUntil(dir, THEN + 30 * HOUR);
    // A list has 500 Ncodes, of which 15 are witnesses.
    expect([...looks.values()]).toEqual([2, 1]);
  });

  it('has a new ranking published before it waits', async () => {
    const dir = await upstream.followedFolder(40, { rankings: true });
    const requested: string[] = [];
    const published: string[] = [];
    upstream.own.ranking = (type, day) => {
      if (type === 'daily') requested.push(dateOfDay(day));
      return upstream.ranking(type, day);
    };
    await upstream.followUntil(dir, THEN + DAY, {
      rankings: true,
      onProgress: ({ step }) => {
        if (step === 'idle' && requested.length > published.length)
          published.push(...datesOf(dir, 'daily').slice(-1));
      },
    });
    expect(published.length).toBeGreaterThan(0);
    expect(published).toEqual(requested);
  });

  it('has new novels also during tasks of hours, which then continue', async () => {
    const dir = temporaryFolder();
    upstream.novels = novels(40);
    const requested: string[] = [];
    upstream.own.ranking = (type, day) => {
      if (requested.push(`${type} ${day}`) === 10) upstream.addNovel(50);
      return upstream.ranking(type, day);
    };
    const steps: string[] = [];
    let hasNovel = false;
    const onProgress = ({ step, done }: HarvestProgress) => {
      if (steps.at(-1) !== step) steps.push(step);
      if (step === 'rankings' && done === 20) hasNovel = harvestedIn(dir, 'novels').has('N0050AA');
    };
    const config = { HARVEST_PAUSE_MS: 4 * MINUTE };
    await upstream.followUntil(dir, THEN + 22 * HOUR, { adult: true, rounds: 0, config, onProgress });
    expect(hasNovel).toBe(true);
    expect(steps.join(' ')).toMatch(
      /walk changes walk .*recount changes recount .*rankings changes rankings .*figures changes figures/,
    );
    expect(requested).toHaveLength(new Set(requested).size);
    expect([harvestedIn(dir, 'novels').size, harvestedIn(dir, 'adult').size]).toEqual([41, 41]);
  });

  it('has the figures of the day, also of unchanged novels', async () => {
    const dir = await upstream.followedFolder(30);
    upstream.novels = novels(30).map((each, index) => ({
      ...each,
      weekly_point: 7 * index,
      weekly_unique: index,
      isstop: index === 7 ? 1 : 0,
    }));
    await upstream.followUntil(dir, THEN + DAY);
    expectNovels(
      dir,
      upstream.novels.map((each) => ({ ...each, isstop: 0 })),
    );
    // A long stop is a figure that is an event, and changes no time of its record.
    await upstream.followUntil(dir, THEN + 2 * DAY + HOUR);
    expectNovels(dir, upstream.novels);
    const events = eventsIn(dir).map(({ kind, ncode, before }) => [kind, ncode, before]);
    expect(events).toEqual([['rewritten', novel(7).ncode, { isstop: 0 }]]);
  });

  it('has the genre of novels that were moved without a time of change, and fetches none that lost its genre', async () => {
    const dir = await upstream.followedFolder(30);
    upstream.novels = novels(30).map((each, index) => ({ ...each, genre: index < 10 ? 9801 : 0 }));
    const requested: string[] = [];
    upstream.searchBy((query, index) => {
      requested.push(...(query.ncode ?? []));
      return index.search(query);
    });
    await upstream.followUntil(dir, THEN + DAY);
    expect(requested.sort()).toEqual(upstream.novels.slice(0, 10).map(({ ncode }) => ncode));
    await upstream.followUntil(dir, THEN + 3 * DAY);
    const moved = harvestedNovels(dir).filter(({ genre }) => genre === 9801);
    expect(moved.map(({ ncode }) => ncode)).toEqual(upstream.novels.slice(0, 10).map(({ ncode }) => ncode));
  });

  it('waits while the disk is full, and is built once it has space', async () => {
    const freeBytes = () => (upstream.clock.now() < THEN + HOUR ? 0 : Infinity);
    const dir = await upstream.followedFolder(40, { freeBytes });
    await upstream.followUntil(dir, THEN + 2 * HOUR, { freeBytes });
    expect(harvestedIn(dir, 'novels').size).toBe(40);
  });

  it('is not fetched again for a full disk, although the other site is followed meanwhile', async () => {
    const dir = await upstream.followedFolder(40, { adult: true });
    fs.rmSync(path.join(dir, 'novels'), { recursive: true });
    const freeBytes = () => (upstream.clock.now() < THEN + 3 * HOUR ? 0 : Infinity);
    const { lines, logger } = recordedLog();
    await upstream.followUntil(dir, THEN + 4 * HOUR, { adult: true, freeBytes, logger });
    expect(harvestedIn(dir, 'novels').size).toBe(40);
    // Never that it is restarted.
    expect(new Set(lines.map(({ msg }) => msg))).toEqual(
      new Set(['following failed; it is retried after a pause']),
    );
  });

  it('has the novels of both sites from hours in which only the requests for changes were refused', async () => {
    const dir = await upstream.followedFolder(40, { adult: true });
    upstream.addNovel(50);
    const isRefused = ({ lim }: NovelQuery) => lim > 1 && upstream.clock.now() < THEN + 5 * HOUR;
    upstream.searchBy((query, index) => (isRefused(query) ? fails() : index.search(query)));
    await upstream.followUntil(dir, THEN + 6 * HOUR, { adult: true });
    expect([harvestedIn(dir, 'novels').size, harvestedIn(dir, 'adult').size]).toEqual([41, 41]);
  });

  it('fetches no record of a day twice if it is interrupted after a page of them', async () => {
    const dir = await upstream.followedFolder();
    // The round finds a change.
    const novelupdated_at = japanDateTime(upstream.clock.now());
    upstream.novels = novels(40).with(7, novel(7, { novelupdated_at }));
    upstream.searchBy((query, index) => (query.lastupdate ? fails() : index.search(query)));
    let killedAt = 0;
    const onProgress = ({ step }: HarvestProgress) => {
      if (step !== 'texts') return;
      killedAt = upstream.clock.now();
      throw new Error('killed');
    };
    await expect(upstream.followUntil(dir, THEN + DAY, { onProgress })).rejects.toThrow('killed');
    upstream.clock.set(killedAt + 5 * MINUTE);
    await upstream.followUntil(dir, THEN + DAY);
    // A fourteenth of forty is three.
    const later = fetchTimes(dir).filter((time) => time > seconds(THEN + HOUR));
    expect(later).toEqual(Array.from({ length: 3 }, () => seconds(killedAt)));
    // No request said again that the novels are invented.
    expect(newestGeneration(path.join(dir, 'novels'))?.isSample).toBe(true);
  });

  it('drops after fourteen days what the upstream cannot return any more since a change', async () => {
    const dir = await upstream.followedFolder();
    upstream.novels = novels(40).with(7, novel(7, { novelupdated_at: japanDateTime(THEN + HOUR) }));
    await upstream.followUntil(dir, THEN + 2 * HOUR);
    upstream.set({ maintenance: 'html503' });
    await upstream.followUntil(dir, THEN + 15 * DAY);
    upstream.set({ maintenance: 'off', failingStory: true });
    upstream.own.ranking = (type, day) =>
      type === 'daily' && day === dayOfDate('2013-05-20') ? fails() : upstream.ranking(type, day);
    // One round: the next one would drop records that this one stored in error.
    await upstream.followUntil(dir, THEN + 15.5 * DAY);
    const harvested = harvestedIn(dir, 'novels');
    expect([harvested.size, harvested.has('N0007AA')]).toEqual([39, false]);
    const dates = datesOf(dir, 'daily');
    expect([dates.includes('2013-05-19'), dates.includes('2013-05-20')]).toEqual([true, false]);
  });
});

describe('following an upstream of which an interface fails', { timeout: 300_000 }, () => {
  const options = { adult: true, rankings: true };

  it('continues with the others, and skips that interface in the daily round', async () => {
    const dir = await upstream.followedFolder(40, options);
    upstream.own = { adultNovelIndex: fails, ranking: fails };
    upstream.addNovel(50);
    await upstream.followUntil(dir, THEN + 6 * HOUR, options);
    expect(harvestedIn(dir, 'novels').has('N0050AA')).toBe(true);
    const { lines, logger } = recordedLog();
    await upstream.followUntil(dir, THEN + 2 * DAY, { ...options, logger });
    const skipped = lines.filter(({ msg }) => msg.includes('skipped today')).map(({ task }) => task);
    expect(skipped).toEqual(expect.arrayContaining([{ kind: 'round', site: 'adult' }, { kind: 'rankings' }]));
    expect(fetchTimes(dir).filter((time) => time > seconds(THEN + 7 * HOUR))).not.toEqual([]);
  });

  it('has the figures of a round whose records do not come', async () => {
    const dir = await upstream.followedFolder(40);
    upstream.novels = novels(40, { weekly_point: 7 });
    // Neither the records, nor the row that shows whether the upstream fails as a whole.
    const isRefused = ({ ncode, lim, of = [] }: NovelQuery) =>
      ncode !== undefined || (lim === 1 && of.length !== 1);
    upstream.searchBy((query, index) => (isRefused(query) ? fails() : index.search(query)));
    const { lines, logger } = recordedLog();
    await upstream.followUntil(dir, THEN + 2 * DAY, { logger });
    const skipped = lines.filter(({ msg }) => msg.includes('skipped today')).map(({ task }) => task);
    expect(skipped).toContainEqual({ kind: 'round', site: 'novels' });
    expect(harvestedIn(dir, 'novels').get('N0001AA')).toMatchObject({ weekly_point: 7 });
  });

  it('skips nothing if all interfaces fail', async () => {
    const dir = await upstream.followedFolder();
    await upstream.followUntil(dir, THEN + 18 * HOUR);
    const { lines, logger } = recordedLog();
    upstream.set({ maintenance: 'html503' });
    await upstream.followUntil(dir, THEN + 22 * HOUR, { logger });
    expect(lines.filter(({ msg }) => msg.includes('retried after a pause')).length).toBeGreaterThan(1);
    expect(lines.filter(({ msg }) => msg.includes('skipped today'))).toEqual([]);
  });

  it('finds new and changed novels in the daily round if only the requests for changes fail', async () => {
    const dir = await upstream.followedFolder();
    const now = japanDateTime(upstream.clock.now());
    upstream.novels = novels(40).map((each, at) => (at < 20 ? { ...each, novelupdated_at: now } : each));
    upstream.novels[30] = novel(30, { novelupdated_at: now, title: '改題' });
    upstream.addNovel(50);
    upstream.addNovel(51);
    let lacking = 0;
    upstream.searchBy((query, index) => {
      if (query.lastupdate) return fails();
      const { total, records } = index.search(query);
      const others = records.filter(({ ncode }) => ncode !== 'N0050AA');
      const { min = Infinity } = typeof query.lastup === 'object' ? query.lastup : {};
      const isOfRound = min < seconds(THEN - DAY) && query.lim > 1 && others.length < records.length;
      // A page that lacks a row is requested four times, and then its range again.
      return { total, records: isOfRound && lacking++ < 4 ? others : records };
    });
    await upstream.followUntil(dir, THEN + DAY);
    const harvested = harvestedIn(dir, 'novels');
    expect([harvested.size, lacking, harvested.get('N0030AA')?.title]).toEqual([42, 5, '改題']);
  });
});
