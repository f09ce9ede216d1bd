import { describe, expect, it } from 'vitest';
import { DAY, HOUR, THEN, followedUpstream, novel, novels } from '../../test/followed-upstream.ts';
import { eventsIn, harvestedIn, reportIn } from '../../test/harvest-under-test.ts';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import { japanDateTime } from '@mokuroku/narou';
import type { CatalogueNovel } from '@mokuroku/narou/scan';
import { harvest } from './harvest.ts';

const upstream = followedUpstream();

/** Novels that differ in what events are made of. */
const different = (count: number): CatalogueNovel[] =>
  novels(count).map((each, index) => ({
    ...each,
    title: `題 ${index}`,
    userid: 1_000 + index,
    general_firstup: japanDateTime(Date.parse('2012-01-01T00:00:00Z') + index * HOUR),
    general_all_no: 5 + (index % 7),
  }));

/** Each row with the Ncode of the one before it. */
const mixUp = (rows: readonly CatalogueNovel[]): CatalogueNovel[] =>
  rows.map((each, index) => ({ ...(rows[index + 1] ?? rows[0] ?? each), ncode: each.ncode }));

/** Two ways to mix up: in what the upstream has, or in each of its answers. */
const WAYS = {
  data: (all: CatalogueNovel[]) => {
    upstream.novels = mixUp(all);
  },
  answers: (all: CatalogueNovel[]) => {
    upstream.novels = all;
    upstream.searchBy((query, index) => {
      const found = index.search(query);
      return { ...found, records: mixUp(found.records) };
    });
  },
};

function mend(all: CatalogueNovel[]) {
  upstream.novels = all;
  upstream.own = {};
}

const changesIn = (dir: string) => eventsIn(dir).filter(({ kind }) => kind !== 'new');

function expectRight(dir: string, all: CatalogueNovel[]) {
  const stored = harvestedIn(dir, 'novels');
  const wrong = all.filter(({ ncode, title }) => stored.get(ncode)?.title !== title);
  expect(wrong.map(({ ncode }) => ncode)).toEqual([]);
}

describe.each(['data', 'answers'] as const)(
  'rows with the next Ncode in the %s',
  { timeout: 300_000 },
  (way) => {
    it.each([30, 200])('for a day change nothing among %i novels, and are no events', async (count) => {
      const all = different(count);
      const dir = await upstream.followedFolder(all, {}, THEN + 3 * DAY);
      WAYS[way](all);
      await upstream.followUntil(dir, THEN + 4 * DAY);
      expectRight(dir, all);
      mend(all);
      await upstream.followUntil(dir, THEN + 6 * DAY);
      expectRight(dir, all);
      expect(changesIn(dir)).toEqual([]);
      expect(reportIn(dir)?.pending).toEqual({});
    });

    it.each([30, 200])(
      'in a first harvest of %i novels are gone the next day, without events',
      async (count) => {
        const all = different(count);
        WAYS[way](all);
        const dir = temporaryFolder();
        await upstream.followUntil(dir, THEN + HOUR);
        mend(all);
        await upstream.followUntil(dir, THEN + 1.5 * DAY);
        expectRight(dir, all);
        expect(changesIn(dir)).toEqual([]);
      },
    );

    it('novels that are new on such a day are new, each under its own name, once they are gone', async () => {
      const all = different(30);
      const dir = await upstream.followedFolder(all, {}, THEN + 3 * DAY);
      const time = japanDateTime(upstream.clock.now());
      const times = { general_firstup: time, general_lastup: time, novelupdated_at: time };
      const added = Array.from({ length: 40 }, (_, at) => novel(700 + at, { ...times, title: `新 ${at}` }));
      all.push(...added);
      all[0] = { ...(all[0] as CatalogueNovel), general_lastup: time, general_all_no: 99 };
      WAYS[way](all);
      await upstream.followUntil(dir, THEN + 4 * DAY);
      mend(all);
      await upstream.followUntil(dir, THEN + 6 * DAY);
      expectRight(dir, all);
      const events = eventsIn(dir).filter(({ ncode }) => ncode >= 'N0700AA');
      const names = events.map(({ kind, ncode, title }) => [kind, ncode, title]);
      expect(names.sort()).toEqual(added.map(({ ncode, title }) => ['new', ncode, title]));
    });

    it('the day after a first harvest are gone the day after', async () => {
      const all = different(200);
      const dir = await upstream.followedFolder(all);
      WAYS[way](all);
      await upstream.followUntil(dir, THEN + DAY);
      // Alone, each novel is itself.
      if (way === 'answers') expectRight(dir, all);
      mend(all);
      await upstream.followUntil(dir, THEN + 2.5 * DAY);
      expectRight(dir, all);
      expect(changesIn(dir)).toEqual([]);
    });

    it('in harvests by a timer change nothing, or are gone with the next one', async () => {
      const all = different(200);
      const dir = temporaryFolder();
      const harvestOn = async (day: number) => {
        upstream.clock.set(THEN + day * DAY);
        await harvest(upstream.options(dir));
      };
      WAYS[way](all);
      await harvestOn(0);
      mend(all);
      for (const day of [1, 2, 3]) await harvestOn(day);
      expectRight(dir, all);
      WAYS[way](all);
      await harvestOn(4).catch(() => undefined);
      expectRight(dir, all);
      mend(all);
      await harvestOn(5);
      expectRight(dir, all);
      expect(changesIn(dir)).toEqual([]);
    });
  },
);

