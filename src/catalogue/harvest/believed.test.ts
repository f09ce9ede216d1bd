import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  DAY,
  HOUR,
  THEN,
  followedUpstream,
  novel,
  novels,
} from '../../../test/catalogue/followed-upstream.ts';
import { harvestedIn, reportIn } from '../../../test/catalogue/harvest-under-test.ts';
import { recordedLog } from '../../../test/catalogue/recorded-log.ts';
import { japanDateTime } from '../novels/japan-date.ts';
import { harvest } from './harvest.ts';
import { IncompleteWalk } from './harvest-site.ts';
import { doubtsAbout, profileOf } from './profile.ts';

const upstream = followedUpstream();
const points = { global_point: 500, fav_novel_cnt: 200, all_point: 100, weekly_point: 40 };
const fewNovels = () => novels(60, points);

describe('implausible data are rejected', { timeout: 300_000 }, () => {
  it('figures that are all 0 for a night are discarded with a logged reason, and the next figures are accepted', async () => {
    const dir = upstream.folders.next();
    upstream.novels = fewNovels();
    await upstream.followUntil(dir, THEN + HOUR);
    upstream.set({ zeroFigures: true });
    const { lines, logger } = recordedLog();
    await upstream.followUntil(dir, THEN + DAY, { logger });
    for (const harvested of harvestedIn(dir, 'novels').values()) expect(harvested).toMatchObject(points);
    const doubts = lines.flatMap(({ doubts: each }) => each ?? []);
    expect(doubts).toContain('global_point: 0 of 60 novels have it; previously 60 of 60');
    upstream.set({ zeroFigures: false });
    upstream.novels = fewNovels().map((each) => ({ ...each, weekly_point: 41 }));
    await upstream.followUntil(dir, THEN + 2 * DAY);
    for (const harvested of harvestedIn(dir, 'novels').values()) expect(harvested.weekly_point).toBe(41);
  });

  it('emptied titles, of a few novels or of many, are discarded and fetched again', async () => {
    const dir = upstream.folders.next();
    upstream.novels = fewNovels();
    await upstream.followUntil(dir, THEN + HOUR);
    const now = japanDateTime(upstream.clock.now());
    upstream.novels = fewNovels().map((each, index) =>
      index < 3 ? { ...each, title: '改題', novelupdated_at: now } : each,
    );
    upstream.set({ emptyTitles: true });
    await upstream.followUntil(dir, THEN + 2 * HOUR);
    for (const { title } of harvestedIn(dir, 'novels').values()) expect(title).toBe(novel(0).title);
    const { doubts, discarded } = reportIn(dir)?.lastDoubted ?? {};
    expect([discarded, doubts]).toEqual([
      'records',
      [0, 1, 2].map((index) => `${novel(index).ncode} has lost its title`),
    ]);
    upstream.set({ emptyTitles: false });
    await upstream.followUntil(dir, THEN + 3 * HOUR);
    const renamed = [...harvestedIn(dir, 'novels').values()].filter(({ title }) => title === '改題');
    expect(renamed).toHaveLength(3);
  });

  it('emptied titles are discarded also while the stored records cannot be read', async () => {
    const dir = upstream.folders.next();
    upstream.novels = fewNovels();
    await upstream.followUntil(dir, THEN + HOUR);
    const files = fs
      .readdirSync(dir, { recursive: true, encoding: 'utf8' })
      .map((name) => path.join(dir, name));
    for (const file of files.filter((name) => path.basename(name) === 'records'))
      fs.writeFileSync(file, Buffer.alloc(fs.statSync(file).size, 1));
    const now = japanDateTime(upstream.clock.now());
    upstream.novels = fewNovels().map((each, index) =>
      index === 0 ? { ...each, novelupdated_at: now } : each,
    );
    upstream.set({ emptyTitles: true });
    await upstream.followUntil(dir, THEN + 2 * HOUR).catch(() => undefined);
    expect(reportIn(dir)?.lastDoubted?.doubts).toEqual([`${novel(0).ncode} has lost its title`]);
  });

  it('records that lack a field which they had are discarded and fetched again', async () => {
    const dir = upstream.folders.next();
    upstream.novels = fewNovels();
    await upstream.followUntil(dir, THEN + HOUR);
    const now = japanDateTime(upstream.clock.now());
    upstream.novels = fewNovels().map((each, index) =>
      index < 5 ? { ...each, title: '改題', novelupdated_at: now } : each,
    );
    upstream.set({ missingField: 'isr15' });
    const { lines, logger } = recordedLog();
    await upstream.followUntil(dir, THEN + 2 * HOUR, { logger });
    const titles = () => [...harvestedIn(dir, 'novels').values()].map(({ title }) => title);
    expect(titles()).not.toContain('改題');
    expect(lines[0]?.['doubts']).toEqual(['isr15: 0 of 5 novels have it; previously 5 of 5']);
    upstream.set({ missingField: 'off' });
    await upstream.followUntil(dir, THEN + 3 * HOUR);
    expect(titles().filter((title) => title === '改題')).toHaveLength(5);
    for (const { isr15 } of harvestedIn(dir, 'novels').values()) expect(isr15).toBe(0);
  });

  it('a change of a novel that never had a title is accepted', async () => {
    const dir = upstream.folders.next();
    upstream.novels = [...novels(120), novel(200, { title: '' })];
    await upstream.followUntil(dir, THEN + HOUR);
    const novelupdated_at = japanDateTime(upstream.clock.now());
    upstream.novels = [...upstream.novels.slice(0, 120), novel(200, { title: '', novelupdated_at })];
    await upstream.followUntil(dir, THEN + 2 * HOUR);
    expect(harvestedIn(dir, 'novels').get('N0200AA')).toMatchObject({ novelupdated_at });
  });

  it('a new walk whose figures are all 0 does not replace a catalogue with figures', async () => {
    const dir = upstream.folders.next();
    upstream.novels = fewNovels();
    await harvest(upstream.options(dir));
    upstream.set({ zeroFigures: true });
    await expect(harvest(upstream.options(dir))).rejects.toThrow(IncompleteWalk);
    for (const harvested of harvestedIn(dir, 'novels').values()) expect(harvested).toMatchObject(points);
    upstream.set({ zeroFigures: false });
    await harvest(upstream.options(dir));
  });
});

describe('the bounds of plausible data', () => {
  const doubts = (before: ReturnType<typeof novels>, after: ReturnType<typeof novels>) =>
    doubtsAbout(profileOf(before), profileOf(after));

  it.each([
    ['global_point', 10, 11],
    ['yearly_point', 50, 51],
    ['daily_point', 90, 91],
    ['title', 2, 3],
  ] as const)('%s may be missing from %d of 100 novels, not from %d', (field, most, more) => {
    const before = novels(100, { ...points, yearly_point: 9, daily_point: 9 });
    const after = (lost: number) =>
      before.map((each, index) => (index < lost ? { ...each, [field]: field === 'title' ? '' : 0 } : each));
    expect(doubts(before, after(most))).toEqual([]);
    expect(doubts(before, after(more))).toHaveLength(1);
  });

  it('a genre may lose half of its share; a genre of few novels is not checked', () => {
    const before = [
      ...novels(60, { genre: 201 }),
      ...novels(40, { genre: 101 }),
      ...novels(19, { genre: 9901 }),
    ];
    const after = (left: number) => [
      ...before.slice(0, 60 + left),
      ...novels(40 + 19 - left, { genre: 201 }),
    ];
    expect(doubts(before, after(20))).toEqual([]);
    expect(doubts(before, after(19))).toEqual([expect.stringMatching(/^genre 101: 19 of 119/)]);
  });
});
