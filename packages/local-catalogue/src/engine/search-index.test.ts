import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import { plainNovel } from '../../../narou/test/plain-novel.ts';
import { NOON, chanceOf, randomNovel, seededRandom } from '../../../narou/test/random-questions.ts';
import { japanDateTime, ncodeToNumber } from '@mokuroku/narou';
import {
  ADULT_NOVEL_CONDITIONS,
  ADULT_SEARCH_PARAMETERS,
  FACETS,
  NOVEL_CONDITIONS,
  NOVEL_SEARCH_PARAMETERS,
  TEXT_TARGETS,
  toNovelQuery,
} from '@mokuroku/narou/queries';
import type { NovelConditions } from '@mokuroku/narou/queries';
import { UNKNOWN_KEY } from '@mokuroku/narou/scan';
import type { CatalogueNovel } from '@mokuroku/narou/scan';
import { createNovelScan } from '../../../narou/src/scan/novel-scan.ts';
import { buildIndex, changeIndex } from './build-index.ts';
import { requireGeneration } from './index-generations.ts';
import { openIndex, searchRecords } from '../../test/index-under-test.ts';
import type { OpenIndex } from './open-index.ts';
import { readFrequentWords } from './frequent-words.ts';

// Hits are a list or a bitmap, and a word has positions, a bitmap, or one for each text: every filter must return the
// same for each combination. Values are few, so that ends of ranges are met.

const SIZE = 300;
const LONG = '異世界転生したら竜でした';
const OPTIONS = { spacing: 4, isLogged: false };
/** The first record begins with the rarer half of the long word, so that the word would begin before all records. */
const FIRST_TITLES = [LONG.slice(4), LONG.slice(0, 8).repeat(2)];
const novels = Array.from({ length: SIZE }, (_, number) => {
  const kind = [101, 201, 9901][number % 3] ?? 0;
  return plainNovel({
    ncode: `N${1000 + number}TA`,
    title: `${FIRST_TITLES[number] ?? ''}塔${number % 2 === 0 ? '猫' : ''}${number % 40 === 7 ? '狼' : ''}`,
    story: `鐘${number % 3 === 0 ? '猫' : ''}${number % 16 === 5 ? '犬' : ''}${number % 20 === 6 ? LONG : ''}`,
    keyword: number % 90 === 8 ? `長${'い'.repeat(330)}獏` : '旅',
    userid: number % 50,
    ...(number % 9 === 0 && { xid: 'x0001a' }),
    genre: kind,
    biggenre: Math.floor(kind / 100),
    length: number % 5,
    isbl: number % 7 === 0 ? 1 : 0,
    isstop: number % 4 === 0 ? 1 : 0,
    noveltype: number % 6 === 0 ? 2 : 1,
  });
});

let dir: string;
let index: OpenIndex;
beforeAll(async () => {
  dir = temporaryFolder();
  await buildIndex(dir, novels.slice(0, -12), OPTIONS);
  // One novel is in two versions: a single record of the large segment is dead.
  await changeIndex(dir, [...novels.slice(-12), novels[120]!], OPTIONS);
  index = openIndex(dir, () => NOON);
});
afterAll(() => {
  index.close();
});

const BEGINNINGS: Record<string, NovelConditions> = {
  'all records': {},
  'a few Ncodes, one twice': { ncode: ['N1003TA', 'N1004TA', 'N1060TA', 'N1120TA', 'N1003TA', 'N9999TA'] },
  'an Ncode beside another word': { word: 'N1120TA 塔' },
  'an Ncode twice': { word: 'N1120TA N1120TA' },
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
  'a word that ends like a text': { word: '狼\0' },
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
  'of a genre, as often as there are genres': { genre: [101, 101, 101] },
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

// The file of a part: results do not show which way they were found.
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
    const [result, wanted] = [searchRecords(index, query), scan.search(query)];
    expect(result.records.map(({ ncode }) => ncode)).toEqual(wanted.records.map(({ ncode }) => ncode));
    expect(result.total).toBe(wanted.total);
    expect(index.facets(conditions, FACETS)).toEqual(scan.facets(conditions, FACETS));
  });
});

