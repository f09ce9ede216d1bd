import { describe, expect, it } from 'vitest';
import * as format from './format.ts';

const NOW = Date.parse('2026-11-21T10:00:00Z');

describe('dates of registrations', () => {
  it('say how many days there are to go, and the very day by its name', () => {
    const days = (text: string) => format.daysUntil(text, NOW) ?? Number.NaN;
    expect(days('2027-06-23T10:00:00Z')).toBe(214);
    expect(format.formatRelativeDays('en', 214)).toBe('in 214 days');
    expect(format.formatRelativeDays('ja', 214)).toBe('214日後');
    expect(format.formatRelativeDays('en', 0)).toBe('today');
    expect(format.formatRelativeDays('ja', -3)).toBe('3日前');
  });
  it('far from now are told in years', () => {
    expect(format.formatRelativeDays('en', -3654)).toBe('10 years ago');
    expect(format.formatRelativeDays('en', 1600)).toBe('in 4 years');
  });
  it('that cannot be read are shown as they are and counted by nobody', () => {
    expect(format.daysUntil('next spring', NOW)).toBeNull();
    expect(format.formatInstant('en', 'next spring')).toBe('next spring');
  });
  it('stay the day they are in every zone', () => {
    expect(format.formatInstant('en', '2027-08-13')).toBe('13 August 2027');
    expect(format.formatInstant('ja', '2027-08-13T23:30:00Z')).toBe('2027年8月13日 23:30 UTC');
  });
});

describe('Japan time', () => {
  it('is shown as the upstream writes it, wherever the reader is', () => {
    expect(format.formatJapanTime('ja', '2026-10-30 07:00:00')).toBe('2026/10/30 7:00');
    expect(format.formatJapanDay('en', '2026-10-30 00:30:00')).toBe('30 Oct 2026');
    expect(format.formatJapanTime('en', '')).toBe('');
  });
});

describe('numbers', () => {
  it('follow the language', () => {
    expect(format.formatShort('ja', 212_345)).toBe('21.2万');
    expect(format.formatShort('en', 212_345)).toBe('212k');
    expect(format.formatNumber('ja', 1_234_567)).toBe('1,234,567');
  });
  it('have a decimal only where it says something', () => {
    expect(format.formatRate('en', 1.26)).toBe('1.3');
    expect(format.formatRate('en', 126.4)).toBe('126');
  });
});

describe('times', () => {
  it('of reading are told in minutes below an hour, in hours from there', () => {
    expect(format.formatReadingTime('ja', 40)).toBe('40分');
    expect(format.formatReadingTime('ja', 425)).toBe('7時間');
    expect(format.formatReadingTime('en', 60)).toBe('1 hr');
  });
  it('of age are told in the largest unit that is at least one', () => {
    expect(format.formatAge('en', 59)).toBe('59 seconds');
    expect(format.formatAge('ja', 3_599)).toBe('59分');
    expect(format.formatAge('en', 7_200)).toBe('2 hours');
    expect(format.formatAge('ja', 300_000)).toBe('3日');
  });
});

describe('boards', () => {
  it('are called by their day or their month', () => {
    expect(format.formatDate('ja', '2026-11-16')).toBe('2026年11月16日(月)');
    expect(format.formatDate('en', '2026-11-16')).toBe('Mon, 16 Nov 2026');
    expect(format.formatMonth('ja', '2026-11-01')).toBe('2026年11月');
  });
});
