import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dateOfDay, weekdayOfDay, dayOfDate } from '../../../../narou/src/novels/japan-date.ts';
import { RANKING_TYPES, checkRankingDate } from '@mokuroku/narou';
import * as choices from './boards.ts';

const jst = (text: string) => Date.parse(`${text}+09:00`);

describe('the newest board offered', () => {
  it('is certainly published: today’s daily board only from 07:00 in Japan', () => {
    expect(choices.newestOffered('daily', null, jst('2026-11-21T06:59:00'))).toBe('2026-11-20');
    expect(choices.newestOffered('daily', null, jst('2026-11-21T07:00:00'))).toBe('2026-11-21');
  });
  it('is the one that the service has served, if that is newer', () => {
    expect(choices.newestOffered('daily', '2026-11-21', jst('2026-11-21T05:00:00'))).toBe('2026-11-21');
  });
  it('does not fall back while an old board is shown', () => {
    expect(choices.newestOffered('daily', '2014-01-01', jst('2026-11-21T09:00:00'))).toBe('2026-11-21');
  });
  it('of the week is a Monday whose Tuesday has come', () => {
    expect(choices.newestOffered('weekly', null, jst('2026-11-17T03:00:00'))).toBe('2026-11-09');
    expect(choices.newestOffered('weekly', null, jst('2026-11-17T08:00:00'))).toBe('2026-11-16');
  });
});

describe('the dates offered', () => {
  it('of a week are its Mondays, of a month and a quarter the firsts', () => {
    expect(choices.datesOfMonth('weekly', '2026-11', '2026-11-16')).toEqual([
      '2026-11-02',
      '2026-11-09',
      '2026-11-16',
    ]);
    expect(choices.datesOfMonth('monthly', '2026-02', '2026-11-01')).toEqual(['2026-02-01']);
    expect(choices.datesOfMonth('daily', '2024-02', '2026-11-20')).toHaveLength(29);
  });
  it('begin with the first rankings', () => {
    expect(choices.datesOfMonth('daily', '2013-05', '2026-11-20')[0]).toBe('2013-05-01');
    expect(choices.datesOfMonth('weekly', '2013-05', '2026-11-16')[0]).toBe('2013-05-06');
    expect(choices.monthsOfYear('quarterly', 2013, '2026-11-01')[0]).toBe('2013-05');
    expect(choices.yearsUntil('2015-01-01')).toEqual([2015, 2014, 2013]);
  });
  it('end with the newest', () => {
    expect(choices.datesOfMonth('daily', '2026-11', '2026-11-03').at(-1)).toBe('2026-11-03');
    expect(choices.monthsOfYear('monthly', 2026, '2026-11-01').at(-1)).toBe('2026-11');
  });
  it('are valid, every one of them, for every type and month', () => {
    const month = fc.record({
      year: fc.integer({ min: 2013, max: 2026 }),
      month: fc.integer({ min: 1, max: 12 }),
    });
    fc.assert(
      fc.property(fc.constantFrom(...RANKING_TYPES), month, (type, { year, month: number }) => {
        const dates = choices.datesOfMonth(type, `${year}-${String(number).padStart(2, '0')}`, '2026-11-16');
        for (const date of dates) {
          expect(checkRankingDate(type, date, jst('2026-11-21T09:00:00')).valid).toBe(true);
          expect(date <= '2026-11-16').toBe(true);
        }
      }),
    );
  });
});

describe('a requested date', () => {
  it('becomes the last valid date of its month up to it', () => {
    expect(choices.nearestOffered('daily', '2026-10-21', '2026-11-20')).toBe('2026-10-21');
    expect(choices.nearestOffered('daily', '2023-02-31', '2026-11-20')).toBe('2023-02-28');
    expect(choices.nearestOffered('weekly', '2026-10-21', '2026-11-16')).toBe('2026-10-19');
    expect(choices.nearestOffered('weekly', '2026-10-01', '2026-11-16')).toBe('2026-10-05');
  });
  it('beyond either end becomes that end', () => {
    expect(choices.nearestOffered('daily', '2013-02-01', '2026-11-20')).toBe('2013-05-01');
    expect(choices.nearestOffered('weekly', '2013-01-31', '2026-11-16')).toBe('2013-05-06');
    expect(choices.nearestOffered('daily', '2026-12-24', '2026-11-20')).toBe('2026-11-20');
  });
});

describe('the board after', () => {
  it('is the next valid one, and none after the newest', () => {
    expect(choices.nextOffered('weekly', '2026-11-09', '2026-11-16')).toBe('2026-11-16');
    expect(choices.nextOffered('weekly', '2026-11-16', '2026-11-16')).toBeNull();
    expect(choices.nextOffered('monthly', '2026-01-01', '2026-11-01')).toBe('2026-02-01');
    expect(weekdayOfDay(dayOfDate('2026-11-16') ?? 0)).toBe(1);
    expect(dateOfDay(0)).toBe('1970-01-01');
  });
});

const entry = (ncode: string, rank: number) => ({ ncode, rank, pt: 10 });

describe('the selects of a date', () => {
  it.each([
    [
      'daily',
      '2026-11-03',
      [
        ['2026-11-01', 1],
        ['2026-11-02', 2],
        ['2026-11-03', 3],
      ],
    ],
    ['weekly', '2026-11-02', [['2026-11-02', 2]]],
    ['monthly', '2026-11-01', undefined],
    ['quarterly', '2026-11-01', undefined],
  ] as const)('%s show what each date has: %s', (type, date, days) => {
    const [year, month, day] = choices.datePartsOf(type, date, '2026-11-03');
    expect([year?.value, year?.options[0], year?.options.at(-1)]).toEqual([
      '2026',
      ['2026', 2026],
      ['2013', 2013],
    ]);
    expect([month?.value, month?.options]).toEqual([
      '2026-11',
      Array.from({ length: 11 }, (_, index) => [`2026-${String(index + 1).padStart(2, '0')}`, index + 1]),
    ]);
    expect([day?.name, day?.value, day?.options]).toEqual(
      days ? [type === 'daily' ? 'day' : 'week', date, days] : [undefined, undefined, undefined],
    );
  });
  it('stand for the date with their own part replaced', () => {
    const parts = choices.datePartsOf('daily', '2026-10-31', '2026-11-03');
    const chosen = ['2025', '2026-09', '2026-10-30'];
    expect(parts.map(({ dateOf }, index) => dateOf(chosen[index]!))).toEqual([
      '2025-10-31',
      '2026-09-31',
      '2026-10-30',
    ]);
  });
});

describe('movement against the board before', () => {
  it('is the places gained, the places lost, none, or a first appearance', () => {
    const before = [entry('A', 1), entry('B', 2), entry('C', 3), entry('D', 4)];
    const board = [entry('B', 1), entry('A', 2), entry('C', 3), entry('E', 4)];
    expect([...choices.movementsOf(board, before)]).toEqual([
      ['B', 1],
      ['A', -1],
      ['C', 0],
      ['E', 'entered'],
    ]);
  });
  it('of everything on a first board is an entry', () => {
    expect([...choices.movementsOf([entry('A', 1)], []).values()]).toEqual(['entered']);
  });
});
