import { describe, expect, it } from 'vitest';
import { spoilRecords } from '../../test/damaged-files.ts';
import { DAY, HOUR, THEN, followedUpstream, novels } from '../../test/followed-upstream.ts';
import { eventsIn, harvestedIn, reportIn } from '../../test/harvest-under-test.ts';
import type { CatalogueNovel } from '@mokuroku/narou/scan';
import { japanDateTime } from '@mokuroku/narou';
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

  it.each<[string, (dir: string) => void]>([
    ['is outdated', () => upstream.clock.set(THEN + 15 * DAY)],
    ['is damaged', (dir) => void spoilRecords(dir)],
  ])('that takes the titles is refused as in a first harvest if the index %s', async (_, spoil) => {
    const dir = upstream.folders.next();
    upstream.novels = novels(60);
    await harvest(upstream.options(dir));
    upstream.clock.set(THEN + DAY);
    upstream.set({ missingField: 'title' });
    await harvest(upstream.options(dir));
    expect(valuesIn(dir, 'title').has(undefined)).toBe(false);
    spoil(dir);
    await expect(harvest(upstream.options(dir))).rejects.toThrow('title was missing from 60 records');
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

  it('of a field that the upstream gives up ends one first harvest, and not the next', async () => {
    const dir = upstream.folders.next();
    upstream.novels = novels(200);
    upstream.set({ missingField: 'isr15' });
    await expect(harvest(upstream.options(dir))).rejects.toThrow('isr15 was missing from 200 records.');
    upstream.clock.set(THEN + DAY);
    await harvest(upstream.options(dir));
    expect(harvestedIn(dir, 'novels').size).toBe(200);
    const titles = valuesIn(dir, 'title');
    upstream.set({ missingField: 'title' });
    await harvest(upstream.options(dir));
    expect(valuesIn(dir, 'title')).toEqual(titles);
  });
});
