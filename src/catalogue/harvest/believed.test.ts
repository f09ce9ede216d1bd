import { describe, expect, it } from 'vitest';
import {
  DAY,
  HOUR,
  THEN,
  followedUpstream,
  novel,
  novels,
} from '../../../test/catalogue/followed-upstream.ts';
import { eventsIn, harvestedIn, reportIn } from '../../../test/catalogue/harvest-under-test.ts';
import type { CatalogueNovel } from '../index/catalogue-novel.ts';
import { japanDateTime } from '../novels/japan-date.ts';
import { harvest } from './harvest.ts';

const upstream = followedUpstream();
const points = { global_point: 500, fav_novel_cnt: 200, all_point: 100, weekly_point: 40 };

/** Changes the novels that a test names by their place. */
function change(of: (each: CatalogueNovel, index: number) => Partial<CatalogueNovel>): void {
  upstream.novels = (upstream.novels ?? []).map((each, index) => ({ ...each, ...of(each, index) }));
}
const nowInJapan = () => japanDateTime(upstream.clock.now());
const valuesIn = (dir: string, field: keyof CatalogueNovel) =>
  new Set([...harvestedIn(dir, 'novels').values()].map((each) => each[field]));
const countIn = (dir: string, is: (each: CatalogueNovel) => boolean) =>
  [...harvestedIn(dir, 'novels').values()].filter(is).length;

async function followed(of: Partial<CatalogueNovel>, count = 60) {
  const dir = upstream.folders.next();
  upstream.novels = novels(count, of);
  await upstream.followUntil(dir, THEN + HOUR);
  return dir;
}

describe('a fault of the upstream', { timeout: 300_000 }, () => {
  it('that zeroes all figures for a night changes none, and the next figures are taken', async () => {
    const dir = await followed(points);
    upstream.set({ zeroFigures: true });
    await upstream.followUntil(dir, THEN + DAY);
    expect(harvestedIn(dir, 'novels').get('N0001AA')).toMatchObject(points);
    expect([valuesIn(dir, 'global_point'), valuesIn(dir, 'weekly_point')]).toEqual([
      new Set([500]),
      new Set([40]),
    ]);
    expect(reportIn(dir)?.pending).toMatchObject({ global_point: 60, weekly_point: 60 });
    upstream.set({ zeroFigures: false });
    change(() => ({ weekly_point: 41, global_point: 501 }));
    await upstream.followUntil(dir, THEN + 2 * DAY);
    expect([valuesIn(dir, 'global_point'), valuesIn(dir, 'weekly_point')]).toEqual([
      new Set([501]),
      new Set([41]),
    ]);
    expect(reportIn(dir)?.pending).toEqual({});
  });

  it('that zeroes all figures of a harvest does not reach the folder', async () => {
    const dir = upstream.folders.next();
    upstream.novels = novels(60, points);
    await harvest(upstream.options(dir));
    upstream.clock.set(THEN + DAY);
    upstream.set({ zeroFigures: true });
    await harvest(upstream.options(dir));
    expect(harvestedIn(dir, 'novels').get('N0001AA')).toMatchObject(points);
    upstream.clock.set(THEN + 2 * DAY);
    upstream.set({ zeroFigures: false });
    change(() => ({ global_point: 7 }));
    await harvest(upstream.options(dir));
    expect(valuesIn(dir, 'global_point')).toEqual(new Set([7]));
  });

  it('that empties some records of a day loses neither them nor the right ones after it', async () => {
    const dir = upstream.folders.next();
    upstream.novels = novels(600, points);
    await harvest(upstream.options(dir));
    for (const day of [1, 2, 3]) {
      upstream.clock.set(THEN + day * DAY);
      const lost = { title: '', global_point: 0, length: 0, general_all_no: 0 };
      change((_each, index) => ({ ...novel(index, points), ...(day === 1 && index % 59 === 0 ? lost : {}) }));
      await harvest(upstream.options(dir));
      for (const each of harvestedIn(dir, 'novels').values())
        expect(each).toMatchObject({ ...points, title: novel(0).title, length: 50_000, general_all_no: 10 });
    }
  });

  it('that empties titles hides no other change', async () => {
    const dir = await followed({});
    change((_each, index) =>
      index < 3 ? { title: '改題', story: '新しい筋', novelupdated_at: nowInJapan() } : {},
    );
    upstream.set({ emptyTitles: true });
    await upstream.followUntil(dir, THEN + 2 * HOUR);
    expect(valuesIn(dir, 'title')).toEqual(new Set([novel(0).title]));
    expect(countIn(dir, ({ story }) => story === '新しい筋')).toBe(3);
    await upstream.followUntil(dir, THEN + 25 * HOUR);
    upstream.set({ emptyTitles: false });
    await upstream.followUntil(dir, THEN + 29 * HOUR);
    expect(countIn(dir, ({ title }) => title === '改題')).toBe(3);
  });

  it('that omits a field keeps the value, and the other changes', async () => {
    const dir = await followed({ isr15: 1 });
    change((_each, index) => (index < 5 ? { title: '改題', novelupdated_at: nowInJapan() } : {}));
    upstream.set({ missingField: 'isr15' });
    await upstream.followUntil(dir, THEN + 2 * HOUR);
    expect([valuesIn(dir, 'isr15'), countIn(dir, ({ title }) => title === '改題')]).toEqual([
      new Set([1]),
      5,
    ]);
  });

  it('that returns a count of 1 for an hour is no event of 62 episodes', async () => {
    const dir = await followed({ general_all_no: 63 });
    for (const count of [1, 63]) {
      change((_each, index) => (index < 20 ? { general_all_no: count, novelupdated_at: nowInJapan() } : {}));
      await upstream.followUntil(dir, upstream.clock.now() + HOUR);
    }
    expect(eventsIn(dir).filter(({ kind }) => kind !== 'rewritten')).toEqual([]);
    expect(valuesIn(dir, 'general_all_no')).toEqual(new Set([63]));
  });
});

