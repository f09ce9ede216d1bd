import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toPublishedDate, dateRuleOf } from './published-date.ts';
import { readStatedDate } from './stated-date.ts';

function read(value: string, tld = 'test'): string | null {
  const date = readStatedDate(value);
  return date === null ? null : toPublishedDate(date, dateRuleOf(tld));
}

const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');
const instants = fc.date({
  min: new Date('1970-01-02T00:00:00Z'),
  max: new Date('2149-12-31T23:59:59Z'),
  noInvalidDate: true,
});

test('an instant is the same in every form', () => {
  fc.assert(
    fc.property(instants, fc.integer({ min: -14 * 60, max: 14 * 60 }), (date, offset) => {
      const expected = `${date.toISOString().slice(0, 19)}Z`;
      const local = new Date(date.getTime() + offset * 60_000).toISOString();
      const [year = '', month = '', day = ''] = local.slice(0, 10).split('-');
      const time = local.slice(11, 19);
      const minutes = Math.abs(offset);
      const pad = (number: number) => String(Math.floor(number)).padStart(2, '0');
      const zone = `${offset < 0 ? '-' : '+'}${pad(minutes / 60)}:${pad(minutes % 60)}`;
      for (const form of [
        `${year}-${month}-${day}T${time}${zone}`,
        `${year}/${month}/${day} ${time}.5 (UTC${zone})`,
        `${day}.${month}.${year} ${time} ${zone}`,
        `${day}-${MONTHS[Number(month) - 1] ?? ''}-${year} ${time} ${zone}`,
      ]) {
        expect([form, read(form)]).toEqual([form, expected]);
      }
      const [utcYear = '', utcMonth = '', utcDay = ''] = date.toISOString().slice(0, 10).split('-');
      const utcTime = date.toISOString().slice(11, 19);
      const packed = `${utcYear}${utcMonth}${utcDay}${utcTime.replaceAll(':', '')}`;
      const isMidnight = utcTime === '00:00:00';
      expect(read(packed)).toBe(expected.slice(0, 10));
      if (!isMidnight) expect(read(packed, 'sn')).toBe(expected);
    }),
    { seed: 20_261_125, numRuns: 200 },
  );
});

test('a day is the same in every form', () => {
  fc.assert(
    fc.property(instants, (date) => {
      const expected = date.toISOString().slice(0, 10);
      const [year = '', month = '', day = ''] = expected.split('-');
      const name = MONTHS[Number(month) - 1] ?? '';
      for (const form of [
        `${year}.${month}.${day}`,
        `${year}. ${Number(month)}. ${Number(day)}.`,
        `${year}년 ${Number(month)}월 ${Number(day)}일`,
        `${year}年${month}月${day}日`,
        `${Number(day)} ${name} ${year}`,
        `${name} ${Number(day)}, ${year}`,
        `${year}-${name}-${day}`,
        `${year}${month}${day}`,
      ]) {
        expect([form, read(form)]).toEqual([form, expected]);
      }
      expect(read(`${day}/${month}/${year}`, 'fr')).toBe(expected);
      expect(read(`${month}/${day}/${year}`, 'us')).toBe(expected);
      const [first, second] = [Number(day), Number(month)];
      const isClear = first > 12 || first === second;
      expect(read(`${day}/${month}/${year}`)).toBe(isClear ? expected : null);
    }),
    { seed: 20_261_125, numRuns: 200 },
  );
});

test('a day that does not exist is not published', () => {
  for (const month of [4, 6, 9, 11]) {
    const text = String(month).padStart(2, '0');
    expect([read(`2030-${text}-30`), read(`2030-${text}-31`)]).toEqual([`2030-${text}-30`, null]);
  }
  expect(
    ['2100-02-29', '2000-02-29', '2030-02-30', '2030-00-10', '2030-01-32'].map((day) => read(day)),
  ).toEqual([null, '2000-02-29', null, null, null]);
  expect(['1969-12-31', '1970-01-01', '9999-12-31'].map((day) => read(day))).toEqual([
    null,
    '1970-01-01',
    '9999-12-31',
  ]);
});

test('an instant is in a year of four digits, or null', () => {
  expect(
    ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59+01:00', '9999-12-31T23:59:59-01:00'].map((at) => read(at)),
  ).toEqual(['9999-12-31T23:59:59Z', '9999-12-31T22:59:59Z', null]);
});

test('the Solar Hijri calendar begins its years at the equinox', () => {
  // From Iran's official calendar: leap years 1399 and 1403.
  const days = { '1399/01/01': '2020-03-20', '1399/12/30': '2021-03-20', '1400/01/01': '2021-03-21' };
  const months = { '1402/06/31': '2023-09-22', '1402/07/01': '2023-09-23', '1402/12/29': '2024-03-19' };
  const years = { '1349/01/01': '1970-03-21', '1404/01/01': '2025-03-21', '1402/08/30': '2023-11-21' };
  for (const [hijri, day] of Object.entries({ ...days, ...months, ...years })) {
    expect([hijri, read(hijri, 'ir')]).toEqual([hijri, day]);
  }
});

describe('a rule of one registry is not that of another', () => {
  test.each([
    ['16/09/2570', 'th', '2027-09-16'],
    ['2570-09-16', 'th', '2027-09-16'],
    ['2400-09-16', 'th', '2400-09-16'],
    ['2570-09-16', 'test', '2570-09-16'],
    ['1403-01-01', 'test', null],
    ['02/03/2020', 'bj', '2020-03-02'],
    ['02/03/2020', 'ws', '2020-02-03'],
    ['16.09.03', 'test', null],
    ['16.09.03', 'es', '2003-09-16'],
  ])('%s below .%s', (value, tld, expected) => {
    expect(read(value, tld)).toBe(expected);
  });
});

describe('a time', () => {
  test.each([
    ['2030-01-02 24:00:00Z', '2030-01-03T00:00:00Z'],
    ['2030-01-02 23:59:60Z', '2030-01-02T23:59:59Z'],
    ['2030-01-02 10:20Z', '2030-01-02T10:20:00Z'],
    ['2030-01-02 10:20:30,5 UTC', '2030-01-02T10:20:30Z'],
    ['2030-01-02t1:02:03Z', '2030-01-02T01:02:03Z'],
    ['2030-01-02 00:00:00Z', '2030-01-02T00:00:00Z'],
    ['2030-01-02 1:2:3Z', '2030-01-02'],
    ['2030-01-021', null],
    ['02.01.2030 at 10:20:30 UTC', '2030-01-02T10:20:30Z'],
    ['02.01.2030 25:20:30 UTC', '2030-01-02'],
  ])('of %j', (value, expected) => {
    expect(read(value)).toBe(expected);
  });
});
