import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { listOf } from '../../../../../test/list-of.ts';
import { dateRuleOf, monthOf, readStatedDate, toPublishedDate } from './published-date.ts';

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
    ['9999-12-31', 'th', '9999-12-31'],
    ['2570-09-16', 'test', '2570-09-16'],
    ['1403-01-01', 'test', null],
    ['02/03/2020', 'bj', '2020-03-02'],
    ['02/03/2020', 'ws', '2020-02-03'],
    ['16.09.03', 'test', null],
    ['16.09.03', 'es', '2003-09-16'],
    ['16/09/03', 'es', '2003-09-16'],
    ['16/09/03', 'test', null],
    ['07 Oct 2570', 'th', '2027-10-07'],
    ['2024-03-20', 'ir', '2024-03-20'],
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
    ['2030-01-02-T10:20:30Z', '2030-01-02T10:20:30Z'],
    ['mar. 2030-01-02 10:20:30 UTC', '2030-01-02T10:20:30Z'],
    ['02.01.2030 25:20:30 UTC', '2030-01-02'],
  ])('of %j', (value, expected) => {
    expect(read(value)).toBe(expected);
  });
});

describe('a date whose instant is stated', () => {
  test.each([
    ['2019-03-02T10:33:12Z', '2019-03-02T10:33:12Z'],
    ['2021-03-24T15:08:42.0Z', '2021-03-24T15:08:42Z'],
    ['2019-08-24T09:32:27.549123+00:00', '2019-08-24T09:32:27Z'],
    ['2018-03-12T21:44:25+01:00', '2018-03-12T20:44:25Z'],
    ['2018-01-01T00:30:00+0100', '2017-12-31T23:30:00Z'],
    ['2002-12-04 00:00:00+02', '2002-12-03T22:00:00Z'],
    ['2014-02-18T20:36:02 UTC', '2014-02-18T20:36:02Z'],
    ['2006-02-14 09:12:37 GMT', '2006-02-14T09:12:37Z'],
    ['1999-06-07 13:01:43 (GMT+0:00)', '1999-06-07T13:01:43Z'],
    ['2024-01-15 06:59:05 (UTC+8)', '2024-01-14T22:59:05Z'],
    ['2024-01-15 14:59:05 +14:00', '2024-01-15T00:59:05Z'],
    ['11-Aug-2011 15:22:37 UTC', '2011-08-11T15:22:37Z'],
    ['30 Jan 2013 00:00:00 UTC', '2013-01-30T00:00:00Z'],
    ['Mar 25 01:57:22 PDT 2009', '2009-03-25T08:57:22Z'],
    ['Mon Aug 15 12:15:10 BST 2005', '2005-08-15T11:15:10Z'],
    ['Fri Jul 12 10:00:00 +1300 2013', '2013-07-11T21:00:00Z'],
    ['Fri Jul 12 10:00:00 -0330 2013', '2013-07-12T13:30:00Z'],
    ['07 Oct 2009 10:02 WAT', '2009-10-07T09:02:00Z'],
    ['2002-10-22 17:48:23 CLST', '2002-10-22T20:48:23Z'],
    ['31/10/2009 14:06:58 EAT', '2009-10-31T11:06:58Z'],
    ['2020/10/01 01:05:09 (JST)', '2020-09-30T16:05:09Z'],
  ])('%s', (value, expected) => {
    expect(read(value)).toBe(expected);
  });
});

describe('a date without a time', () => {
  test.each([
    ['2012-08-16', '2012-08-16'],
    ['2000/10/04', '2000-10-04'],
    ['2010.11.12', '2010-11-12'],
    ['2010. 03. 22.', '2010-03-22'],
    ['20130814', '2013-08-14'],
    ['19990518 #162310', '1999-05-18'],
    ['nobody@example.at 20021013', '2002-10-13'],
    ['domain-registrar AT isoc.org.il 20111027 (Assigned)', '2011-10-27'],
    ['14-Feb-1999', '1999-02-14'],
    ['13-MAY-2009', '2009-05-13'],
    ['2001-Aug-23.', '2001-08-23'],
    ['21-March-2002', '2002-03-21'],
    ['Tue Dec 12 2000', '2000-12-12'],
    ['Monday 16th Jun 2014', '2014-06-16'],
    ['2nd April, 2001', '2001-04-02'],
    ['02nd August 2000', '2000-08-02'],
    ['January 18 2000', '2000-01-18'],
    ['12-Jan-05', '2005-01-12'],
    ['12-Jan-70', '1970-01-12'],
    ['12-Jan-69', '2069-01-12'],
    ['28-Jun-95', '1995-06-28'],
    ['3 de mayo de 2021', '2021-05-03'],
    ['8.9.2016', '2016-09-08'],
    ['23-12-1998', '1998-12-23'],
    ['13/03/2003', '2003-03-13'],
    ['03/28/2013', '2013-03-28'],
    ['"2011-01-13"', '2011-01-13'],
    ['2013-08-11 00:00:00', '2013-08-11'],
    ['2020-02-29', '2020-02-29'],
    ['2020-01-02T25:10:00Z', '2020-01-02'],
    ['2020-01-02T10:60:00Z', '2020-01-02'],
  ])('%s', (value, expected) => {
    expect(read(value)).toBe(expected);
  });
});

