import { expect, test } from 'vitest';
import { offsetIn } from './local-time.ts';

test('summer and winter are told apart to the hour of the change', () => {
  expect(offsetIn('Europe/Prague', Date.UTC(2017, 2, 26, 1, 59))).toBe(60);
  expect(offsetIn('Europe/Prague', Date.UTC(2017, 2, 26, 3, 1))).toBe(120);
  expect(offsetIn('Europe/Prague', Date.UTC(2017, 9, 29, 1, 59))).toBe(120);
  expect(offsetIn('Europe/Prague', Date.UTC(2017, 9, 29, 3, 1))).toBe(60);
});

test('a zone is asked for its past, not its present', () => {
  expect(offsetIn('America/Caracas', Date.UTC(2007, 10, 1))).toBe(-240);
  expect(offsetIn('America/Caracas', Date.UTC(2010, 5, 1))).toBe(-270);
  expect(offsetIn('America/Caracas', Date.UTC(2020, 5, 1))).toBe(-240);
  expect(offsetIn('Asia/Shanghai', Date.UTC(2020, 5, 1))).toBe(480);
});

test('more months than are remembered are answered all the same', () => {
  for (let year = 1970; year < 2400; year++) offsetIn('Asia/Tokyo', Date.UTC(year, year % 12, 15));
  for (let month = 0; month < 5000; month++)
    expect(offsetIn('Asia/Tokyo', Date.UTC(1970, month, 15))).toBe(540);
});
