import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import { spoilRecords } from '../../test/damaged-files.ts';
import { DAY, HOUR, THEN, followedUpstream, novels } from '../../test/followed-upstream.ts';
import { eventsIn, harvestedIn, reportIn } from '../../test/harvest-under-test.ts';
import { japanDateTime } from '@mokuroku/narou';
import { plainNovel } from '../../../narou/test/plain-novel.ts';
import type { CatalogueNovel } from '@mokuroku/narou/scan';
import { SECOND_LOOK_SECONDS, settle } from './doubts.ts';
import type { Doubt } from './doubts.ts';
import { harvest } from './harvest.ts';
import { FIGURE_NAMES, RECORD_NAMES } from './harvested-novel.ts';

const DAY_SECONDS = 86_400;
const NOW = 1_900_000_000;
const STORED = plainNovel({
  fetched_at: NOW - 3 * DAY_SECONDS,
  general_all_no: 63,
  isr15: 1,
  genre: 201,
  end: 1,
  global_point: 500,
  weekly_point: 40,
});

/** What is stored of a record that came with these changes, and the doubt that remains. */
function look(
  of: Partial<CatalogueNovel>,
  options: { at?: number; doubt?: Doubt; stored?: CatalogueNovel } = {},
) {
  const { at = NOW, doubt, stored = STORED } = options;
  const received = { ...stored, fetched_at: at, ...of };
  return settle({ received, stored, doubt, fields: RECORD_NAMES, now: at });
}

describe('a record', () => {
  it.each<Partial<CatalogueNovel>>([
    { title: '改題' },
    { genre: 9801 },
    { global_point: 1 },
    { general_all_no: 2 },
    { end: 0, novelupdated_at: '2026-11-02 18:00:00' },
    { daily_point: 0, weekly_point: 0, weekly_unique: 0, isstop: 0 },
    { isbl: 1 },
  ])('is stored as it comes if no value is lost: %j', (of) => {
    expect(look(of)).toEqual({ novel: { ...STORED, fetched_at: NOW, ...of }, doubt: {} });
  });

  it.each([
    ['title', ''],
    ['isr15', 0],
    ['global_point', 0],
    ['genre', 0],
    ['general_all_no', 0],
    ['general_all_no', 1],
    ['general_lastup', ''],
    ['isr15', undefined],
    ['end', undefined],
    ['weekly_point', undefined],
    ['keyword', 'ç\u008c«'],
    ['end', 0],
  ] as const)(
    'keeps a value that came back empty, until a second look says the same: %s %j',
    (field, value) => {
      const lost = { [field]: value, story: '新しい筋' };
      const first = look(lost);
      const kept = { ...STORED, story: '新しい筋', fetched_at: STORED.fetched_at + 1 };
      expect(first).toEqual({ novel: kept, doubt: { [field]: NOW } });
      const early = NOW + SECOND_LOOK_SECONDS - 1;
      expect(look(lost, { at: early, doubt: first.doubt })).toEqual(first);
      const at = NOW + SECOND_LOOK_SECONDS;
      const second = look(lost, { at, doubt: first.doubt });
      expect(second).toEqual({ novel: { ...STORED, ...lost, fetched_at: at }, doubt: {} });
      // The value that returns is taken at once.
      expect(look({ [field]: STORED[field] }, { at, stored: second.novel }).doubt).toEqual({});
    },
  );

  it('that is an earlier one than the stored changes nothing, until a second look says the same', () => {
    const earlier = {
      novelupdated_at: '2026-10-31 18:00:00',
      general_all_no: 62,
      title: '旧題',
      end: 0 as const,
    };
    const first = look({ ...earlier, general_lastup: '2026-10-31 18:00:00' });
    expect(first).toEqual({
      novel: { ...STORED, fetched_at: STORED.fetched_at + 1 },
      doubt: { novelupdated_at: NOW },
    });
    expect(look(earlier, { at: NOW + DAY_SECONDS, doubt: first.doubt })).toEqual({
      novel: { ...STORED, ...earlier, fetched_at: NOW + DAY_SECONDS },
      doubt: {},
    });
  });

  it('of another novel is not compared with the stored one', () => {
    const { novel, doubt } = look({ general_firstup: '2015-05-05 18:00:00', isr15: 0, global_point: 0 });
    expect(novel).toMatchObject({ isr15: 0, global_point: 0, fetched_at: NOW });
    expect(doubt).toEqual({});
  });

  it('restarts if the value was there in between', () => {
    const { doubt } = look({ title: '' });
    const between = look({}, { at: NOW + DAY_SECONDS, doubt });
    expect(between.doubt).toEqual({});
    expect(look({ title: '' }, { at: NOW + 2 * DAY_SECONDS, doubt: between.doubt }).doubt).toEqual({
      title: NOW + 2 * DAY_SECONDS,
    });
  });

  it('keeps also the values that fall by themselves, if another is lost', () => {
    expect(look({ global_point: 0, weekly_point: 0, end: 0 }).novel).toMatchObject({
      global_point: 500,
      weekly_point: 40,
      end: 1,
    });
  });

  it('that returns is not missing any more', () => {
    expect(look({}, { doubt: { ncode: NOW - DAY_SECONDS } }).doubt).toEqual({});
  });

  it('keeps no value that is older than fourteen days', () => {
    const stored = { ...STORED, fetched_at: NOW - 14 * DAY_SECONDS };
    expect(look({ title: '' }, { stored }).novel.title).toBe(STORED.title);
    expect(
      look({ title: '' }, { stored: { ...stored, fetched_at: stored.fetched_at - 1 } }).novel.title,
    ).toBe('');
  });

  it('counts the hours anew if the clock of the first look was ahead', () => {
    expect(look({ title: '' }, { doubt: { title: NOW + 100 * DAY_SECONDS } }).doubt).toEqual({ title: NOW });
  });

  it('without a stored one is stored as it comes, and is requested again if it lacks what every novel has', () => {
    const received = plainNovel({ title: '', isr15: 0, fetched_at: NOW });
    const common = { received, fields: RECORD_NAMES };
    const first = settle({ ...common, stored: undefined, doubt: { ncode: 1 }, now: NOW });
    expect(first).toEqual({ novel: received, doubt: { title: NOW } });
    const again = settle({ ...common, stored: received, doubt: first.doubt, now: NOW + 600 });
    expect(again).toEqual(first);
    expect(settle({ ...common, stored: received, doubt: first.doubt, now: NOW + DAY_SECONDS }).doubt).toEqual(
      {},
    );
  });

  it('that lost its count keeps the time of its last episode too: the episode shows when the count is back', () => {
    const later = { general_lastup: '2026-11-02 18:00:00' };
    const { general_all_no, general_lastup } = STORED;
    expect(look({ general_all_no: 0, ...later })).toMatchObject({
      novel: { general_all_no, general_lastup },
      doubt: { general_all_no: NOW },
    });
    expect(look({ general_all_no: 64, general_lastup: '' })).toMatchObject({
      novel: { general_all_no, general_lastup },
      doubt: { general_lastup: NOW },
    });
    expect(look({ general_all_no: 64, ...later }).novel).toMatchObject({ general_all_no: 64, ...later });
  });
});