describe('a true change', { timeout: 300_000 }, () => {
  it('of thirty works of an author delays no episode of other novels, and is reported after the second look', async () => {
    const dir = await followed({ isr15: 1 });
    change((each, index) => {
      const now = { novelupdated_at: nowInJapan() };
      if (index < 30) return { isr15: 0, ...now };
      if (index >= 42) return {};
      return { general_all_no: (each.general_all_no ?? 0) + 1, general_lastup: nowInJapan(), ...now };
    });
    await upstream.followUntil(dir, upstream.clock.now() + HOUR / 5);
    const episodes = eventsIn(dir).filter(({ kind }) => kind === 'episode');
    expect(new Set(episodes.map(({ ncode }) => ncode)).size).toBe(12);
    await upstream.followUntil(dir, THEN + 29 * HOUR);
    const marks = eventsIn(dir).filter(({ changed }) => changed.includes('isr15'));
    expect(marks.map(({ kind, before }) => [kind, before.isr15])).toEqual(
      Array.from({ length: 30 }, () => ['rewritten', 1]),
    );
    expect(countIn(dir, ({ isr15 }) => isr15 === 0)).toBe(30);
  });

  it.each([9801, 0])(
    'of a closed genre is served by the next harvest or the one after it: %d',
    async (genre) => {
      const dir = upstream.folders.next();
      upstream.novels = novels(200);
      await harvest(upstream.options(dir));
      change((_each, index) => (index % 10 === 0 ? { genre } : {}));
      for (const day of [1, 2]) {
        upstream.clock.set(THEN + day * DAY);
        await harvest(upstream.options(dir));
        expect(harvestedIn(dir, 'novels').size).toBe(200);
      }
      expect(countIn(dir, (each) => each.genre === genre)).toBe(20);
    },
  );

  it('of a closed genre is served to who follows, without a loss of novels for weeks', async () => {
    const dir = await followed({}, 140);
    change((_each, index) => (index % 10 === 0 ? { genre: 9801, novelupdated_at: nowInJapan() } : {}));
    for (const day of [1, 10, 17]) {
      await upstream.followUntil(dir, THEN + day * DAY);
      expect(harvestedIn(dir, 'novels').size).toBe(140);
      expect(countIn(dir, (each) => each.genre === 9801)).toBe(14);
    }
  });

  it('of a field that the upstream gives up ends one harvest, and not the next', async () => {
    const dir = upstream.folders.next();
    upstream.novels = novels(200);
    upstream.set({ missingField: 'isr15' });
    const wayOut =
      /isr15 was missing from 200 records\. A harvest that finds the same at least 22 hours after the first is accepted/;
    await expect(harvest(upstream.options(dir))).rejects.toThrow(wayOut);
    upstream.clock.set(THEN + HOUR);
    await expect(harvest(upstream.options(dir))).rejects.toThrow(wayOut);
    for (const day of [1, 2]) {
      upstream.clock.set(THEN + day * DAY);
      await harvest(upstream.options(dir));
      expect(harvestedIn(dir, 'novels').size).toBe(200);
    }
    upstream.set({ missingField: 'off' });
    upstream.clock.set(THEN + 3 * DAY);
    await harvest(upstream.options(dir));
    expect(valuesIn(dir, 'isr15')).toEqual(new Set([0]));
    upstream.set({ missingField: 'title' });
    await expect(harvest(upstream.options(dir))).rejects.toThrow('title was missing');
  });
});
