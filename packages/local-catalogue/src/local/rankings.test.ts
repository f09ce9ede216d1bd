import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import { DAMAGES, skippedIn } from '../../test/damaged-files.ts';
import { recordedLog } from '../../test/recorded-log.ts';
import { dateOfDay, dayOfDate, RANKING_TYPES, checkRankingDate, toRtype } from '@mokuroku/narou';
import type { RankingType } from '@mokuroku/narou';
import { Rankings } from './open-rankings.ts';
import { publishRankings, publishedRankings } from './ranking-files.ts';
import type { StoredRanking } from './ranking-files.ts';

const openAt = (dir: string, now: () => number = () => NOON, { logger } = recordedLog()) =>
  new Rankings(dir, { now, logger, loadWorker: undefined });

const DAY = 86_400;
/** Noon of 2013-09-10, a Tuesday, in Japan: the rankings of 2013-05-01 and later are few as yet. */
const NOON = Date.parse('2013-09-10T12:00:00+09:00');
const NOW = NOON / 1000;

const ranking = (
  type: RankingType,
  date: string,
  ncodes: readonly string[],
  fetchedAt = NOW,
): StoredRanking => ({
  type,
  date,
  fetchedAt,
  rows: ncodes.map((ncode, index) => ({ ncode, pt: 1000 - index, rank: index + 1 })),
});

/** Every ranking from the first to a day, with two novels that change places by the day of the month. */
function* allRankings(
  last: string,
  fetchedAt: (date: string) => number = () => NOW,
): Iterable<StoredRanking> {
  for (let day = dayOfDate('2013-05-01') ?? 0; dateOfDay(day) <= last; day++) {
    const date = dateOfDay(day);
    const ncodes = Number(date.slice(8)) % 2 === 0 ? ['N0001A', 'N9999ZZ'] : ['N9999ZZ', 'N0001A'];
    for (const type of RANKING_TYPES) {
      if (checkRankingDate(type, date, NOON).valid) yield ranking(type, date, ncodes, fetchedAt(date));
    }
  }
}

describe('the rankings of a local catalogue', () => {
  it('are returned as stored, by type and date, with the time they were fetched', async () => {
    const dir = temporaryFolder();
    const weekly = ranking('weekly', '2013-09-09', ['N0001A', 'N0002BC'], NOW - 7);
    await publishRankings(dir, { put: [weekly, ranking('daily', '2013-09-10', ['N0002BC'])] });
    const rankings = openAt(dir);
    expect(rankings.ranking('weekly', '2013-09-09')).toEqual({ value: weekly.rows, fetchedAt: NOW - 7 });
    expect(rankings.ranking('daily', '2013-09-09')).toBeUndefined();
    expect(rankings.facts()).toEqual({ served: 2, outdated: 0 });
    // A ranking of tomorrow was stored by a wrong clock.
    const yesterday = openAt(dir, () => NOON - DAY * 1000);
    expect([rankings.newest('daily'), yesterday.newest('daily')]).toEqual(['2013-09-10', undefined]);
    expect(publishedRankings(dir)).toMatchObject([
      { type: 'daily', date: '2013-09-10', fetchedAt: NOW, count: 1 },
      { type: 'weekly', date: '2013-09-09', fetchedAt: NOW - 7, count: 2 },
    ]);
    rankings.close();
  });

  it('an empty one is missing, as without a folder: it is no evidence that there is none', async () => {
    const dir = path.join(temporaryFolder(), 'rankings');
    expect(publishedRankings(dir)).toEqual([]);
    const rankings = openAt(dir);
    expect(rankings.ranking('daily', '2013-09-10')).toBeUndefined();
    expect(rankings.history('N0001A')).toBeUndefined();
    await publishRankings(dir, { put: [ranking('daily', '2013-09-10', [])] });
    expect(await rankings.refresh()).toBe(true);
    expect(rankings.ranking('daily', '2013-09-10')).toBeUndefined();
    rankings.close();
  });

  it('a later one replaces an earlier one; those fetched before a given time are dropped', async () => {
    const dir = temporaryFolder();
    const early = ['2013-09-08', '2013-09-09'].map((date) => ranking('daily', date, ['N0001A'], NOW - DAY));
    await publishRankings(dir, { put: early });
    const rankings = openAt(dir);
    await publishRankings(dir, {
      put: [ranking('daily', '2013-09-09', ['N0002A'])],
      removeFetchedBefore: NOW,
    });
    expect(rankings.ranking('daily', '2013-09-08')?.value).toHaveLength(1);
    expect(await rankings.refresh()).toBe(true);
    expect(await rankings.refresh()).toBe(false);
    expect(rankings.ranking('daily', '2013-09-08')).toBeUndefined();
    expect(rankings.ranking('daily', '2013-09-09')?.value[0]?.ncode).toBe('N0002A');
    rankings.close();
  });

  it('expire fourteen days after they were fetched', async () => {
    const dir = temporaryFolder();
    await publishRankings(dir, { put: [ranking('daily', '2013-09-09', ['N0001A'])] });
    let now = NOON + 14 * DAY * 1000 - 1;
    const rankings = openAt(dir, () => now);
    expect([rankings.ranking('daily', '2013-09-09')?.fetchedAt, rankings.newest('daily')]).toEqual([
      NOW,
      '2013-09-09',
    ]);
    now += 1;
    expect([rankings.ranking('daily', '2013-09-09'), rankings.newest('daily')]).toEqual([
      undefined,
      undefined,
    ]);
    rankings.close();
  });
});

const DAMAGED = [
  'rankings-000002/table',
  'rankings-000002/rows',
  'rankings-000002/histories',
  'generation-000002.json',
];