it('figures settle nothing about the other fields of a record', () => {
  const { ncode } = STORED;
  const received = { ncode, lastup: 5, global_point: 0, weekly_point: 41 };
  const fields = FIGURE_NAMES.filter((name) => name in received);
  expect(settle({ received, stored: STORED, doubt: { title: NOW - DAY_SECONDS }, fields, now: NOW })).toEqual(
    {
      novel: { ...received, global_point: 500 },
      doubt: { title: NOW - DAY_SECONDS, global_point: NOW },
    },
  );
});

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
    upstream.novels = novels(60);
    await harvest(upstream.options(dir));
    upstream.clock.set(THEN + DAY);
    upstream.set({ missingField: 'title' });
    await harvest(upstream.options(dir));
    expect(valuesIn(dir, 'title').has(undefined)).toBe(false);
    spoil(dir);
    await expect(harvest(upstream.options(dir))).rejects.toThrow('title was missing from 60 records');
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
    expect(valuesIn(dir, 'title').has(garbled('題 0'))).toBe(false);
    upstream.novels = all;
    await upstream.followUntil(dir, THEN + 1.5 * DAY);
    const stored = harvestedIn(dir, 'novels');
    expect(all.map(({ ncode }) => stored.get(ncode))).toMatchObject(
      all.map(({ title, userid, keyword }) => ({ title, userid, keyword })),
    );
    expect(eventsIn(dir).filter(({ kind }) => kind === 'renamed' || kind === 'author_changed')).toEqual([]);
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
    const titles = valuesIn(dir, 'title');
    upstream.set({ missingField: 'title' });
    await harvest(upstream.options(dir));
    expect(valuesIn(dir, 'title')).toEqual(titles);
  });
});