const chance = chanceOf(seededRandom(3));

/** An index of these novels, and a scan of them. */
async function openWith(of: readonly CatalogueNovel[]) {
  const folder = temporaryFolder();
  await buildIndex(folder, of, OPTIONS);
  const opened = openIndex(folder, () => NOON);
  onTestFinished(() => opened.close());
  return { opened, scan: createNovelScan(of, () => NOON) };
}

function shuffled(size: number): number[] {
  const numbers = Array.from({ length: size }, (_, number) => number);
  for (let left = size; left > 1; left--) {
    const other = chance.below(left);
    [numbers[left - 1], numbers[other]] = [numbers[other]!, numbers[left - 1]!];
  }
  return numbers;
}

it('a word of a thousand equal letters reads few of the positions of shorter lines of them', async () => {
  const folder = temporaryFolder();
  const lines = Array.from({ length: 700 }, (_, at) => '='.repeat(at === 300 ? 1000 : 50));
  const lined = lines.map((story, at) => plainNovel({ ncode: `N${1000 + at}TA`, story }));
  await buildIndex(folder, lined, { isLogged: false });
  const opened = openIndex(folder, () => NOON);
  onTestFinished(() => opened.close());
  const read = vi.spyOn(fs, 'readSync');
  onTestFinished(() => read.mockRestore());
  expect(opened.search({ word: '='.repeat(990), order: 'new', st: 1, lim: 0 }, () => '').total).toBe(1);
  const bytes = read.mock.results.reduce((sum, { value }) => sum + (value as number), 0);
  // Each of 124 windows has 31,000 positions.
  expect(bytes).toBeLessThan((124 * 31_000 * 4) / 2);
});

it('a long word with which the first record begins is found, also if its end is its rarer part', async () => {
  const titles = [LONG, ...Array.from({ length: 20 }, () => LONG.slice(0, 8))];
  const { opened } = await openWith(
    titles.map((title, at) => plainNovel({ ncode: `N${1000 + at}A`, title })),
  );
  const { records } = searchRecords(opened, { word: LONG, order: 'ncodeasc', st: 1, lim: SIZE });
  expect(records.map(({ title }) => title)).toEqual([LONG]);
});

// Hits are a bitmap of a range or a list of an author. Few hits are sorted, many are walked to, the others ranked.
it('a page of hits, however many they are, equals that of sorting all of them', async () => {
  const COUNTS = [0, 1, 40, 256, 257, 1_000, 3_071, 3_072];
  const size = 3_072;
  const [times, lengths] = [shuffled(size), shuffled(size)];
  const authors = shuffled(size).map((place) => COUNTS.findIndex((count) => place < count));
  const { opened, scan } = await openWith(
    lengths.map((length, at) =>
      plainNovel({ ncode: `N${1000 + at}A`, length, time: times[at] ?? 0, userid: authors[at] ?? 0 }),
    ),
  );
  const conditions = COUNTS.flatMap((count, author): NovelConditions[] => [
    { time: { max: count - 1 } },
    { userid: [author] },
  ]);
  for (const condition of conditions) {
    const query = { ...condition, order: 'lengthdesc' } as const;
    const { total, records } = scan.search({ ...query, st: 1, lim: size });
    const skips = [0, 1, 63, 64, 65, total >> 2, total >> 1, total - 21, total - 1, total, total + 5];
    for (const skip of skips.filter((each) => each >= 0)) {
      for (const lim of [1, 20, 300]) {
        const page = opened.search({ ...query, st: skip + 1, lim }, () => '');
        const wanted = records.slice(skip, skip + lim).map(({ ncode }) => ncodeToNumber(ncode));
        expect([page.total, page.ncodes], JSON.stringify([query, skip, lim])).toEqual([total, wanted]);
      }
    }
  }
});

