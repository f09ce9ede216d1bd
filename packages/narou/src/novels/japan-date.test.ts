import { expect, test } from 'vitest';
import {
  dateOfDay,
  dayOfDate,
  japanDateTime,
  japanDay,
  japanInstant,
  japanSeconds,
  japanMidnight,
  weekdayOfDay,
} from './japan-date.ts';

test('15:00 UTC is midnight of the next day in Japan', () => {
  const now = Date.parse('2026-11-20T15:00:00Z');
  expect(dateOfDay(japanDay(now))).toBe('2026-11-21');
  expect(dateOfDay(japanDay(now - 1))).toBe('2026-11-20');
  expect(japanMidnight(japanDay(now))).toBe(now);
  expect(japanDateTime(now)).toBe('2026-11-21 00:00:00');
  expect(japanInstant('2026-11-21 00:00:00')).toBe(now);
});

test('weekdays are right before and after 1970', () => {
  expect(weekdayOfDay(dayOfDate('2026-11-21') ?? 0)).toBe(6);
  expect(weekdayOfDay(dayOfDate('1969-12-28') ?? 0)).toBe(0);
});

test.each(['2024-02-30', '2023-02-29', '2024-13-01', '2024-00-10', '2024-1-1', '20240101', '2024-01-01T00'])(
  '%s is not a valid date',
  (text) => {
    expect(dayOfDate(text)).toBeNull();
  },
);

test('years before 100 are not moved to the twentieth century', () => {
  expect(dateOfDay(dayOfDate('0050-01-01') ?? 0)).toBe('0050-01-01');
});

test('seconds are storable from 1970 to the second before the value of an unknown time', () => {
  const seconds = [-1, 0, 2 ** 32 - 2, 2 ** 32 - 1].map((at) => japanSeconds(japanDateTime(at * 1_000)));
  expect(seconds).toEqual([undefined, 0, 2 ** 32 - 2, undefined]);
});
