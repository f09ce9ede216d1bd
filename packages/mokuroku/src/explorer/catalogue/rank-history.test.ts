import { describe, expect, it } from 'vitest';
import { dayOfDate } from '@mokuroku/narou';
import { bestOf, lastDays, splitHistory, splitAtGaps, streaksOf } from './rank-history.ts';

const entry = (rtype: string, rank = 1) => ({ rtype, rank, pt: 100 });
const day = (date: string) => dayOfDate(date) ?? Number.NaN;

describe('a ranking history', () => {
  it('is split by period and sorted by time, weeks by their Monday', () => {
    const history = splitHistory([
      entry('20261117-w', 3),
      entry('20261110-w', 5),
      entry('20261101-q'),
      entry('20261101-m'),
    ]);
    expect(history.weekly.map(({ date, rank }) => [date, rank])).toEqual([
      ['2026-11-09', 5],
      ['2026-11-16', 3],
    ]);
    expect([history.daily.length, history.monthly.length, history.quarterly.length]).toEqual([0, 1, 1]);
  });
  it('skips entries without a valid board', () => {
    const history = splitHistory([entry('20261116-w'), entry('20261102-m'), entry('nonsense')]);
    expect(Object.values(history).flat()).toEqual([]);
  });
});

it.each([
  ['daily', 'd', ['20260228', '20260301', '20260303'], [2, 1]],
  ['weekly', 'w', ['20261103', '20261110', '20261124'], [2, 1]],
  ['monthly', 'm', ['20261201', '20270101', '20270301'], [2, 1]],
  ['quarterly', 'q', ['20261201', '20270101'], [2]],
  ['daily', 'd', [], []],
] as const)('a %s line (%s) is broken wherever a board is missing: %j', (type, letter, dates, lengths) => {
  const points = splitHistory(dates.map((date) => entry(`${date}-${letter}`)))[type];
  expect(splitAtGaps(type, points).map((run) => run.length)).toEqual(lengths);
});

describe('a span', () => {
  const points = splitHistory(
    ['20261101', '20261118', '20261119', '20261120'].map((date) => entry(`${date}-d`)),
  ).daily;
  it('is the last days including today, or everything', () => {
    expect(lastDays(points, 2, day('2026-11-20')).map(({ date }) => date)).toEqual([
      '2026-11-19',
      '2026-11-20',
    ]);
    expect(lastDays(points, 0, day('2026-11-20'))).toHaveLength(4);
  });
  it('has a best place, the first of equals', () => {
    expect(bestOf(points)?.date).toBe('2026-11-01');
    expect(bestOf([])).toBeUndefined();
  });
});

describe('streaks', () => {
  it('are the longest run of boards and the latest one', () => {
    const { daily } = splitHistory(
      ['20261101', '20261102', '20261103', '20261119', '20261120'].map((date) => entry(`${date}-d`)),
    );
    expect(streaksOf('daily', daily)).toEqual({ longest: 3, current: 2 });
    expect(streaksOf('daily', [])).toEqual({ longest: 0, current: 0 });
  });
});
