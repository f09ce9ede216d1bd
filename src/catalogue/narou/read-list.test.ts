import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../errors.ts';
import { readCountedList } from './read-list.ts';

function readRows(rows: number, unreadable: number) {
  const record = (index: number) => ({ id: index < unreadable ? null : index });
  const json = [{ allcount: rows }, ...Array.from({ length: rows }, (_, index) => record(index))];
  const noted: string[] = [];
  const page = readCountedList(
    { json },
    {
      st: 1,
      lim: 500,
      emptyMeansNone: false,
      problems: { note: (problem) => noted.push(problem) },
      read: ({ id }) => (id === null ? undefined : id),
    },
  );
  return { noted: noted.length, items: page.items.length, unreadable: page.unreadable };
}

describe('a page with unreadable rows', () => {
  it.each([
    [2, 1],
    [19, 1],
    [20, 2],
    [30, 3],
  ])('of %i is served without %i of them, and each is reported', (rows, unreadable) => {
    expect(readRows(rows, unreadable)).toEqual({ noted: unreadable, items: rows - unreadable, unreadable });
  });

  it.each([
    [1, 1],
    [19, 2],
    [29, 3],
  ])('of %i is rejected if %i of them are more than one in ten', (rows, unreadable) => {
    expect(() => readRows(rows, unreadable)).toThrow(ServiceError);
  });
});
