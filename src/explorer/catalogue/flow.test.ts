import { describe, expect, it } from 'vitest';
import { RANKING_TYPES, checkRankingDate } from '../../catalogue/novels/ranking-date.ts';
import { coursePath, coursesOf, flowDates } from './flow.ts';

const board = (...ncodes: string[]) => ncodes.map((ncode, place) => ({ ncode, rank: place + 1, pt: 1 }));

describe('the boards of a flow', () => {
  it('are thirty days, thirteen weeks, twelve months, valid every one, oldest first', () => {
    const last = {
      daily: '2026-11-20',
      weekly: '2026-11-16',
      monthly: '2026-11-01',
      quarterly: '2026-11-01',
    };
    const now = Date.parse('2026-11-21T09:00:00+09:00');
    const dates = RANKING_TYPES.map((type) => flowDates(type, last[type]));
    expect(dates.map((each) => each.length)).toEqual([30, 13, 12, 12]);
    expect(dates[0]?.[0]).toBe('2026-10-22');
    for (const [place, type] of RANKING_TYPES.entries()) {
      expect(dates[place]?.at(-1)).toBe(last[type]);
      expect(dates[place]?.every((date) => checkRankingDate(type, date, now).valid)).toBe(true);
    }
  });
  it('begin with the first board there is', () => {
    expect(flowDates('daily', '2013-05-03')).toEqual(['2013-05-01', '2013-05-02', '2013-05-03']);
  });
});

describe('courses', () => {
  it('are those of the last board in its order, then those gone since the first', () => {
    const courses = coursesOf([board('A', 'B', 'C', 'D'), board('B', 'A'), board('B', 'E', 'C', 'A')]);
    expect(courses).toEqual([
      { ncode: 'B', ranks: [2, 1, 1], change: 'risen' },
      { ncode: 'E', ranks: [null, null, 2], change: 'new' },
      { ncode: 'C', ranks: [3, null, 3], change: 'level' },
      { ncode: 'A', ranks: [1, 2, 4], change: 'fallen' },
      { ncode: 'D', ranks: [4, null, null], change: 'gone' },
    ]);
  });
  it('end at the twentieth place', () => {
    const all = Array.from({ length: 25 }, (_, place) => `N${place}`);
    expect(coursesOf([board(...all)])).toHaveLength(20);
  });
  it('are drawn in runs, broken where the novel was not among them', () => {
    const path = coursePath(
      [1, 2, null, 3],
      (x) => x,
      (y) => y,
    );
    expect(path).toBe('M0.0 1.0L1.0 2.0M3.0 3.0m-4 0h8');
  });
});
