import { describe, expect, it } from 'vitest';
import type { Change } from 'mokuroku-client/source';
import { NOVELAPI_ORDERS, OF_FIELDS, RANKING_TYPES, dayOfDate } from '@mokuroku/narou';
import { statedTotals } from './novel-facts.tsx';
import { episodeDays, figureOf, keywordList } from './novel-record.ts';
import { startBefore } from './novel-row.tsx';
import { PAGE_LENGTH } from './view.ts';
import { createFormat } from '../shell/format.ts';
import { fullGenreName, genreGroups, nameOfBoard } from './words.ts';
import { en } from './words-en.ts';
import { ja } from './words-ja.ts';

it('keywords are separated by blanks of either width', () => {
  expect(keywordList({ keyword: '冒険 魔法\u3000成長  ' })).toEqual(['冒険', '魔法', '成長']);
  expect(keywordList({})).toEqual([]);
});

describe('genres', () => {
  it('include their big genre in Japanese only if they are ambiguous without', () => {
    expect(fullGenreName(ja, 101)).toBe('異世界〔恋愛〕');
    expect(fullGenreName(ja, 201)).toBe('ハイファンタジー');
    expect(fullGenreName(en, 101)).toBe('Romance, another world');
    expect(fullGenreName(ja, 777)).toBe('777');
  });
  it('are grouped by big genre, all 21 that can be chosen', () => {
    expect(genreGroups().flatMap(({ genres }) => genres)).toHaveLength(21);
    expect(genreGroups().find(({ big }) => big === 4)?.genres).toEqual([401, 402, 403, 404]);
  });
});

const format = createFormat('en');

it('the date of a ranking is named by the day, the week of its Monday, or the month', () => {
  const names = RANKING_TYPES.map((type) => nameOfBoard(en, format, type, '2026-11-16'));
  const week = en.ranking.weekOf('Mon, 16 Nov 2026');
  expect(names).toEqual(['Mon, 16 Nov 2026', week, 'November 2026', 'November 2026']);
});

describe('the figure that a list is sorted by', () => {
  it('exists for every order that has a field, with the code of that field', () => {
    const orders = Object.keys(NOVELAPI_ORDERS);
    expect(orders.filter((order) => figureOf(order) === undefined)).toEqual(['weekly']);
    for (const { code, field } of orders.flatMap((order) => figureOf(order) ?? [])) {
      expect(OF_FIELDS.find((row) => row.code === code)?.field).toBe(field);
    }
  });
  it('is absent for an unknown order', () => {
    expect(figureOf('toString')).toBeUndefined();
  });
});

it('episodes come from the record and from recorded changes, each day once', () => {
  const change = (kind: Change['kind'], general_lastup?: string) => ({ kind, general_lastup }) as Change;
  const novel = { general_firstup: '2026-01-05 07:00:00', general_lastup: '2026-11-20 07:00:00' };
  const changes = [
    change('episode', '2026-11-20 07:00:00'),
    change('episode', '2026-11-18 07:00:00'),
    change('rewritten', '2026-11-01 07:00:00'),
    change('episode'),
  ];
  const days = ['2026-01-05', '2026-11-18', '2026-11-20'].map(dayOfDate);
  expect(episodeDays(novel, changes)).toEqual(days);
  expect(episodeDays({ general_firstup: '0000-00-00 00:00:00' }, [])).toEqual([]);
});

it('the page before a position after the last match is the last page', () => {
  expect(startBefore(61, 100)).toBe(31);
  expect(startBefore(31, 31)).toBe(1);
  expect(startBefore(3_001, 45)).toBe(45 - PAGE_LENGTH + 1);
  expect(startBefore(3_001, 0)).toBe(1);
});

it('totals that a record lacks are not shown as 0', () => {
  const totals = statedTotals(en, format, { global_point: 0, review_cnt: 1_200 });
  expect(totals.filter(([, value]) => value)).toEqual([
    ['Overall points', '0'],
    ['Reviews', '1,200'],
  ]);
});

it('one is not counted as several in English', () => {
  const counts = (count: string) => [
    en.list.count(count),
    en.author.count(count),
    en.history.times(count),
    en.form.showFound(count),
  ];
  expect(counts('1')).toEqual(['1 novel', '1 author', '1 time in the top 300', 'Show 1 novel']);
  expect(counts('21')[0]).toBe('21 novels');
});
