import { describe, expect, it } from 'vitest';
import { RANKING_TYPES } from '@mokuroku/narou';
import {
  bigGenreIn,
  changeBy,
  courseNear,
  coursePath,
  coursesOf,
  flowStart,
  goneBy,
  marksApart,
  largestMovements,
  onBoard,
  smoothed,
} from './flow.ts';
import type { Course } from './flow.ts';

const board = (...ncodes: string[]) => ncodes.map((ncode, index) => ({ ncode, rank: index + 1, pt: 1 }));
const draw = (ranks: Course['ranks'], step = 10, isSweep = false) =>
  coursePath(ranks, (board) => step * board, Number, isSweep);
const names = (courses: readonly Course[]) => courses.map(({ ncode }) => ncode).join('');

describe('a flow begins', () => {
  it('thirty days, thirteen weeks or twelve months before its end, with itself', () => {
    const lastDays = ['2026-11-20', '2026-11-16', '2026-11-01', '2026-11-01'];
    const first = RANKING_TYPES.map((type, index) => flowStart(type, lastDays[index]!));
    expect(first).toEqual(['2026-10-22', '2026-08-24', '2025-12-01', '2025-12-01']);
  });
  it('with the first board', () => {
    expect(flowStart('daily', '2013-05-03')).toBe('2013-05-01');
  });
});

it('a novel has the colour of its big genre; a deleted one has none', () => {
  const novels = new Map<string, { genre?: number }>([['A', { genre: 201 }]]).set('B', {});
  const flow = { dates: [], boards: [], novels };
  expect(['A', 'B', 'C'].map((ncode) => bigGenreIn(flow, ncode))).toEqual([2, undefined, undefined]);
});

describe('courses', () => {
  const courses = coursesOf([board('A', 'B', 'C', 'D'), board('B', 'A', 'F'), board('B', 'E', 'C', 'A')]);

  it('contain every novel that appeared, end at the twentieth place, and have an entry per board', () => {
    expect(courses.find(({ ncode }) => ncode === 'C')).toEqual({ ncode: 'C', ranks: [3, null, 3] });
    expect([names(onBoard(courses, 1)), names(onBoard(courses, 2))]).toEqual(['BAF', 'BECA']);
    expect([names(goneBy(courses, 1)), names(goneBy(courses, 2))]).toEqual(['CD', 'D']);
    const all = Array.from({ length: 25 }, (_, index) => `N${index}`);
    expect(coursesOf([board(...all)])).toHaveLength(20);
  });

  it('state the change since the first board, or the first appearance', () => {
    const byNcode = new Map(courses.map((course) => [course.ncode, course]));
    const change = (ncode: string, at: number) => changeBy(byNcode.get(ncode)!, at);
    expect([change('A', 2), change('B', 2), change('C', 2)]).toEqual([{ by: -3 }, { by: 1 }, { by: 0 }]);
    expect([change('E', 2), change('F', 1)]).toEqual([{ since: 2 }, { since: 1 }]);
    expect(changeBy({ ncode: 'G', ranks: [null, 4, null, 3, 2] }, 4)).toEqual({ since: 3 });
  });

  it('name the five that moved most, including entries and exits, and none that did not move', () => {
    const letters = Array.from('ABCDEFGH');
    const of = coursesOf([board(...letters), board('H', 'B', 'C', 'D', 'E', 'Z', 'A', 'G')]);
    // F left from rank 6, Z entered at 6, H rose by seven, A fell by six, G by one.
    expect([...largestMovements(of, 1)]).toEqual(['Z', 'F', 'H', 'A', 'G']);
    expect(largestMovements(of, 0).size).toBe(0);
    const reversed = coursesOf([board(...letters), board(...letters.toReversed())]);
    expect([...largestMovements(reversed, 1)]).toEqual(['H', 'A', 'G', 'B', 'F']);
  });

  it('are found by the place under the pointer', () => {
    const near = [2.4, 3.9, 4, 4.1].map((rank) => courseNear(courses, 1, rank)?.ncode);
    expect(near).toEqual(['A', 'F', 'F', undefined]);
  });

  it('are drawn smoothly, level at each place, entering and leaving at the bottom', () => {
    expect(draw([1, 2])).toBe('M0.0 1.0C5.0 1.0 5.0 2.0 10.0 2.0');
    const [up, down] = ['M0.0 21.0C5.0 21.0 5.0 3.0 10.0 3.0', 'C15.0 3.0 15.0 21.0 20.0 21.0'];
    expect(draw([null, 3, null, null])).toBe(up + down);
    expect(draw([null, 3, null, 4])).toBe(`${up}${down}C25.0 21.0 25.0 4.0 30.0 4.0`);
    expect(draw([null, null, null, 4])).toBe('M20.0 21.0C25.0 21.0 25.0 4.0 30.0 4.0');
  });
});

it('a smooth line has at each place the slope between its neighbours, and is level at turns', () => {
  expect(draw([1, 4, 7], 30, true)).toBe('M0.0 1.0C10.0 1.0 20.0 3.0 30.0 4.0C40.0 5.0 50.0 7.0 60.0 7.0');
  expect(draw([3, 1, 3], 30, true)).toBe('M0.0 3.0C10.0 3.0 20.0 1.0 30.0 1.0C40.0 1.0 50.0 3.0 60.0 3.0');
  expect(draw([4, 1, 2], 30, true)).toContain('20.0 1.0 30.0 1.0');
});

it('lines are smoothed between their ends', () => {
  const ranks = [1, 4, 1, null, null, null, 6];
  expect(smoothed(ranks, 1, 6)).toEqual([1, 2, 26 / 3, 43 / 3, null, 16, 6]);
  expect(smoothed(ranks, 1, 1)[1]).toBe(4);
  expect(smoothed(ranks, 0, 6)).toBe(ranks);
});

it('marks on the time axis do not touch; the more important ones stay', () => {
  const x = (board: number) => 10 * board;
  expect(marksApart([7, 0, 12, 6, 5, 4, 3], x, 25)).toEqual([7, 0, 12, 4]);
});
