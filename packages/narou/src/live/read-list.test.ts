import { describe, expect, it } from 'vitest';
import { ServiceError } from '@mokuroku/kit';
import type { Json } from '@mokuroku/kit';
import type { SourceProblem } from '../source/index.ts';
import { collectProblems, readCountedList, readRows } from './read-list.ts';
import type { Problems } from './read-list.ts';

const read = ({ id }: Json) => (id === null ? undefined : id);

/** Reads a list of so many rows, the first of them unreadable. */
const LISTS = {
  counted: (rows: object[], problems: Problems) => {
    const json = [{ allcount: rows.length }, ...rows];
    return readCountedList({ json }, { st: 1, lim: 500, emptyMeansNone: false, problems, read });
  },
  plain: (rows: object[], problems: Problems) => readRows(rows, problems, 'entry', read),
};

function readSome(list: keyof typeof LISTS, count: number, unreadable: number) {
  let noted: number | undefined;
  const rows = Array.from({ length: count }, (_, index) => ({ id: index < unreadable ? null : index }));
  const { items } = LISTS[list](rows, { note: (_problem, _about, count) => (noted = count) });
  return { noted, items: items.length };
}

describe.each(['counted', 'plain'] as const)('a %s list with unreadable rows', (list) => {
  it.each([
    [2, 1],
    [19, 1],
    [20, 2],
    [30, 3],
  ])('of %i is served without %i of them, and each is reported', (rows, unreadable) => {
    expect(readSome(list, rows, unreadable)).toEqual({ noted: unreadable, items: rows - unreadable });
  });

  it.each([
    [1, 1],
    [19, 2],
    [29, 3],
  ])('of %i is rejected if %i of them are more than one in ten', (rows, unreadable) => {
    expect(() => readSome(list, rows, unreadable)).toThrow(ServiceError);
  });
});

it('a response has at most a hundred kinds of problems, each with its count', () => {
  const reported: SourceProblem[] = [];
  const kinds = Array.from({ length: 500 }, (_, kind) => `field ${kind}`);
  collectProblems(
    'novelapi',
    (problem) => reported.push(problem),
    (problems) => {
      for (const about of [...kinds, ...kinds]) problems.note('mistyped_field', about);
    },
  );
  expect(reported).toHaveLength(100);
  expect(new Set(reported.map(({ count }) => count))).toEqual(new Set([2]));
});
