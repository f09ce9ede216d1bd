import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import { DAY, HOUR, followedUpstream, novel } from '../../test/followed-upstream.ts';
import { leaveJournal } from '../../test/harvest-under-test.ts';
import { recordedLog } from '../../test/recorded-log.ts';
import { japan } from '../../../narou/test/upstream-under-test.ts';
import type { RankingEntry } from '@mokuroku/narou';
import { publishedRankings } from '../local/ranking-files.ts';
import { dateOfDay, dayOfDate } from '@mokuroku/narou';
import { MAX_AGE_SECONDS } from '@mokuroku/narou/queries';
import { SECOND_LOOK_SECONDS } from '@mokuroku/narou';
import { claimOf } from './doubts.ts';
import { TIMED_SECONDS, decideRanking, isFresh } from './harvest-rankings.ts';
import type { HarvestProgress } from './harvest-run.ts';
import { harvest } from './harvest.ts';

const upstream = followedUpstream();
beforeEach(() => {
  upstream.novels = [novel(1)];
});

/** Harvests the rankings into a folder. */
const fetchRankings = async (dir: string, of: Parameters<typeof upstream.options>[1] = {}) =>
  (await harvest(upstream.options(dir, { rankings: true, ...of }))).rankings;

it('rankings are published a thousand at a time, while the others are being fetched', async () => {
  const dir = temporaryFolder();
  upstream.clock.set(japan('2016-06-01T12:00:00'));
  const rowsOf = (day: number) => [{ ncode: 'N0001AA', pt: 5 + day, rank: 1 }];
  upstream.own.ranking = (_, day) => rowsOf(day);
  const fetchedAt = upstream.clock.now() / 1_000;
  const first = dayOfDate('2013-05-01') ?? 0;
  const rankings = Array.from({ length: 998 }, (_, at) => {
    return { type: 'daily', date: dateOfDay(first + at), fetchedAt, rows: rowsOf(first + at) } as const;
  });
  leaveJournal(dir, { rankings }, { tasks: [{ kind: 'rankings' }], begunBy: 'harvest' });
  const controller = new AbortController();
  const publishedCounts: number[] = [];
  const onProgress = ({ step }: HarvestProgress) => {
    if (step !== 'rankings') return;
    publishedCounts.push(publishedRankings(path.join(dir, 'rankings')).length);
    if (publishedCounts.length === 4) controller.abort(new Error('interrupted'));
  };
  const ended = harvest(upstream.options(dir, { signal: controller.signal, onProgress }));
  await expect(ended).rejects.toThrow('interrupted');
  expect(publishedCounts).toEqual([0, 0, 1_000, 1_000]);
});

/** The rankings of a folder, with the number of their entries. */
const listsIn = (dir: string) =>
  publishedRankings(path.join(dir, 'rankings')).map(({ type, date, count }) => `${type} ${date} ${count}`);

const NOW = 1_900_000_000;
const day = 86_400;

it.each([
  ['nothing', undefined, false],
  ['a ranking of today', { fetchedAt: NOW }, true],
  ['one that is not old', { fetchedAt: NOW - 3.5 * day + 1 }, true],
  ['an old one', { fetchedAt: NOW - 3.5 * day }, false],
  ['one of the future', { fetchedAt: NOW + 1 }, false],
])('of %s as the stored one, a ranking is requested unless it is fresh: %o %j', (_, stored, is) => {
  expect(isFresh(stored, NOW, TIMED_SECONDS)).toBe(is);
  // One that was stored once is due for its second look.
  expect(isFresh(stored, NOW, TIMED_SECONDS, { list: NOW - SECOND_LOOK_SECONDS })).toBe(false);
  expect(isFresh(stored, NOW, TIMED_SECONDS, { list: NOW - SECOND_LOOK_SECONDS + 1 })).toBe(is);
  // A harvest every ten days has no ranking that is older than fourteen.
  expect(TIMED_SECONDS + 10 * day).toBeLessThan(MAX_AGE_SECONDS);
});

describe('a received ranking', () => {
  const OTHERS = [300, 300, 300].map((count, at) => ({ count, sum: at }));
  const STORED = { count: 300, sum: 7 };
  const LATER = NOW + SECOND_LOOK_SECONDS;

  it('is stored, and final if a second look says the same', () => {
    const first = decideRanking(STORED, undefined, OTHERS, undefined, NOW);
    expect(first).toEqual({ isStored: true, doubt: { [claimOf('list', STORED.sum)]: NOW } });
    expect(decideRanking(STORED, STORED, OTHERS, first.doubt, LATER - 1)).toEqual(first);
    expect(decideRanking(STORED, STORED, OTHERS, first.doubt, LATER).doubt).toEqual({});
    expect(decideRanking(STORED, STORED, OTHERS, {}, LATER)).toEqual({ isStored: true, doubt: {} });
    const another = decideRanking({ ...STORED, sum: 8 }, STORED, OTHERS, first.doubt, LATER);
    expect(another).toEqual({ isStored: true, doubt: { [claimOf('list', 8)]: LATER } });
  });

  it.each([
    ['shorter than the stored one', { count: 299, sum: 8 }, { count: 300, sum: 7 }, []],
    ['shorter than those of its type', { count: 299, sum: 8 }, undefined, OTHERS],
    ['equal to another date’s', { count: 300, sum: 1 }, undefined, OTHERS],
  ])('that is %s is not stored before a second look says the same', (_, list, stored, others) => {
    const { isStored, doubt } = decideRanking(list, stored, others, undefined, NOW);
    expect([isStored, doubt]).toEqual([false, { [claimOf('list', list.sum)]: NOW }]);
    expect(decideRanking(list, stored, others, doubt, LATER - 1)).toEqual({ isStored, doubt });
    expect(decideRanking(list, stored, others, doubt, LATER)).toEqual({ isStored: true, doubt: {} });
    const other = decideRanking({ ...list, count: 100, sum: 9 }, stored, others, doubt, LATER);
    expect(other.isStored).toBe(others === OTHERS ? false : stored === undefined);
  });
});

