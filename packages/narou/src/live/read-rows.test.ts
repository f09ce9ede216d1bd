import { describe, expect, it } from 'vitest';
import { ServiceError } from '@mokuroku/kit';
import type { Json } from '@mokuroku/kit';
import type { SourceProblem } from '../source/index.ts';
import { collectProblems, readCountedList, readField, readRows, readText } from './read-rows.ts';
import type { Problems } from './read-rows.ts';

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

describe('HTML entities', () => {
  it.each([
    ['&amp;&lt;&gt;&quot;&#39;&#039;&apos;', `&<>"'''`],
    ['&#x3042;&#12356;&#x20BB7;', 'あい𠮷'],
    ['&amp;lt;', '&lt;'],
    ['&amp;amp;amp;', '&amp;amp;'],
    ['&AMP;', '&'],
  ])('%s is decoded exactly once', (escaped, text) => {
    expect(readText(escaped)).toBe(text);
  });

  it.each(['&', '&;', '&amp', '&hearts;', '&#0;', '&#xd800;', '&#x110000;', '&#;', 'AT&T', '& lt;'])(
    '%s is not an entity of the upstream and remains',
    (text) => {
      expect(readText(text)).toBe(text);
    },
  );
});

it.each([
  ['a lone surrogate', 'あ\ud83d!', 'あ!'],
  ['a whole character', '😀', '😀'],
  ['controls', 'a\u0000b\u001bc\u000bd', 'abcd'],
  ['controls that XML allows', 'a\u0085b\u007f', 'ab'],
  ['a byte of another encoding', 'é¡\u008c', 'é¡\ufffd'],
  ['a control behind an entity', 'a&#1;b', 'ab'],
  ['tab and line ends', 'a\tb\r\nc', 'a\tb\nc'],
  ['a non-character', 'a\uffff', 'a'],
])('a text is readable by strict parsers: %s', (_, sent, text) => {
  expect(readText(sent)).toBe(text);
});

it('a date of zeros states no time', () => {
  const noted: string[] = [];
  const problems = { note: (kind: string, name: string) => noted.push(`${kind} ${name}`) } as never;
  expect(readField('0000-00-00 00:00:00', 'datetime', 'general_lastup', problems)).toBeUndefined();
  expect(readField('2026-11-27 00:00:00', 'datetime', 'general_lastup', problems)).toBe(
    '2026-11-27 00:00:00',
  );
  expect(noted).toEqual(['mistyped_field general_lastup']);
});

it.each(['2025-13-01 00:00:00', '2025-11-32 00:00:00', '2025-11-01 24:00:00', '2025-11-01 23:60:00'])(
  '%s is no time',
  (time) => {
    const problems = { note: () => undefined } as never;
    expect(readField(time, 'datetime', 'general_lastup', problems)).toBeUndefined();
  },
);

it('a number with a fraction, below 0 or a boolean is no count', () => {
  const noted: string[] = [];
  const problems = { note: (kind: string, name: string) => noted.push(`${kind} ${name}`) } as never;
  const values = [1_000.5, '1000', 1_000, -1, '-1', false, true].map((value) =>
    readField(value, 'integer', 'userid', problems),
  );
  expect(values).toEqual([undefined, 1_000, 1_000, undefined, undefined, undefined, undefined]);
  expect(noted).toEqual(Array.from({ length: 6 }, () => 'mistyped_field userid'));
});