describe('conventions of a registry', () => {
  test('a time in its own zone is an instant, in an unknown zone a day', () => {
    expect(read('2003-03-17 12:20:05', 'cn')).toBe('2003-03-17T04:20:05Z');
    expect(read('2003-03-17 12:20:05', 'test')).toBe('2003-03-17');
  });

  test.each([
    ['26.03.2017 01:59:00', 'cz', '2017-03-26T00:59:00Z'],
    ['26.03.2017 03:01:00', 'cz', '2017-03-26T01:01:00Z'],
    ['29.10.2017 01:59:00', 'cz', '2017-10-28T23:59:00Z'],
    ['29.10.2017 03:01:00', 'cz', '2017-10-29T02:01:00Z'],
    ['01.11.2007 20:00:00', 've', '2007-11-02T00:00:00Z'],
    ['05.06.2010 20:00:00', 've', '2010-06-06T00:30:00Z'],
    ['05.06.2020 20:00:00', 've', '2020-06-06T00:00:00Z'],
  ])('its zone has its own history of summer time: %s below .%s', (value, tld, expected) => {
    expect(read(value, tld)).toBe(expected);
  });

  test('day and month have the order of the registry', () => {
    expect(read('03/04/2013', 'lu')).toBe('2013-04-03');
    expect(read('03/04/2013', 'tk')).toBe('2013-03-04');
    expect(read('03.04.2013')).toBe('2013-04-03');
    expect(read('04/04/2013')).toBe('2013-04-04');
    expect(read('03/04/2013')).toBeNull();
  });

  test('one day in two spellings is that day', () => {
    expect(read('31.01.2031 (2031-01-31)')).toBe('2031-01-31');
    expect(read('2031/01/31 = 2031-01-31')).toBe('2031-01-31');
  });
});

test.each(
  listOf(`2031/02/03 11:05:06 PM (JST) = 14:05 | 2031-02-03 09:05:06 a.m. JST = 00:05 | 2031. 02. 03. 오후 1:05:06 = 04:05 |
    3-Feb-2031 12:05:06 PM = 03:05 | 2031年2月3日 午前9:05:06 = 00:05 | 2031-02-03 12:05:06 AM UTC = 00:05 |
    2031-02-03 13:05:06 PM = 04:05 | 2031-02-03 1:05:06.000 PM = 04:05 | 2031-02-03 14:05:06 am = 05:05 |
    2031-02-03 下午 1:05:06 = 04:05 | 2031-02-03 9:05:06 p.m. = 12:05 | 2031-02-03 12:05:06 AMT = 03:05`),
)('an hour of half a day is one of a day: %s', (row) => {
  const [value = '', time = ''] = row.split(' = ');
  expect(read(value, 'jp')).toBe(`2031-02-03T${time}:06Z`);
});

describe('ambiguous dates', () => {
  test.each([
    '',
    `${'-'.repeat(80)} 3-Feb-2031`,
    ...listOf(`
      0001-01-01T00:00:00.00Z | 0000-00-00 | before Aug-1996 | see at www.register.example | null | - |
      Registry fee due on 30th April each year | 31.02.2020 | 2019-02-29 | 99.99.9999 | 2020-13-45 |
      1.2.3.4 | 12345678901234567890 | before 1 January 1996 | Before 2001-01-01 | vor dem 1. Mai 1996 |
      avant le 1er mai 1996 | 2030-01-02 - 2031-01-02 | Renewed 02/01/2030, expiry 02/01/2031
    `),
  ])('%j is not read as a date', (value) => {
    expect(read(value)).toBeNull();
  });
});

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

test('the zone of a time is not that of the registry if another is stated', () => {
  for (const zone of ['+14:01', '-15', ' Asia/Tokyo', ' (America/Lima)'])
    expect(read(`2031-02-03 10:05:06${zone}`, 'th')).toBe('2031-02-03');
  expect(read('2031‐02－03 10:05:06−05:00', 'th')).toBe('2031-02-03T15:05:06Z');
});
