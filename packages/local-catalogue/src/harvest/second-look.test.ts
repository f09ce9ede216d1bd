import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import { spoilRecords } from '../../test/damaged-files.ts';
import { DAY, HOUR, THEN, followedUpstream, novel, novels } from '../../test/followed-upstream.ts';
import { eventsIn, harvestedIn, leaveJournal, reportIn } from '../../test/harvest-under-test.ts';
import { silentLogger } from '@mokuroku/kit/process';
import { japanDateTime } from '@mokuroku/narou';
import type { CatalogueNovel } from '@mokuroku/narou/scan';
import { claimOf } from './doubts.ts';
import { harvest } from './harvest.ts';
import { HarvestMemory } from './harvest-memory.ts';

describe('a harvested folder', { timeout: 300_000 }, () => {
  const upstream = followedUpstream();
  const valuesIn = (dir: string, field: keyof CatalogueNovel) =>
    new Set([...harvestedIn(dir, 'novels').values()].map((each) => each[field]));

  it('keeps all figures that are zeroed for a night, and has the next ones', async () => {
    const points = { global_point: 500, fav_novel_cnt: 200, all_point: 100, weekly_point: 40 };
    const dir = await upstream.followedFolder(novels(60, points));
    const figures = () => [valuesIn(dir, 'global_point'), valuesIn(dir, 'weekly_point')];
    upstream.set({ zeroFigures: true });
    await upstream.followUntil(dir, THEN + DAY);
    expect(harvestedIn(dir, 'novels').get('N0001AA')).toMatchObject(points);
    expect(figures()).toEqual([new Set([500]), new Set([40])]);
    expect(reportIn(dir)?.pending).toMatchObject({ global_point: 60, weekly_point: 60 });
    upstream.set({ zeroFigures: false });
    upstream.novels = novels(60, { ...points, weekly_point: 41, global_point: 501 });
    await upstream.followUntil(dir, THEN + 2 * DAY);
    expect(figures()).toEqual([new Set([501]), new Set([41])]);
    expect(reportIn(dir)?.pending).toEqual({});
  });

  it('keeps codes and authors over a day in which each number has a fraction', async () => {
    const dir = await upstream.followedFolder(novels(60, { userid: 500, genre: 201 }));
    upstream.set({ record: 'floats' });
    await upstream.followUntil(dir, THEN + DAY);
    expect(valuesIn(dir, 'userid')).toEqual(new Set([500]));
    upstream.set({ record: 'normal' });
    await upstream.followUntil(dir, THEN + 2 * DAY);
    expect(eventsIn(dir).filter(({ kind }) => kind !== 'new')).toEqual([]);
  });

  it.each([
    ['the last one of each novel is before its first', '2001-01-01', ['general_lastup']],
    [
      'every time is 1970',
      '1970-01-01',
      ['general_firstup', 'general_lastup', 'novelupdated_at', 'updated_at'],
    ],
  ])('has the episode of a day on which %s', async (_what, day, names) => {
    const all = novels(60);
    const dir = await upstream.followedFolder(all);
    const now = japanDateTime(upstream.clock.now());
    upstream.novels = all.map((each, index) =>
      index === 7 ? { ...each, general_all_no: 11, general_lastup: now, novelupdated_at: now } : each,
    );
    upstream.searchBy((query, index) => {
      const found = index.search(query);
      const early = Object.fromEntries(names.map((name) => [name, `${day} 09:00:00`]));
      return { ...found, records: found.records.map((each) => ({ ...each, ...early })) };
    });
    await upstream.followUntil(dir, THEN + DAY);
    upstream.own = {};
    await upstream.followUntil(dir, THEN + 3 * DAY);
    const events = eventsIn(dir).filter(({ changed }) => changed.includes('general_all_no'));
    expect(events.map(({ kind, episode }) => [kind, episode])).toEqual([['episode', 11]]);
  });

  it('has the episodes of a page on which all novels changed, on a day on which each count is 1', async () => {
    const dir = temporaryFolder();
    // A page has 500 novels, the oldest first.
    upstream.novels = novels(520);
    await harvest(upstream.options(dir));
    upstream.clock.set(THEN + DAY);
    const now = japanDateTime(THEN + DAY);
    const later = { general_all_no: 11, general_lastup: now, novelupdated_at: now };
    upstream.novels = upstream.novels.map((each, index) => (index < 20 ? { ...each, ...later } : each));
    upstream.searchBy((query, index) => {
      const found = index.search(query);
      return { ...found, records: found.records.map((each) => ({ ...each, general_all_no: 1 })) };
    });
    await harvest(upstream.options(dir));
    upstream.own = {};
    upstream.clock.set(THEN + 2 * DAY);
    await harvest(upstream.options(dir));
    expect(eventsIn(dir).filter(({ kind }) => kind === 'episode')).toHaveLength(20);
  });

  it('has no new title of an hour in which each novel has that of another one', async () => {
    const titled = novels(60).map((each, index) => ({ ...each, title: `題 ${index}` }));
    const dir = await upstream.followedFolder(titled);
    const now = japanDateTime(upstream.clock.now());
    const later = { general_all_no: 11, general_lastup: now, novelupdated_at: now };
    upstream.novels = titled.map((each, index) => (index < 12 ? { ...each, ...later } : each));
    upstream.searchBy((query, index) => {
      const found = index.search(query);
      return { ...found, records: found.records.map((each) => ({ ...each, title: `${each.title} の隣` })) };
    });
    await upstream.followUntil(dir, upstream.clock.now() + HOUR);
    upstream.own = {};
    await upstream.followUntil(dir, THEN + 2 * DAY);
    const kinds = eventsIn(dir).map(({ kind }) => kind);
    expect(kinds).toEqual(Array.from({ length: 12 }, () => 'episode'));
  });

  it('of few novels has no end of a novel that the first response of a bad hour states', async () => {
    const dir = await upstream.followedFolder(novels(12, { end: 1 }));
    await upstream.followUntil(dir, THEN + DAY);
    const isBad = () => upstream.clock.now() >= THEN + DAY + 6 * HOUR;
    upstream.searchBy((query) => {
      const hour = Math.floor(upstream.clock.now() / HOUR) * HOUR;
      const [first, ...others] = novels(12, { end: isBad() ? 0 : 1 });
      return upstream
        .scan([{ ...(first as CatalogueNovel), novelupdated_at: japanDateTime(hour) }, ...others])
        .search(query);
    });
    await upstream.followUntil(dir, THEN + DAY + 6.5 * HOUR, { rounds: 0 });
    expect(eventsIn(dir).filter(({ changed }) => changed.includes('end'))).toEqual([]);
  });

  it('has a new pen name after its second look, though the novel is a witness all the time', async () => {
    const dir = await upstream.followedFolder(novels(12));
    const penName = () => (upstream.clock.now() < THEN + DAY ? '白瀬しおり' : '黒瀬しおり');
    upstream.searchBy((query) => {
      const novelupdated_at = japanDateTime(Math.floor(upstream.clock.now() / HOUR) * HOUR);
      const [first, ...others] = novels(12, { writer: penName() });
      return upstream.scan([{ ...(first as CatalogueNovel), novelupdated_at }, ...others]).search(query);
    });
    await upstream.followUntil(dir, THEN + 2.5 * DAY, { rounds: 2 * HOUR });
    const changed = eventsIn(dir).filter((event) => event.changed.includes('writer'));
    expect(new Set(changed.map(({ ncode }) => ncode)).size).toBe(12);
  });

  it('has the mark of a novel the day after it was new, though others changed that mark meanwhile', async () => {
    const dir = temporaryFolder();
    const harvestOn = async (day: number, all: CatalogueNovel[]) => {
      upstream.clock.set(THEN + day * DAY);
      upstream.novels = all;
      await harvest(upstream.options(dir));
    };
    const times = () => ({ novelupdated_at: japanDateTime(upstream.clock.now()) });
    await harvestOn(0, novels(60, { isgl: 0 }));
    const all = [...novels(2, { isgl: 1 }), ...novels(60, { isgl: 0 }).slice(2)];
    const added = novel(700, { isgl: 0, ...times() });
    await harvestOn(1, [...all, added]);
    await harvestOn(2, [...all, { ...added, isgl: 1, ...times() }]);
    const marks = eventsIn(dir).filter(({ changed }) => changed.includes('isgl'));
    expect(marks.map(({ ncode, before }) => [ncode, before.isgl])).toContainEqual(['N0700AA', 0]);
  });

  it('has a novel whole the day after, of which a mark was missing when it was new', async () => {
    const dir = await upstream.followedFolder(60);
    await upstream.followUntil(dir, THEN + DAY);
    const before = upstream.novels ?? [];
    upstream.addNovel(800);
    const marked = (isr15: 0 | 1) =>
      before.concat(upstream.novels?.slice(-1).map((each) => ({ ...each, isr15 })) ?? []);
    upstream.novels = marked(0);
    await upstream.followUntil(dir, THEN + 1.2 * DAY);
    expect(harvestedIn(dir, 'novels').get('N0800AA')?.isr15).toBe(0);
    upstream.novels = marked(1);
    await upstream.followUntil(dir, THEN + 3 * DAY);
    expect(harvestedIn(dir, 'novels').get('N0800AA')?.isr15).toBe(1);
  });

  it.each<[string, (dir: string) => void]>([
    ['is outdated', () => upstream.clock.set(THEN + 15 * DAY)],
    ['is damaged', (dir) => void spoilRecords(dir)],
  ])('that %s is no proof against titles that are lost: as in a first harvest', async (_, spoil) => {
    const dir = temporaryFolder();
    const options = upstream.options(dir, { keptGenerations: 1 });
    upstream.novels = novels(60);
    await harvest(options);
    upstream.clock.set(THEN + DAY);
    upstream.set({ missingField: 'title' });
    await harvest(options);
    expect(valuesIn(dir, 'title').has(undefined)).toBe(false);
    spoil(dir);
    await expect(harvest(options)).rejects.toThrow('title was missing from 60 records');
  });

  it('has the next day what a bad hour of a first harvest garbled, and all else of its pages', async () => {
    const own = (index: number) => ({ title: `題 ${index}`, userid: 500 + index, keyword: '旅' });
    const all = novels(60).map((each, index) => ({ ...each, ...own(index) }));
    const garbled = (text: string) => Buffer.from(text).toString('latin1');
    upstream.novels = all.map((each, index) => {
      if (index % 3 > 0) return { ...each, keyword: '化け' };
      return index % 2 ? { ...each, userid: 0 } : { ...each, title: garbled(each.title) };
    });
    const dir = temporaryFolder();
    await upstream.followUntil(dir, THEN + HOUR);
    expect([...valuesIn(dir, 'title')].join()).not.toContain('é');
    upstream.novels = all;
    await upstream.followUntil(dir, THEN + 1.5 * DAY);
    const stored = harvestedIn(dir, 'novels');
    expect(all.map(({ ncode }) => stored.get(ncode))).toMatchObject(
      all.map(({ title, userid, keyword }) => ({ title, userid, keyword })),
    );
    expect(eventsIn(dir).filter(({ kind }) => kind === 'renamed' || kind === 'author_changed')).toEqual([]);
  });

  it.each<[string, () => void]>([
    ['a record that nobody can read', () => upstream.set({ failingStory: true })],
    [
      'a page that lacks a row',
      () =>
        upstream.searchBy((query, index) => {
          const { total, records } = index.search(query);
          return { total, records: query.lim > 1 ? records.slice(1) : records };
        }),
    ],
  ])('has the next day what all other records lacked beside %s in a first harvest', async (_, spoil) => {
    const dir = temporaryFolder();
    upstream.novels = novels(120, { isr15: 0 });
    spoil();
    await upstream.followUntil(dir, THEN + HOUR);
    expect(valuesIn(dir, 'isr15')).toEqual(new Set([0]));
    upstream.novels = novels(120, { isr15: 1 });
    upstream.set({ failingStory: false });
    upstream.own = {};
    await upstream.followUntil(dir, THEN + 3 * DAY);
    expect(valuesIn(dir, 'isr15')).toEqual(new Set([1]));
  });

  it('has each episode at once, and thirty works without their mark after the second look', async () => {
    const dir = await upstream.followedFolder(novels(60, { isr15: 1 }));
    const now = japanDateTime(upstream.clock.now());
    upstream.novels = novels(60, { isr15: 1 }).map((each, index) => {
      if (index < 30) return { ...each, isr15: 0, novelupdated_at: now };
      const general_all_no = (each.general_all_no ?? 0) + 1;
      return index < 42 ? { ...each, general_all_no, general_lastup: now, novelupdated_at: now } : each;
    });
    await upstream.followUntil(dir, upstream.clock.now() + HOUR / 5);
    const episodes = eventsIn(dir).filter(({ kind }) => kind === 'episode');
    expect(new Set(episodes.map(({ ncode }) => ncode)).size).toBe(12);
    await upstream.followUntil(dir, THEN + 29 * HOUR);
    const marks = eventsIn(dir).filter(({ changed }) => changed.includes('isr15'));
    expect(marks.map(({ kind, before }) => [kind, before.isr15])).toEqual(
      Array.from({ length: 30 }, () => ['rewritten', 1]),
    );
    expect([...harvestedIn(dir, 'novels').values()].filter(({ isr15 }) => isr15 === 0)).toHaveLength(30);
  });

  it('lacks a field that the upstream has given up: that ends one first harvest, and not the next', async () => {
    const dir = temporaryFolder();
    upstream.novels = novels(200);
    upstream.set({ missingField: 'isr15' });
    await expect(harvest(upstream.options(dir))).rejects.toThrow('isr15 was missing from 200 records.');
    expect(reportIn(dir)?.refusedBecause).toContain('isr15');
    expect(fs.existsSync(`${dir}/novels`)).toBe(false);
    upstream.clock.set(THEN + DAY);
    await harvest(upstream.options(dir));
    expect(reportIn(dir)).toMatchObject({ had: 200, refusedBecause: null });
    // No novel is requested for a doubt about all.
    const requested = new Set<string>();
    upstream.searchBy((query, index) => {
      for (const ncode of query.ncode ?? []) requested.add(ncode);
      return index.search(query);
    });
    await upstream.followUntil(dir, THEN + 27 * HOUR);
    expect([...requested].filter((ncode) => !harvestedIn(dir, 'novels').has(ncode))).toEqual([]);
    expect(reportIn(dir)?.pending).toEqual({});
    const titles = valuesIn(dir, 'title');
    upstream.set({ missingField: 'title' });
    await harvest(upstream.options(dir));
    expect(valuesIn(dir, 'title')).toEqual(titles);
  });

  it.each([
    ['title', true],
    ['fav_novel_cnt', false],
  ])('is requested again a day after a doubtful %s: %s', async (field, isRequested) => {
    const dir = await upstream.followedFolder();
    const memory = new HarvestMemory(dir, silentLogger(), () => ({}));
    const { state } = memory;
    memory.close();
    const doubt = { [claimOf(field, 0)]: THEN / 1_000 - 27 * 3_600 };
    leaveJournal(dir, { doubts: { novels: [['N0007AA', doubt]] } }, state);
    let requests = 0;
    upstream.searchBy((query, index) => {
      if (query.ncode) requests += 1;
      return index.search(query);
    });
    await upstream.followUntil(dir, THEN + 2 * HOUR, { rounds: 0 });
    expect(requests > 0).toBe(isRequested);
  });

  it('requests a new novel that nobody can read since then once a day, not every ten minutes', async () => {
    const dir = await upstream.followedFolder();
    upstream.addNovel(1_007);
    upstream.addNovel(50, THEN + 2 * HOUR);
    await upstream.followUntil(dir, THEN + 26 * HOUR);
    upstream.set({ failingStory: true });
    const before = upstream.requestCount();
    await upstream.followUntil(dir, THEN + 30 * HOUR, { rounds: 0 });
    // Two every ten minutes, and those that find the record.
    expect(upstream.requestCount() - before).toBeLessThan(100);
  });
});
