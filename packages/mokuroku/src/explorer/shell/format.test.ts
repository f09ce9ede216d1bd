import { describe, expect, it } from 'vitest';
import { daysLeft } from 'mokuroku-whois/record';
import { createFormat } from './format.ts';

const en = createFormat('en');
const ja = createFormat('ja');

const NOW = Date.parse('2026-11-21T10:00:00Z');

describe('dates of registrations', () => {
  it.each([
    ['2027-06-23T10:00:00Z', 214],
    // Rounded to whole days, in the past too.
    ['2026-11-22T21:00:00Z', 1],
    ['2026-11-22T23:00:00Z', 2],
    ['2026-11-20T00:00:00Z', -1],
    ['next spring', null],
  ])('%s is in %s days', (text, days) => {
    expect(daysLeft(text, NOW)).toBe(days);
  });
  it.each([
    [214, 'in 214 days', '214日後'],
    [0, 'today', '今日'],
    [-3, '3 days ago', '3日前'],
    // Far from now in years.
    [999, 'in 999 days', '999日後'],
    [1_000, 'in 2 years', '2年後'],
    [-1_090, '2 years ago', '2年前'],
    [1_600, 'in 4 years', '4年後'],
    [-3_654, '10 years ago', '10年前'],
  ])('in %i days are %s, %s', (days, english, japanese) => {
    expect([en.relativeDays(days), ja.relativeDays(days)]).toEqual([english, japanese]);
  });
  it('stay the day they are in every zone, and unreadable ones as they are', () => {
    expect(en.instant('2027-08-13')).toBe('13 August 2027');
    expect(ja.instant('2027-08-13T23:30:00Z')).toBe('2027年8月13日 23:30 UTC');
    expect(en.instant('next spring')).toBe('next spring');
  });
});

it.each([
  ['Japan time is shown as the upstream writes it', ja.japanTime('2026-10-30 07:00:00'), '2026/10/30 7:00'],
  ['so is its day', en.japanDay('2026-10-30 00:30:00'), '30 Oct 2026'],
  ['no time is no text', en.japanTime(''), ''],
  ['numbers follow the language', ja.number(1_234_567), '1,234,567'],
  ['short ones have three digits', en.short(212_345), '212k'],
  ['short ones in Japanese have 万', ja.short(212_345), '21.2万'],
  ['a rate below ten has a decimal', en.rate(1.26), '1.3'],
  ['a rate above has none', en.rate(126.4), '126'],
  ['reading times are in minutes below an hour', ja.readingTime(40), '40分'],
  ['from an hour they are in hours', en.readingTime(60), '1 hr'],
  ['reading times are rounded to hours', ja.readingTime(425), '7時間'],
  ['ages are in the largest unit that is at least one', en.age(59), '59 seconds'],
  ['an age below an hour is in minutes', ja.age(3_599), '59分'],
  ['an age below two days is in hours', en.age(172_799), '47 hours'],
  ['from two days it is in days', en.age(172_800), '2 days'],
  ['an age in Japanese has no blank', ja.age(300_000), '3日'],
  ['the axis names January by its year', en.axisMonth('2026-01-01'), '2026'],
  ['the axis names other months alone', en.axisMonth('2026-02-01'), 'Feb'],
  ['boards are called by their day', ja.date('2026-11-16'), '2026年11月16日(月)'],
  ['boards are called by their day', en.date('2026-11-16'), 'Mon, 16 Nov 2026'],
  ['boards are called by their month', ja.month('2026-11-01'), '2026年11月'],
])('%s: %s', (_what, shown, expected) => {
  expect(shown).toBe(expected);
});