describe.each(DAMAGED)('a generation whose %s is damaged is replaced by the previous one', (file) => {
  const early = ranking('daily', '2013-09-09', ['N0001A', 'N0003A']);
  const late = ranking('daily', '2013-09-10', ['N0002A', 'N0004A']);
  const isWhat = async (rankings: ReturnType<typeof openAt>) => {
    expect(rankings.ranking('daily', '2013-09-09')?.value).toEqual(early.rows);
    expect(rankings.ranking('daily', '2013-09-10')).toBeUndefined();
    expect(await rankings.refresh()).toBe(false);
    rankings.close();
  };

  it.each(DAMAGES)('%s', async (_, damage) => {
    const dir = temporaryFolder();
    await publishRankings(dir, { put: [early] });
    const log = recordedLog();
    const running = openAt(dir, undefined, log);
    await publishRankings(dir, { put: [late] });
    damage(path.join(dir, file));
    // Running services keep their open generation; new ones open the intact one; the next write builds upon it.
    expect(await running.refresh()).toBe(false);
    await isWhat(running);
    await isWhat(openAt(dir, undefined, log));
    // Without its list of files a generation was never published.
    const isThere = fs.existsSync(path.join(dir, 'generation-000002.json'));
    expect(skippedIn(log.lines)).toHaveLength(isThere ? 2 : 0);
    await publishRankings(dir, { put: [ranking('daily', '2013-09-08', ['N0005A'])] });
    expect(publishedRankings(dir).map(({ date }) => date)).toEqual(['2013-09-08', '2013-09-09']);
  });
});

describe('the history of a novel', () => {
  it('contains every ranking in which the novel stood, by rtype', async () => {
    const dir = temporaryFolder();
    const all = [...allRankings('2013-09-10')].filter(({ type }) => type !== 'weekly');
    const weekly = [...allRankings('2013-09-10')].filter(({ type }) => type === 'weekly');
    await publishRankings(dir, { put: weekly });
    await publishRankings(dir, { put: all.reverse() });
    const rankings = openAt(dir);
    const wanted = [...all, ...weekly].flatMap(({ type, date, rows }) =>
      rows.flatMap(({ ncode, pt, rank }) =>
        ncode === 'N0001A' ? [{ pt, rank, rtype: toRtype(type, date) }] : [],
      ),
    );
    wanted.sort((a, b) => (a.rtype < b.rtype ? -1 : 1));
    expect(rankings.history('N0001A')).toEqual({
      value: wanted,
      fetchedAt: NOW,
      until: '2013-09-10',
      missing: [],
    });
    expect(rankings.history('N9999ZZ')?.value).toHaveLength(wanted.length);
    expect(rankings.history('N0002A')?.value).toEqual([]);
    rankings.close();
  });

  it('is as old as the oldest ranking, states its last day, and names the rankings that it lacks', async () => {
    const dir = temporaryFolder();
    const fetchedAt = (date: string) => (date === '2013-06-01' ? NOW - 5 * DAY : NOW);
    await publishRankings(dir, { put: allRankings('2013-09-10', fetchedAt) });
    let now = NOON;
    const rankings = openAt(dir, () => now);
    expect(rankings.history('N0001A')?.fetchedAt).toBe(NOW - 5 * DAY);
    now = NOON + 1 * DAY * 1000;
    expect(rankings.history('N0001A')?.until, 'the newest may not have been fetched yet').toBe('2013-09-10');
    now = NOON + 8 * DAY * 1000;
    expect(rankings.history('N0001A')?.until, 'eight are missing').toBe('2013-09-10');
    expect([rankings.isOutdated(), rankings.state()]).toEqual([false, 'served']);
    now = NOON + 10 * DAY * 1000;
    expect(rankings.history('N0001A'), 'the oldest is too old').toBeUndefined();
    expect([rankings.isOutdated(), rankings.isOutdated('daily', '2013-06-01')]).toEqual([true, true]);
    const { served, outdated } = rankings.facts();
    expect([rankings.isOutdated('daily', '2013-06-02'), served > 0, outdated]).toEqual([false, true, 3]);
    now = NOON + 15 * DAY * 1000;
    expect([rankings.state(), rankings.facts().served]).toEqual(['outdated', 0]);
    now = NOON;
    await publishRankings(dir, { put: [], removeFetchedBefore: NOW - 4 * DAY });
    await rankings.refresh();
    expect(rankings.history('N0001A')?.missing).toContain('20130601-d');
    rankings.close();
  });

  it('ends with the last day of all types, and is none without any ranking of one', async () => {
    const untilWithout = async (isLacking: (ranking: StoredRanking) => boolean) => {
      const dir = temporaryFolder();
      await publishRankings(dir, { put: [...allRankings('2013-09-10')].filter((each) => !isLacking(each)) });
      return openAt(dir).history('N0001A')?.until;
    };
    expect(await untilWithout(({ type, date }) => type === 'weekly' && date > '2013-09-02')).toBe(
      '2013-09-08',
    );
    expect(await untilWithout(({ type }) => type === 'weekly')).toBeUndefined();
  });

  it.each([
    [100, 100],
    [101, undefined],
  ])('names up to a hundred missing rankings; without %d of them it is none', async (lacking, named) => {
    const dir = temporaryFolder();
    let skipped = 0;
    const isLacking = ({ type, date }: StoredRanking) =>
      type === 'daily' && date > '2013-05-01' && skipped++ < lacking;
    await publishRankings(dir, { put: [...allRankings('2013-09-10')].filter((each) => !isLacking(each)) });
    const rankings = openAt(dir);
    expect(rankings.history('N0001A')?.missing.length).toBe(named);
    rankings.close();
  });
});