type Spoil = (rows: readonly RankingEntry[]) => readonly RankingEntry[];

it.each<[string, Spoil, string]>([
  ['has no points', (rows) => rows.map((row) => ({ ...row, pt: 0 })), 'unreadable'],
  ['has half of its ranks', (rows) => rows.slice(0, 10), 'doubtful ranking'],
])('a past ranking that suddenly %s is discarded with a warning', async (_, spoil, warning) => {
  const dir = temporaryFolder();
  await fetchRankings(dir);
  const before = listsIn(dir);
  expect(before).toContain('daily 2013-05-20 20');
  upstream.clock.set(upstream.clock.now() + 5 * DAY);
  upstream.own.ranking = (type, at) => {
    const rows = upstream.ranking(type, at);
    return rows && [...spoil(rows)];
  };
  const { lines, logger } = recordedLog();
  const rankings = await fetchRankings(dir, { logger });
  expect(listsIn(dir)).toEqual(expect.arrayContaining(before));
  expect(rankings?.missed).toBeGreaterThanOrEqual(before.length);
  const warnings = lines.filter(({ msg }) => msg.includes(warning));
  expect(warnings.length).toBeGreaterThanOrEqual(before.length);
});

it('a ranking that was cut when it was fetched first is whole a day later', async () => {
  const dir = temporaryFolder();
  const cut = dayOfDate('2013-06-08');
  upstream.own.ranking = (type, at) => {
    const rows = upstream.ranking(type, at);
    return at === cut ? (rows?.slice(0, 16) ?? null) : rows;
  };
  await upstream.followUntil(dir, upstream.clock.now() + HOUR, { rankings: true });
  expect(listsIn(dir)).toContain('daily 2013-06-08 16');
  upstream.own = {};
  await upstream.followUntil(dir, upstream.clock.now() + 2 * DAY, { rankings: true });
  expect(listsIn(dir)).toContain('daily 2013-06-08 20');
});

it.each<[string, (rows: RankingEntry[]) => RankingEntry[]]>([
  ['are empty', () => []],
  ['have a hole', (rows) => rows.filter(({ rank }) => rank !== 7)],
])('rankings that %s are missed, and requested again', async (_, spoil) => {
  const dir = temporaryFolder();
  upstream.own.ranking = (type, day) => {
    const rows = upstream.ranking(type, day);
    return rows && day < dayOfDate('2013-05-08')! ? spoil(rows) : rows;
  };
  // Seven of days, one each of a week, a month and a quarter.
  expect(await fetchRankings(dir)).toMatchObject({ missed: 10 });
  expect(listsIn(dir).filter((each) => each < 'daily 2013-05-08')).toEqual([]);
  upstream.own = {};
  expect(await fetchRankings(dir)).toMatchObject({ missed: 0 });
  expect(listsIn(dir)).toEqual(expect.arrayContaining(['daily 2013-05-07 20', 'monthly 2013-05-01 20']));
});

it('a first ranking that the upstream refuses is skipped: it is not its own proof of an outage', async () => {
  const dir = temporaryFolder();
  const first = dayOfDate('2013-05-01');
  upstream.own.ranking = (type, day) => {
    if (type === 'daily' && day === first) throw new Error('this ranking fails');
    return upstream.ranking(type, day);
  };
  expect(await fetchRankings(dir)).toMatchObject({ missed: 1 });
});

it('a newest ranking that the upstream still lacks when it is due appears as soon as it exists', async () => {
  const dir = temporaryFolder();
  const late = dayOfDate('2013-06-11');
  const ready = japan('2013-06-11T11:00:00');
  upstream.own.ranking = (type, day) =>
    type === 'daily' && day === late && upstream.clock.now() < ready ? null : upstream.ranking(type, day);
  await upstream.followUntil(dir, ready - 1, { rankings: true });
  expect(listsIn(dir).filter((each) => each.startsWith('daily 2013-06-11'))).toEqual([]);
  await upstream.followUntil(dir, japan('2013-06-11T12:00:00'), { rankings: true });
  expect(listsIn(dir)).toContain('daily 2013-06-11 20');
});

it('a ranking of today is missed from the hour on at which it is due', async () => {
  const dir = temporaryFolder();
  const today = dayOfDate('2013-06-11');
  upstream.own.ranking = (type, day) =>
    type === 'daily' && day === today ? null : upstream.ranking(type, day);
  upstream.clock.set(japan('2013-06-11T05:00:00'));
  expect(await fetchRankings(dir)).toMatchObject({ missed: 0 });
  upstream.clock.set(japan('2013-06-11T08:00:00'));
  expect(await fetchRankings(dir)).toMatchObject({ missed: 1 });
});

it('keeps the rankings that were fetched before the clock jumped ahead', async () => {
  const dir = temporaryFolder();
  const onProgress = ({ step, done, total = 0 }: HarvestProgress) => {
    if (step === 'rankings' && done === total - 1) upstream.clock.set(upstream.clock.now() + 15 * DAY);
  };
  expect(await fetchRankings(dir, { onProgress })).toEqual({ rankings: 50, missed: 0 });
});