it('the first episode has another time in a first harvest alone: each novel has its own two days later', async () => {
  const all = different(30);
  upstream.novels = all.map((each) => ({ ...each, general_firstup: '2011-01-01 09:00:00' }));
  const dir = temporaryFolder();
  await upstream.followUntil(dir, THEN + HOUR, { adult: true });
  upstream.novels = all;
  await upstream.followUntil(dir, THEN + 3 * DAY, { adult: true });
  const stored = harvestedIn(dir, 'novels');
  expect(all.map(({ ncode }) => stored.get(ncode)?.general_firstup)).toEqual(
    all.map(({ general_firstup }) => general_firstup),
  );
  expect(changesIn(dir)).toEqual([]);
});

it('three rows of other novels are skipped, and the rest is read, though none can be requested alone', async () => {
  const all = different(30);
  const dir = temporaryFolder();
  upstream.novels = all;
  await harvest(upstream.options(dir));
  upstream.clock.set(THEN + DAY);
  const [one, two, three, ...others] = all;
  upstream.novels = [...mixUp([one!, two!, three!]), ...others];
  upstream.searchBy((query, index) => {
    if (query.ncode) throw new Error('the upstream fails');
    return index.search(query);
  });
  await harvest(upstream.options(dir));
  expectRight(dir, all);
  expect(reportIn(dir)).toMatchObject({ had: 27, walk: { unreadable: 3 }, refusedBecause: null });
});

describe('among rows of which some are of other novels', { timeout: 60_000 }, () => {
  const followedDays = async (all: CatalogueNovel[]) => {
    const dir = await upstream.followedFolder(all, {}, THEN + 3 * DAY);
    return dir;
  };

  it('a new novel comes at once, though a third of them are so every day', async () => {
    const all = different(30);
    const dir = await followedDays(all);
    const wrong = mixUp(all);
    upstream.novels = all.map((each, index) => (index % 3 ? each : (wrong[index] as CatalogueNovel)));
    upstream.addNovel(700);
    await upstream.followUntil(dir, THEN + 3 * DAY + HOUR);
    expect(harvestedIn(dir, 'novels').has('N0700AA')).toBe(true);
    expectRight(dir, all);
  });

  it('a new novel has its own row the day after another was sent for it', async () => {
    const all = different(30);
    const dir = await followedDays(all);
    upstream.addNovel(700);
    upstream.searchBy((query, index) => {
      const found = index.search(query);
      const { title = '', general_firstup = '' } = all[5] as CatalogueNovel;
      const records = found.records.map((each) =>
        each.ncode === 'N0700AA' ? { ...each, title, general_firstup } : each,
      );
      return { ...found, records };
    });
    await upstream.followUntil(dir, THEN + 3 * DAY + HOUR);
    expect(harvestedIn(dir, 'novels').get('N0700AA')?.title).toBe('題 5');
    upstream.own = {};
    await upstream.followUntil(dir, THEN + 5 * DAY);
    expect(harvestedIn(dir, 'novels').get('N0700AA')?.title).toBe(novel(700).title);
  });
});

it('a day of times in another zone costs no event, though a novel was new the day before', async () => {
  const dir = temporaryFolder();
  const harvestOn = async (day: number, all: CatalogueNovel[]) => {
    upstream.clock.set(THEN + day * DAY);
    upstream.novels = all;
    await harvest(upstream.options(dir)).catch(() => undefined);
  };
  const inZone = (time = '') => japanDateTime(Date.parse(`${time.replace(' ', 'T')}Z`) - 18 * HOUR);
  const all = different(30);
  await harvestOn(0, all);
  await harvestOn(1, all);
  const general_firstup = japanDateTime(upstream.clock.now());
  all.push(novel(700, { general_firstup, general_lastup: general_firstup }));
  await harvestOn(2, all);
  const general_lastup = japanDateTime(upstream.clock.now());
  all[0] = { ...(all[0] as CatalogueNovel), general_lastup, general_all_no: 6 };
  const inOtherZone = ({ general_firstup, general_lastup, novelupdated_at, ...others }: CatalogueNovel) => ({
    ...others,
    general_firstup: inZone(general_firstup),
    general_lastup: inZone(general_lastup),
    novelupdated_at: inZone(novelupdated_at),
  });
  await harvestOn(3, all.map(inOtherZone));
  await harvestOn(4, all);
  expect(changesIn(dir).map(({ ncode, kind, episode }) => [ncode, kind, episode])).toEqual([
    ['N0000AA', 'episode', 6],
  ]);
});
