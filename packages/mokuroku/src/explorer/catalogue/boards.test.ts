import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RANKING_TYPES, checkRankingDate } from '@mokuroku/narou';
import type { RankingType } from '@mokuroku/narou';
import * as choices from './boards.ts';

const jst = (text: string) => Date.parse(`${text}+09:00`);

it.each([
  // Certainly published: the daily ranking of today from 07:00 in Japan, that of a week when its Tuesday has come.
  ['daily', null, '2026-11-21T06:59', '2026-11-20'],
  ['daily', null, '2026-11-21T07:00', '2026-11-21'],
  ['weekly', null, '2026-11-17T03:00', '2026-11-09'],
  ['weekly', null, '2026-11-17T08:00', '2026-11-16'],
  // The one that the service has served, if that is newer.
  ['daily', '2026-11-21', '2026-11-21T05:00', '2026-11-21'],
  ['daily', '2014-01-01', '2026-11-21T09:00', '2026-11-21'],
] as const)('the newest %s board offered, %s being shown, at %s is %s', (type, served, time, newest) => {
  expect(choices.newestOffered(type, served, jst(`${time}:00`))).toBe(newest);
});

/** The values that a date's selects offer: years, months, and days or weeks if there are some. */
const offered = (type: RankingType, date: string, newest: string) =>
  choices.datePartsOf(type, date, newest).map(({ options }) => options.map(([value]) => value));

describe('the dates offered', () => {
  it('of a week are its Mondays, of a month all its days', () => {
    const mondays = ['2026-11-02', '2026-11-09', '2026-11-16'];
    expect(offered('weekly', '2026-11-09', '2026-11-16')[2]).toEqual(mondays);
    expect(offered('daily', '2024-02-01', '2026-11-20')[2]).toHaveLength(29);
  });
  it('begin with the first rankings, and end with the newest', () => {
    const [years, months, days] = offered('daily', '2013-05-09', '2015-11-03');
    expect([years, months?.[0], days?.[0]]).toEqual([['2015', '2014', '2013'], '2013-05', '2013-05-01']);
    expect(offered('weekly', '2013-05-13', '2015-11-02')[2]?.[0]).toBe('2013-05-06');
    expect(offered('monthly', '2014-12-01', '2015-11-01')[1]?.at(-1)).toBe('2014-12');
    const [, last, lastDays] = offered('daily', '2015-11-01', '2015-11-03');
    expect([last?.at(-1), lastDays?.at(-1)]).toEqual(['2015-11', '2015-11-03']);
  });
  it('are valid, every one of them, for every type and month', () => {
    const anyDate = fc.date({
      min: new Date('2013-05-01'),
      max: new Date('2026-11-16'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(fc.constantFrom(...RANKING_TYPES), anyDate, (type, date) => {
        const [, months = [], days] = offered(type, date.toISOString().slice(0, 10), '2026-11-16');
        for (const each of days ?? months.map((month) => `${month}-01`)) {
          expect(checkRankingDate(type, each, jst('2026-11-21T09:00:00')).valid).toBe(true);
          expect(each <= '2026-11-16').toBe(true);
        }
      }),
    );
  });
});

it.each([
  // The last valid date of its month up to it.
  ['daily', '2026-10-21', '2026-10-21'],
  ['daily', '2023-02-31', '2023-02-28'],
  ['weekly', '2026-10-21', '2026-10-19'],
  ['weekly', '2026-10-01', '2026-10-05'],
  // Beyond either end, that end.
  ['daily', '2013-02-01', '2013-05-01'],
  ['weekly', '2013-01-31', '2013-05-06'],
  ['daily', '2026-12-24', '2026-11-16'],
] as const)('a requested date of %s, %s, becomes %s', (type, requested, date) => {
  expect(choices.nearestOffered(type, requested, '2026-11-16')).toBe(date);
});

it.each([
  ['weekly', '2026-11-09', '2026-11-16'],
  ['weekly', '2026-11-16', null],
  ['monthly', '2026-01-01', '2026-02-01'],
] as const)('the %s board offered after %s is %s: none after the newest', (type, date, next) => {
  expect(choices.nextOffered(type, date, '2026-11-16')).toBe(next);
});

const entry = (ncode: string, rank: number) => ({ ncode, rank, pt: 10 });

describe('the selects of a date', () => {
  it.each([
    ['daily', '2026-11-03', 'day', [1, 2, 3]],
    ['weekly', '2026-11-02', 'week', [2]],
    ['monthly', '2026-11-01', undefined, []],
    ['quarterly', '2026-11-01', undefined, []],
  ] as const)('%s show what each date has: %s', (type, date, name, days) => {
    const [year, month, day] = choices.datePartsOf(type, date, '2026-11-03');
    const ends = ['2026', ['2026', 2026], ['2013', 2013]];
    expect([year?.value, year?.options[0], year?.options.at(-1)]).toEqual(ends);
    const twoDigits = (number: number) => String(number).padStart(2, '0');
    const months = Array.from({ length: 11 }, (_, index) => [`2026-${twoDigits(index + 1)}`, index + 1]);
    expect([month?.value, month?.options]).toEqual(['2026-11', months]);
    const options = days.map((number) => [`2026-11-${twoDigits(number)}`, number]);
    const expected = name && { name, value: date, options, dateOf: expect.any(Function) as unknown };
    expect(day).toEqual(expected);
  });
  it('stand for the date with their own part replaced', () => {
    const parts = choices.datePartsOf('daily', '2026-10-31', '2026-11-03');
    const chosen = ['2025', '2026-09', '2026-10-30'];
    const dates = ['2025-10-31', '2026-09-31', '2026-10-30'];
    expect(parts.map(({ dateOf }, index) => dateOf(chosen[index]!))).toEqual(dates);
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
