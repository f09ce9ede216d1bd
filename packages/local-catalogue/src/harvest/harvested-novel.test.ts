import { expect, it } from 'vitest';
import { UNKNOWN_KEY } from '@mokuroku/narou/scan';
import { novelOf } from './harvested-novel.ts';

it.each([
  ['length', UNKNOWN_KEY - 1, UNKNOWN_KEY],
  ['genre', 0xfffe, 0xffff],
  ['biggenre', 0xfe, 0xff],
])('the greatest %s that can be stored is %i; %i is unknown', (field, most, unknown) => {
  const read = (value: number) => novelOf({ ncode: 'n0001a', [field]: value }, 7);
  expect(read(most)).toEqual({ ncode: 'N0001A', [field]: most, fetched_at: 7 });
  expect(read(unknown)).toEqual({ ncode: 'N0001A', fetched_at: 7 });
});
