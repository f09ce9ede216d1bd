import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import { openFiles } from '../../../../test/open-files.ts';
import { plainNovel } from '../../../narou/test/plain-novel.ts';
import { NOON } from '../../../narou/test/random-questions.ts';
import { SMALL, WHOLE, openIndex, searchRecords } from '../../test/index-under-test.ts';
import { ncodeToNumber } from '@mokuroku/narou';
import type { CatalogueNovel } from '@mokuroku/narou/scan';
import { createNovelScan } from '../../../narou/src/scan/novel-scan.ts';
import { buildIndex, changeIndex } from './build-index.ts';
import { DamagedFile } from './files.ts';
import { requireGeneration, loadGeneration } from './index-generations.ts';
import type { OpenIndex } from './open-index.ts';

const SECONDS = NOON / 1000;

/** A new index of novels with these fields, numbered from 1. */
async function build(novels: readonly Partial<CatalogueNovel>[]): Promise<string> {
  const dir = temporaryFolder();
  const ncodeOf = (index: number) => `N${String(index + 1).padStart(4, '0')}TA`;
  await buildIndex(
    dir,
    novels.map((each, index) => plainNovel({ ncode: ncodeOf(index), ...each })),
    SMALL,
  );
  return dir;
}

const many = (count: number) => Array.from({ length: count }, () => ({}));

it('a stream of an index that was closed before its first record has them all, and closes its files', async () => {
  const dir = await build(many(150));
  const closed = openIndex(dir, () => NOON);
  const read = new AbortController();
  const stream = closed.stream({ order: 'old', st: 1, lim: 500 }, WHOLE);
  const batches = stream.batches(read.signal);
  closed.close();
  expect([...batches].flatMap(({ records }) => records)).toHaveLength(150);
  read.abort();
  expect(openFiles(dir)).toEqual([]);
  expect(() => stream.batches(read.signal)).toThrow('is closed');
});

it.each([
  ['records', undefined],
  ['positions', '竜'],
  ['bitmaps', '灯'],
])('a search that reads %s fails if they are overwritten while the index is open', async (name, word) => {
  const dir = await build([...many(150), { title: '竜' }]);
  const index = openIndex(dir, () => NOON);
  const file = path.join(dir, 'segment-000001-1', name);
  fs.writeFileSync(file, Buffer.alloc(fs.statSync(file).size));
  const query = { order: 'old', st: 1, lim: 1, ...(word && { word }) } as const;
  expect(() => index.search(query, WHOLE)).toThrow(DamagedFile);
  index.close();
});

it('a disk that reads in small pieces gives the same index', async () => {
  const read = fs.readSync;
  vi.spyOn(fs, 'readSync').mockImplementation(((...of: [number, Uint8Array, number, number, number]) =>
    read(of[0], of[1], of[2], Math.min(of[3], 1_000), of[4])) as typeof fs.readSync);
  const index = openIndex(await build([...many(150), { title: '竜' }]), () => NOON);
  const totals = ['竜', '灯', '灯台守の手紙', '鯨'].map(
    (word) => index.search({ word, order: 'old', st: 1, lim: 1 }, WHOLE).total,
  );
  index.close();
  vi.restoreAllMocks();
  expect(totals).toEqual([1, 150, 150, 0]);
});

it.each([
  ['of no record', [{}, {}], false],
  ['of some record', [{}, { xid: 'x0001a' }], true],
  [
    'of records with invalid values',
    ['X0001A', 'x001a', 'x00001a', 'x0001abc', 'x0001', 'x0001a ', ''].map((xid) => ({ xid })),
    false,
  ],
])('an index knows whether it has any value in a column: %s', async (_, novels, isThere) => {
  const index = openIndex(await build(novels), () => NOON);
  expect([index.hasAny('xid'), index.hasAny('ncode')]).toEqual([isThere, true]);
  index.close();
});

describe('records of a maximum age', () => {
  const MAX_AGE = 1_000;
  const ages = [0, 939, 500, 940, 1_000, 2_000];
  // The last one has no age.
  const novels = [...ages.map((age) => ({ fetched_at: SECONDS - age })), { fetched_at: 0 }];
  /** The last figures of the Ncodes. */
  const found = (index: OpenIndex) =>
    searchRecords(index, { order: 'ncodeasc', st: 1, lim: 20 }).records.map(({ ncode }) => Number(ncode[4]));

  it('are dropped before they expire, are counted, and return if the clock is set back', async () => {
    let now = NOON;
    const index = openIndex(await build(novels), () => now, MAX_AGE);
    // Between two checks, a minute apart, none becomes older than the maximum.
    expect(found(index)).toEqual([1, 2, 3, 7]);
    const facts = { generation: 1, isSample: false };
    expect(index.facts()).toEqual({ ...facts, records: 4, outdated: 3, oldest: SECONDS - 939 });
    now += 59_999;
    expect(found(index)).toEqual([1, 2, 3, 7]);
    now += 1;
    expect(found(index)).toEqual([1, 3, 7]);
    now = NOON + 2 * MAX_AGE * 1000;
    expect(index.facts()).toEqual({ ...facts, records: 1, outdated: 6, oldest: Infinity });
    now = NOON - 1_100_000;
    expect(found(index)).toHaveLength(7);
    index.close();
  });

  it('stay dropped in the next generation; those replaced in it are not counted', async () => {
    const dir = await build(novels);
    const index = openIndex(dir, () => NOON, MAX_AGE);
    const folders = new Set(requireGeneration(dir).segments.map(({ folder }) => folder));
    const put = [3, 6].map((index) => plainNovel({ ncode: `N000${index}TA`, fetched_at: SECONDS }));
    await changeIndex(dir, put, SMALL);
    index.swapGeneration(loadGeneration(dir, requireGeneration(dir), folders));
    expect(found(index)).toEqual([1, 2, 3, 6, 7]);
    expect(index.facts()).toMatchObject({ records: 5, outdated: 2, generation: 2, oldest: SECONDS - 939 });
    const ncodes = Array.from({ length: 9 }, (_, at) => ncodeToNumber(`N000${at}TA`));
    const presence = index.presenceOf(ncodes);
    const [yes, no, old] = ['served', undefined, 'outdated'];
    expect(ncodes.map((ncode) => presence.get(ncode))).toEqual([no, yes, yes, yes, old, old, yes, yes, no]);
    index.close();
  });
});