it('a range has both of its ends, wherever they are', async () => {
  for (const size of [1, 31, 32, 33, 1_000]) {
    const { opened, scan } = await openWith(
      Array.from({ length: size }, (_, at) =>
        plainNovel({ ncode: `N${1000 + at}A`, length: chance.below(50) * 10 }),
      ),
    );
    for (let round = 0; round < 60; round++) {
      const length = { min: chance.below(520), ...(round % 7 > 0 && { max: chance.below(520) }) };
      const query = { length, order: 'old', st: 1, lim: 1 } as const;
      expect(opened.search(query, () => '').total).toBe(scan.search(query).total);
    }
  }
});

describe('a value', () => {
  const DAY = 86_400_000;
  const at = (ms: number) => japanDateTime(NOON - ms);
  const few = [
    plainNovel({ ncode: 'N0001A', length: 2 ** 32 - 2, genre: 65_534, biggenre: 254, general_lastup: at(0) }),
    plainNovel({
      ncode: 'N0002A',
      end: 0,
      length: 0,
      genre: 101,
      biggenre: 1,
      userid: 5,
      general_lastup: at(60 * DAY),
    }),
    { ncode: 'N0003A', end: 0 as const, general_lastup: at(60 * DAY + 1_000), xid: 'x9999zz', fetched_at: 0 },
  ];

  it.each<[string, NovelConditions, number[]]>([
    ['is found at the end of its column', { length: { min: 2 ** 32 - 2 } }, [1]],
    ['is found at the beginning of its column', { length: { max: 0 } }, [2]],
    ['of two bytes is found at the end of its column', { genre: [65_534] }, [1]],
    ['of one byte is found at the end of its column', { biggenre: [254] }, [1]],
    ['that is unknown is outside every range', { length: { min: 5 } }, [1]],
    ['that is unknown is that of no id', { userid: [5, UNKNOWN_KEY] }, [2]],
    ['of an X id is found', { xid: ['x9999zz', 'x0001a'] }, [3]],
    ['is that of no malformed Ncode, as a ranking may have', { ncode: ['N0001A', 'X0002A', 'n3a'] }, [1]],
    ['is recent for 60 days, to the second', { ispickup: 1 }, [1, 2]],
  ])('%s', async (_, conditions, found) => {
    const { opened } = await openWith(few);
    const { records } = searchRecords(opened, { ...conditions, order: 'ncodeasc', st: 1, lim: 9 });
    expect(records.map(({ ncode }) => ncode)).toEqual(found.map((number) => `N000${number}A`));
  });

  it.each<[keyof CatalogueNovel, number, number]>([
    ['length', -1, 4],
    ['length', 1.5, 4],
    ['length', NaN, 4],
    ['userid', 2 ** 32, 4],
    ['genre', 65_536, 2],
    ['biggenre', 256, 1],
  ])('of %s is refused if its column cannot store it: %d', async (name, value, bytes) => {
    await expect(openWith([plainNovel({ [name]: value })])).rejects.toThrow(
      new RangeError(`${name} of N0001TA must be a whole number below ${2 ** (8 * bytes) - 1}, not ${value}`),
    );
  });
});

it('every condition filters', async () => {
  /** Conditions that change others, or the records, and filter nothing alone; no record has a style. */
  const others: readonly string[] = [...TEXT_TARGETS, 'opt', 'buntai'];
  const random = Array.from({ length: 200 }, (_, number) => randomNovel(chance, number));
  // Of which nothing is known, and which no condition selects.
  random.push({ ncode: 'N9999ZZ', fetched_at: 0 });
  const { opened, scan } = await openWith(random);
  for (const name of new Set([...NOVEL_CONDITIONS, ...ADULT_NOVEL_CONDITIONS])) {
    if (others.includes(name)) continue;
    const { schema, example } = { ...NOVEL_SEARCH_PARAMETERS, ...ADULT_SEARCH_PARAMETERS }[name];
    const conditions = toNovelQuery('novelapi', { [name]: schema.parse(String(example)) });
    const query = { ...conditions, order: 'new', st: 1, lim: 1 } as const;
    const { total } = opened.search(query, () => '');
    expect([total, total < random.length], name).toEqual([scan.search(query).total, true]);
  }
});
