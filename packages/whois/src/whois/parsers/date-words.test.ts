import { describe, expect, test } from 'vitest';
import { listOf } from '../../../../../test/list-of.ts';
import { monthOf, zoneOffset } from './stated-date.ts';

test('months are read in the languages of the registries', () => {
  const [names, expected] = [
    listOf(`
      Jan | febrero | MÄRZ | avril | maj | giugno | temmuz | sierpień | Sept | październik | kas |
      décembre
    `),
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
  ];
  expect(names.map(monthOf)).toEqual(expected);
  for (let month = 0; month < 12; month++) {
    const date = new Date(Date.UTC(2030, month, 1));
    for (const locale of ['en', 'es', 'pt', 'fr', 'de', 'it', 'tr', 'ro', 'pl']) {
      const word = date.toLocaleDateString(locale, { month: 'long', timeZone: 'UTC' });
      // A date has the genitive in Polish.
      if (locale !== 'pl') expect([word, monthOf(word)]).toEqual([word, month + 1]);
    }
  }
});

test('other words are no months', () => {
  for (const word of ['', 'ja', 'janu', 'monday', 'constructor', 'januaryjanuary'])
    expect(monthOf(word)).toBe(0);
});

describe('the zone after a time, in minutes', () => {
  test.each([
    ['Z', 0],
    [' UTC', 0],
    [' (GMT)', 0],
    ['+01:00', 60],
    ['-0330', -210],
    [' +9', 540],
    [' (UTC+8)', 480],
    [' (GMT+0:00)', 0],
    ['UTC -5', -300],
    ['+930', 570],
    ['+14', 840],
    ['+1400', 840],
    [' pst', -480],
    [' PDT 2009', -420],
    [' MDT', -360],
    [' EST', -300],
    [' CLT', -240],
    [' CLST', -180],
    [' BRST', -120],
    [' BST', 60],
    [' EET', 120],
    [' MSK', 180],
    [' MSD', 240],
    [' WIB', 420],
    [' (HKT)', 480],
    [' JST', 540],
    [' AEST', 600],
    [' AEDT', 660],
    [' NZST', 720],
    [' NZDT', 780],
  ])('%j', (suffix, minutes) => {
    expect(zoneOffset(suffix)).toBe(minutes);
  });

  test.each(['', ' ', '.5', '+14:01', '-15', ' IST', ' ZONE', ' by JST', ' UTCX', `${' '.repeat(24)}JST`])(
    '%j is none',
    (suffix) => expect(zoneOffset(suffix)).toBeNull(),
  );
});
