import { describe, expect, it } from 'vitest';
import { plainNovel } from '../../test/plain-novel.ts';
import type { NovelQuery } from '../novels/novel-query.ts';
import type { CatalogueNovel } from './catalogue-novel.ts';
import { createNovelScan } from './novel-scan.ts';

// endpoints/search-novels.test.ts and search-adult-novels.test.ts compare every filter and order with a search by hand.

const NOON = Date.parse('2026-11-21T12:00:00+09:00');
const scanOf = (...records: Partial<CatalogueNovel>[]) =>
  createNovelScan(
    records.map((each, index) => plainNovel({ ncode: `N000${index + 1}TA`, ...each })),
    () => NOON,
  );
const query = (changes: Partial<NovelQuery> = {}): NovelQuery => ({
  order: 'new',
  st: 1,
  lim: 20,
  ...changes,
});

describe('a search', () => {
  it('counts all matches and returns the requested rows; ties are ordered by Ncode', () => {
    const scan = scanOf({ ncode: 'N0001TB' }, { ncode: 'N9999TA' }, { ncode: 'N0002A' }, { length: 60_000 });
    const result = scan.search(query({ order: 'lengthdesc', st: 2, lim: 2 }));
    expect(result.total).toBe(4);
    expect(result.records.map(({ ncode }) => ncode)).toEqual(['N0002A', 'N9999TA']);
  });

  it('words may occur in different texts, but each within the targets', () => {
    const scan = scanOf({ title: '猫', story: '竜' });
    expect(scan.search(query({ word: '猫　竜' })).total).toBe(1);
    expect(scan.search(query({ word: '猫　竜', title: 1 })).total).toBe(0);
    expect(scan.search(query({ notword: '竜', title: 1 })).total).toBe(1);
    const { keyword: _, ...unknown } = plainNovel({});
    const blanks = createNovelScan([unknown], () => 0).search(query({ notkeyword: '　', anykeyword: '\n' }));
    expect(blanks.total, 'blanks are no words').toBe(1);
  });

  it('the days of a range are days in Japan, including both ends', () => {
    const scan = scanOf({ general_lastup: '2026-11-15 00:00:00' }, { general_lastup: '2026-11-14 23:59:59' });
    const firstOf = (lastup: NovelQuery['lastup']) =>
      scan.search(query({ lastup })).records.map(({ ncode }) => ncode);
    expect(firstOf('thisweek')).toEqual(['N0001TA']);
    expect(firstOf('lastweek')).toEqual(['N0002TA']);
    const second = Date.parse('2026-11-14T23:59:59+09:00') / 1000;
    expect(firstOf({ min: second, max: second })).toEqual(['N0002TA']);
    expect(firstOf({ max: second - 1 })).toEqual([]);
  });

  it('ispickup includes an episode of exactly 60 days ago and exactly 100,000 characters', () => {
    const scan = scanOf(
      { general_lastup: '2026-09-22 12:00:00', length: 100_000 },
      { general_lastup: '2026-09-22 12:00:00', length: 99_999 },
      { general_lastup: '2026-09-22 11:59:59', length: 100_000 },
      { general_lastup: '2026-09-22 12:00:00', length: 1, end: 0 },
    );
    expect(scan.search(query({ ispickup: 1 })).records.map(({ ncode }) => ncode)).toEqual([
      'N0001TA',
      'N0004TA',
    ]);
  });
});

describe('suggestions', () => {
  const scan = scanOf(
    { title: '猫の宿', writer: '猫山', weekly_point: 4, keyword: '猫 旅', userid: 7 },
    { title: '猫の宿', writer: '犬飼', weekly_point: 9, keyword: '旅' },
    { title: '竜と猫', writer: '猫山', weekly_point: 2, keyword: '子猫 竜' },
    { title: '白猫', writer: '猫山', weekly_point: 2, keyword: '子猫' },
  );

  it('titles and pen names are ordered by the weekly points of their best novel, each once', () => {
    const { titles, writers } = scan.suggest('猫', 10);
    expect(titles).toEqual([
      { title: '猫の宿', ncode: 'N0002TA' },
      { title: '竜と猫', ncode: 'N0003TA' },
      { title: '白猫', ncode: 'N0004TA' },
    ]);
    expect(writers).toEqual([{ writer: '猫山', userid: 7 }]);
  });

  it('keywords are ordered by the weekly points of all their novels together, then by their letters', () => {
    expect(scan.suggest('猫', 10).keywords).toEqual([
      { keyword: '子猫', novels: 2 },
      { keyword: '猫', novels: 1 },
    ]);
  });

  it('at most the requested number of each kind; every word must occur in the text; no words, no suggestions', () => {
    expect(scan.suggest('猫', 1).titles).toHaveLength(1);
    expect(scan.suggest('猫　竜', 10).titles).toEqual([{ title: '竜と猫', ncode: 'N0003TA' }]);
    expect(scan.suggest('　', 10)).toEqual({ titles: [], writers: [], keywords: [] });
  });
});