it.each([
  ['all', 0, Infinity, false],
  ['all but the last tried', 0, 37, true],
  ['none', 0, 0, true],
])('an index is readable unless every record of a sample is damaged: %s', async (_, from, to, isReadable) => {
  const dir = await build(many(40));
  const file = path.join(dir, requireGeneration(dir).segments[0]?.folder ?? '', 'records');
  const bytes = fs.readFileSync(file);
  // Records of equal length.
  const length = bytes.length / 40;
  for (let id = from; id < Math.min(to, 40); id++) bytes[Math.floor(id * length) + 9] = 0;
  const index = openIndex(dir, () => NOON);
  fs.writeFileSync(file, bytes);
  expect(index.isReadable()).toBe(isReadable);
  index.close();
});

/** The suggestions of the index for some texts, which are those of the scan. */
async function suggestionsFor(novels: readonly CatalogueNovel[], ...typed: string[]) {
  const index = openIndex(await build(novels), () => 0);
  const scan = createNovelScan(novels, () => 0);
  const suggestions = typed.map((text) => index.suggest(text, 8));
  index.close();
  expect(suggestions).toEqual(typed.map((text) => scan.suggest(text, 8)));
  return suggestions;
}

describe('suggestions', () => {
  it('begin with the novel of a typed Ncode, in any form, and end with its other words', async () => {
    const novels = Array.from({ length: 30 }, (_, place) =>
      plainNovel({ ncode: `N${1000 + place}A`, title: place % 2 ? `n1004a ${place}` : `題 ${place}` }),
    );
    const texts = ['n1004a', ' Ｎ１００４Ａ', 'https://ncode.syosetu.com/n1004a/3/', 'n1005a', 'n9999a'];
    const found = await suggestionsFor(novels, ...texts);
    expect(found.map(({ titles }) => titles[0]?.ncode)).toEqual([
      'N1004A',
      'N1004A',
      'N1004A',
      'N1005A',
      undefined,
    ]);
    expect(found[0]?.titles).toHaveLength(8);
  });

  it('begin with it, although a better novel has the same title', async () => {
    const title = 'n1002a の話';
    const novels = [1, 2, 3].map((number) =>
      plainNovel({ ncode: `N100${number}A`, title, weekly_point: 100 - number }),
    );
    const [suggestions] = await suggestionsFor(novels, 'n1002a');
    expect(suggestions?.titles).toEqual([{ title, ncode: 'N1002A' }]);
  });

  it('count the novels of a keyword, of which one has it twice', async () => {
    const keywords = ['霧 海 霧', '霧'];
    const novels = keywords.map((keyword, at) => plainNovel({ ncode: `N100${at}A`, keyword }));
    const [suggestions] = await suggestionsFor(novels, '霧');
    expect(suggestions?.keywords).toEqual([{ keyword: '霧', novels: 2 }]);
  });

  it('include texts that follow two hundred novels with the same text', async () => {
    const novels = Array.from({ length: 220 }, (_, place) => {
      const name = place < 210 ? '霧の灯台' : `霧の灯台 ${place}`;
      return plainNovel({
        ncode: `N${1000 + place}A`,
        title: name,
        writer: name,
        userid: 5,
        weekly_point: 300 - place,
      });
    });
    const [suggestions] = await suggestionsFor(novels, '灯台');
    expect([suggestions?.titles.length, suggestions?.writers.length]).toEqual([8, 8]);
  });

  it('ignore case and width of what is typed, and of titles, pen names and keywords', async () => {
    const novels = [
      plainNovel({ ncode: 'N1001A', title: 'ReSTART！ ｶﾞﾗｽの国', writer: 'Ａｏｉ', keyword: 'ＶＲ ゲーム' }),
      plainNovel({ ncode: 'N1002A', title: 'restart', writer: 'aoi', keyword: 'vr' }),
      plainNovel({ ncode: 'N1003A', title: '星の国', writer: 'Bei', keyword: '旅' }),
    ];
    const count = ({ titles, writers, keywords }: Awaited<ReturnType<typeof suggestionsFor>>[number]) =>
      [titles, writers, keywords].map((list) => list.length);
    const typed = ['RESTART', 'ｒｅｓｔａｒｔ!', 'ガラス 国', 'ｶﾞﾗ', 'AOI', 'vR', 'か', 'reset'];
    expect((await suggestionsFor(novels, ...typed)).map(count)).toEqual([
      [2, 0, 0],
      [1, 0, 0],
      [1, 0, 0],
      [1, 0, 0],
      [0, 2, 0],
      [0, 0, 2],
      [0, 0, 0],
      [0, 0, 0],
    ]);
  });

  it('are not found by a part of a letter with its mark', async () => {
    const novels = [plainNovel({ ncode: 'N1001A', title: 'か\u3099ラス', writer: 'B' })];
    expect((await suggestionsFor(novels, 'か', 'が')).map(({ titles }) => titles.length)).toEqual([0, 1]);
  });
});
