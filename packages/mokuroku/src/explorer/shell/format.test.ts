import { describe, expect, it } from 'vitest';
import { daysUntil } from '../../words/relative-days.ts';
import { createFormat } from './format.ts';

const en = createFormat('en');
const ja = createFormat('ja');

const NOW = Date.parse('2026-11-21T10:00:00Z');

describe('dates of registrations', () => {
  it('state the days left, and the date', () => {
    const days = (text: string) => daysUntil(text, NOW) ?? Number.NaN;
    expect(days('2027-06-23T10:00:00Z')).toBe(214);
    expect(en.relativeDays(214)).toBe('in 214 days');
    expect(ja.relativeDays(214)).toBe('214日後');
    expect(en.relativeDays(0)).toBe('today');
    expect(ja.relativeDays(-3)).toBe('3日前');
  });
  it('are rounded to whole days, in the past too', () => {
    expect(
      ['2026-11-22T21:00:00Z', '2026-11-22T23:00:00Z', '2026-11-20T00:00:00Z'].map((text) =>
        daysUntil(text, NOW),
      ),
    ).toEqual([1, 2, -1]);
  });
  it('far from now are stated in years', () => {
    expect([en.relativeDays(999), en.relativeDays(1_000)]).toEqual(['in 999 days', 'in 2 years']);
    expect([en.relativeDays(-999), ja.relativeDays(-1_090)]).toEqual(['999 days ago', '2年前']);
    expect(en.relativeDays(-3654)).toBe('10 years ago');
    expect(en.relativeDays(1600)).toBe('in 4 years');
  });
  it('that are unreadable are shown unchanged, without days left', () => {
    expect(daysUntil('next spring', NOW)).toBeNull();
    expect(en.instant('next spring')).toBe('next spring');
  });
  it('stay the day they are in every zone', () => {
    expect(en.instant('2027-08-13')).toBe('13 August 2027');
    expect(ja.instant('2027-08-13T23:30:00Z')).toBe('2027年8月13日 23:30 UTC');
  });
});

describe('Japan time', () => {
  it('is shown as the upstream writes it, wherever the reader is', () => {
    expect(ja.japanTime('2026-10-30 07:00:00')).toBe('2026/10/30 7:00');
    expect(en.japanDay('2026-10-30 00:30:00')).toBe('30 Oct 2026');
    expect(en.japanTime('')).toBe('');
  });
});

describe('numbers', () => {
  it('follow the language', () => {
    expect(ja.short(212_345)).toBe('21.2万');
    expect(en.short(212_345)).toBe('212k');
    expect(ja.number(1_234_567)).toBe('1,234,567');
  });
  it('have a decimal only if it is significant', () => {
    expect(en.rate(1.26)).toBe('1.3');
    expect(en.rate(126.4)).toBe('126');
  });
});

describe('times', () => {
  it('of reading are stated in minutes below an hour, in hours from there', () => {
    expect(ja.readingTime(40)).toBe('40分');
    expect(ja.readingTime(425)).toBe('7時間');
    expect(en.readingTime(60)).toBe('1 hr');
  });
  it('of age are stated in the largest unit that is at least one', () => {
    expect(en.age(59)).toBe('59 seconds');
    expect(ja.age(3_599)).toBe('59分');
    expect(en.age(7_200)).toBe('2 hours');
    expect(ja.age(300_000)).toBe('3日');
    expect([en.age(172_799), en.age(172_800)]).toEqual(['47 hours', '2 days']);
  });
});

describe('the labels of an axis', () => {
  it('name January by its year, and other months alone', () => {
    expect(['2026-01-01', '2026-02-01'].map(en.axisMonth)).toEqual(['2026', 'Feb']);
    expect([en.shortDay('2026-08-24'), ja.shortDay('2026-08-24')]).toEqual(['24 Aug', '8/24']);
  });
});

describe('boards', () => {
  it('are called by their day or their month', () => {
    expect(ja.date('2026-11-16')).toBe('2026年11月16日(月)');
    expect(en.date('2026-11-16')).toBe('Mon, 16 Nov 2026');
    expect(ja.month('2026-11-01')).toBe('2026年11月');
  });
});
