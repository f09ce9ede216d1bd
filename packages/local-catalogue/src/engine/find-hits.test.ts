import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plainNovel } from '../../../narou/test/plain-novel.ts';
import { NOON } from '../../../narou/test/random-questions.ts';
import { FACETS } from '@mokuroku/narou/queries';
import type { NovelConditions } from '@mokuroku/narou/queries';
import { createNovelScan } from '../../../narou/src/scan/novel-scan.ts';
import { buildIndex, changeIndex } from './build-index.ts';
import { requireGeneration } from './index-generations.ts';
import { openIndex } from '../../test/open-newest-index.ts';
import type { OpenIndex } from './open-index.ts';
import { readFrequentWords } from './frequent-words.ts';

// Hits are a list or a bitmap, and a word has positions, a bitmap, or one for each text: every filter must return the
// same for each combination. Values are few, so that ends of ranges are met.

const SIZE = 300;
const LONG = '異世界転生したら竜でした';
const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'mokuroku-hits-'));
const novels = Array.from({ length: SIZE }, (_, number) => {
  const kind = [101, 201, 9901][number % 3] ?? 0;
  return plainNovel({
    ncode: `N${1000 + number}TA`,
    title: `塔${number % 2 === 0 ? '猫' : ''}${number % 40 === 7 ? '狼' : ''}`,
    story: `鐘${number % 3 === 0 ? '猫' : ''}${number % 16 === 5 ? '犬' : ''}${number % 20 === 6 ? LONG : ''}`,
    keyword: number % 90 === 8 ? `長${'い'.repeat(330)}獏` : '旅',
    userid: number % 50,
    ...(number % 9 === 0 && { xid: 'x0001a' }),
    genre: kind,
    biggenre: Math.floor(kind / 100),
    length: number % 5,
    isbl: number % 7 === 0 ? 1 : 0,
    isstop: number % 4 === 0 ? 1 : 0,
    novel_type: number % 6 === 0 ? 2 : 1,
  });
});

let index: OpenIndex;
beforeAll(async () => {
  await buildIndex(dir, novels, { spacing: 4, isLogged: false });
  // Novels that an index has in two versions, one of them dead.
  await changeIndex(dir, { put: novels.slice(0, 12), remove: [] }, { spacing: 4, isLogged: false });
  index = openIndex(dir, () => NOON);
});
afterAll(() => {
  index.close();
  fs.rmSync(dir, { recursive: true });
});

const BEGINNINGS: Record<string, NovelConditions> = {
  'all records': {},
  'a few Ncodes, one twice': { ncode: ['N1003TA', 'N1004TA', 'N1060TA', 'N1120TA', 'N1003TA', 'N9999TA'] },
  'a word that is an Ncode': { word: 'n1120ta' },
  'an Ncode beside another word': { word: 'N1120TA 塔' },
  'two authors': { userid: [4, 20] },
  'an author and an Ncode of another': { userid: [4], ncode: ['N1005TA', 'N1004TA', 'N1054TA'] },
  'an X id': { xid: ['x0001a'] },
  'a rare word': { word: '狼' },
  'a frequent word': { word: '犬' },
  'a frequent word in a text that lacks it': { word: '犬', title: 1 },
  'a frequent word with a bitmap for each text': { word: '猫' },
  'the same in one text': { word: '猫', ex: 1 },
  'the same in two texts': { word: '猫', ex: 1, title: 1 },
  'a word longer than a key': { word: LONG },
  'a word of texts that are not indexed': { word: '獏' },
  'a rare and a frequent word': { word: '狼 猫' },
  'two frequent words': { word: '犬 猫' },
  'a word that no record has': { word: '鯨 猫' },
};

const FILTERS: Record<string, NovelConditions> = {
  'without a filter': {},
  'of a range': { length: { min: 1, max: 3 } },
  'of a range of one value': { length: { min: 4, max: 4 } },
  'from a value': { length: { min: 4 } },
  'up to a value': { length: { max: 0 } },
  'of no value': { length: { min: 3, max: 2 } },
  'of a genre': { genre: [101] },
  'of two genres': { genre: [101, 9901] },
  'of all genres': { genre: [101, 201, 9901] },
  'of no genre': { genre: [7] },
  'without a genre': { notgenre: [101] },
  'with a flag': { isbl: 1 },
  'without a flag': { notbl: 1 },
  'of a type on hiatus': { type: 't', stop: '2' },
  'without a rare word': { notword: '狼' },
  'without a frequent word': { notword: '猫' },
  'without two words, one longer than a key': { notword: `犬 ${LONG}` },
  'without a word of texts that are not indexed': { notword: '獏' },
  'without a word that no record has': { notword: '鯨' },
};

it('the words of this test are as frequent as it says', () => {
  const [segment] = requireGeneration(dir).segments;
  const words = readFrequentWords(path.join(dir, segment?.folder ?? ''));
  const kinds = ['狼', '犬', '猫'].map((word) => words.get(word)?.hasTexts);
  expect(kinds).toEqual([undefined, false, true]);
  expect(segment?.oversized).not.toEqual([]);
});

describe.each(Object.entries(BEGINNINGS))('hits of %s', (_, beginning) => {
  const scan = createNovelScan(novels, () => NOON);

  it.each(Object.entries(FILTERS))('%s are those of a scan', (__, filter) => {
    const conditions = { ...beginning, ...filter };
    const query = { ...conditions, order: 'ncodedesc', st: 1, lim: SIZE } as const;
    const [result, wanted] = [index.search(query), scan.search(query)];
    expect(result.records.map(({ ncode }) => ncode)).toEqual(wanted.records.map(({ ncode }) => ncode));
    expect(result.total).toBe(wanted.total);
    expect(index.facets(conditions, FACETS)).toEqual(scan.facets(conditions, FACETS));
  });
});
