import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { plainNovel } from '../../../narou/test/plain-novel.ts';
import { openFiles } from '../../../../test/open-files.ts';
import { verifyIndex } from '../../test/verify-index.ts';
import { ncodeToNumber } from '@mokuroku/narou';
import type { CatalogueNovel } from '@mokuroku/narou/scan';
import { buildIndex, changeIndex, readIndex, readNovels } from './build-index.ts';
import { requireGeneration } from './index-generations.ts';
import { loadGeneration } from './load-generation.ts';
import { openIndex } from '../../test/open-newest-index.ts';
import { openLoaded } from './open-index.ts';

const SMALL = { spacing: 4, rangePositions: 3000, isLogged: false };
const LOGGED = { ...SMALL, isLogged: true };
const novelOf = (index: number, changes: Partial<CatalogueNovel> = {}): CatalogueNovel =>
  plainNovel({ ncode: `N000${index}TA`, ...changes });
const novels = [1, 2, 3, 4].map((index) => novelOf(index));

function newFolder(): string {
  const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'mokuroku-build-'));
  onTestFinished(() => {
    fs.rmSync(dir, { recursive: true });
  });
  return dir;
}

afterEach(() => {
  vi.restoreAllMocks();
});

const titlesOf = (dir: string): string[] =>
  [...readIndex(dir)].map(({ ncode, title = '' }) => `${ncode} ${title}`).sort();

describe('an index', () => {
  it('has no file open after it is built, changed, read in part, verified and closed', async () => {
    const dir = newFolder();
    await buildIndex(dir, novels, SMALL);
    await buildIndex(dir, novels, { ...SMALL, isLogged: true });
    const killed = function* () {
      yield* novels;
      throw new Error('killed');
    };
    await expect(buildIndex(dir, killed(), { ...SMALL, isLogged: true })).rejects.toThrow('killed');
    await changeIndex(dir, { put: [novelOf(5)], remove: ['N0001TA'] }, SMALL);
    for (const { ncode } of readIndex(dir)) if (ncode === 'N0002TA') break;
    verifyIndex(dir);
    const index = openIndex(dir, () => 0);
    expect(openFiles(dir)).toHaveLength(6);
    index.close();
    expect(openFiles(dir)).toEqual([]);
  });

  it('is not opened in part: if a file cannot be opened, none stays open', async () => {
    const dir = newFolder();
    await buildIndex(dir, novels, SMALL);
    await changeIndex(dir, { put: [novelOf(5)], remove: [] }, SMALL);
    const loaded = loadGeneration(dir, requireGeneration(dir), new Set());
    fs.rmSync(path.join(dir, loaded.generation.segments[1]?.folder ?? '', 'bitmaps'));
    expect(() => openLoaded(dir, loaded, () => 0)).toThrow('ENOENT');
    expect(openFiles(dir)).toEqual([]);
  });

  it('that serves another generation closes the files of the former one, except shared ones', async () => {
    const dir = newFolder();
    await buildIndex(dir, novels, SMALL);
    const index = openIndex(dir, () => 0);
    const swap = (folders: string[]) => {
      index.swapGeneration(loadGeneration(dir, requireGeneration(dir), new Set(folders)));
    };
    const count = () => index.search({ order: 'old', st: 1, lim: 9 }).records.length;
    for (const number of [5, 6]) {
      await changeIndex(dir, { put: [novelOf(number)], remove: [] }, SMALL);
      swap(['segment-000001-1']);
      expect([count(), openFiles(dir).length]).toEqual([number, 6]);
    }
    await buildIndex(dir, novels, SMALL);
    swap([]);
    expect([count(), openFiles(dir).length]).toEqual([4, 3]);
    index.close();
    expect(openFiles(dir)).toEqual([]);
  });

  it('serves its generation on if a file of the next one cannot be opened', async () => {
    const dir = newFolder();
    await buildIndex(dir, novels, SMALL);
    const index = openIndex(dir, () => 0);
    await changeIndex(dir, { put: [novelOf(5)], remove: [] }, SMALL);
    const loaded = loadGeneration(dir, requireGeneration(dir), new Set(['segment-000001-1']));
    fs.rmSync(path.join(dir, 'segment-000002-changes', 'bitmaps'));
    expect(() => index.swapGeneration(loaded)).toThrow('ENOENT');
    expect(index.search({ order: 'old', st: 1, lim: 9 }).records).toHaveLength(4);
    expect(openFiles(dir)).toHaveLength(3);
    index.close();
  });

  it('has every file of a segment on disk before a generation names it', async () => {
    const dir = newFolder();
    const flushed: string[] = [];
    vi.spyOn(fs, 'fsyncSync').mockImplementation((file) => {
      flushed.push(path.relative(dir, fs.readlinkSync(`/proc/self/fd/${file}`)));
    });
    await buildIndex(dir, novels, SMALL);
    const { folder, files } = requireGeneration(dir).segments[0]!;
    expect(flushed).toEqual(expect.arrayContaining(Object.keys(files).map((name) => `${folder}/${name}`)));
  });
});

describe('changes of an index', () => {
  it('replace, add and remove novels; of an Ncode in both lists, or twice in one, the last record counts', async () => {
    const dir = newFolder();
    await buildIndex(dir, novels, SMALL);
    const put = [
      novelOf(2, { title: '一' }),
      novelOf(3, { title: '二' }),
      novelOf(3, { title: '三' }),
      novelOf(5),
    ];
    await changeIndex(dir, { put, remove: ['N0001TA', 'N0002TA', 'N9999TA'] }, SMALL);
    const { title = '' } = novelOf(1);
    expect(titlesOf(dir)).toEqual(['N0002TA 一', 'N0003TA 三', `N0004TA ${title}`, `N0005TA ${title}`]);
    // Changes of changes stay in one small segment.
    await changeIndex(dir, { put: [novelOf(3, { title: '四' })], remove: ['N0005TA'] }, SMALL);
    expect(titlesOf(dir)).toEqual(['N0002TA 一', 'N0003TA 四', `N0004TA ${title}`]);
    const { segments } = requireGeneration(dir);
    expect(segments.map(({ records, isChange }) => [records, isChange])).toEqual([
      [4, false],
      [2, true],
    ]);
    expect(
      [...readNovels(dir, new Set(['N0001TA', 'N0003TA'].map(ncodeToNumber)))].map(({ title: each }) => each),
    ).toEqual(['四']);
  });

  it('count the keywords as a new index does', async () => {
    const dir = newFolder();
    const of = (number: number, keyword: string, weekly_point: number) =>
      novelOf(number, { keyword, weekly_point });
    await buildIndex(dir, [of(1, '旅 猫', 5), of(2, '猫 猫', 3), of(3, '竜', 9)], SMALL);
    await changeIndex(dir, { put: [of(2, '子猫', 7), of(4, '子猫 旅', 1)], remove: ['N0003TA'] }, SMALL);
    const index = openIndex(dir, () => 0);
    const keywords = (word: string) => index.suggest(word, 9).keywords;
    expect(keywords('猫')).toEqual([
      { keyword: '子猫', novels: 2 },
      { keyword: '猫', novels: 1 },
    ]);
    expect(keywords('竜')).toEqual([]);
    expect(keywords('旅')).toEqual([{ keyword: '旅', novels: 2 }]);
    index.close();
  });

  it('are refused if a record that they would copy is damaged', async () => {
    const dir = newFolder();
    await buildIndex(dir, novels, SMALL);
    await changeIndex(dir, { put: [novelOf(5)], remove: [] }, SMALL);
    const file = path.join(dir, requireGeneration(dir).segments[1]?.folder ?? '', 'records');
    fs.writeFileSync(file, Buffer.alloc(fs.statSync(file).size));
    await expect(changeIndex(dir, { put: [novelOf(6)], remove: [] }, SMALL)).rejects.toMatchObject({
      name: 'DamagedIndex',
      folder: dir,
    });
  });

  it.each(['keywords-000002', 'changes-000002', 'dead-000002-000001-1', 'segment-000002-changes/columns'])(
    'are refused if %s, which they would copy or read, is damaged',
    async (name) => {
      const dir = newFolder();
      await buildIndex(dir, novels, LOGGED);
      await changeIndex(dir, { put: [novelOf(5)], remove: ['N0001TA'] }, LOGGED);
      const file = path.join(dir, name);
      fs.writeFileSync(file, Buffer.alloc(fs.statSync(file).size, 1));
      await expect(changeIndex(dir, { put: [novelOf(6)], remove: [] }, LOGGED)).rejects.toThrow(
        `${dir} has damaged files: ${name}`,
      );
    },
  );

  it('are on disk before their manifest', async () => {
    const dir = newFolder();
    await buildIndex(dir, novels, LOGGED);
    const flushed: string[] = [];
    vi.spyOn(fs, 'fsyncSync').mockImplementation((file) => {
      flushed.push(path.relative(dir, fs.readlinkSync(`/proc/self/fd/${file}`)));
    });
    await changeIndex(dir, { put: [novelOf(5)], remove: ['N0001TA'] }, LOGGED);
    vi.restoreAllMocks();
    const manifest = flushed.indexOf('generation-000002.json.part');
    const { files } = requireGeneration(dir);
    expect(Object.keys(files).sort()).toEqual(['changes-000002', 'dead-000002-000001-1', 'keywords-000002']);
    expect(flushed.slice(0, manifest)).toEqual(expect.arrayContaining(Object.keys(files)));
  });

  it('are written despite the files of a killed process with the same number', async () => {
    const dir = newFolder();
    await buildIndex(dir, novels, LOGGED);
    for (const name of ['keywords-000002', 'changes-000002', 'dead-000002-000001-1'])
      fs.writeFileSync(path.join(dir, name), 'of a killed process');
    await changeIndex(dir, { put: [novelOf(5)], remove: ['N0001TA'] }, LOGGED);
    expect(verifyIndex(dir)).toEqual([]);
    expect(requireGeneration(dir).number).toBe(2);
    expect([...readIndex(dir)].map(({ ncode }) => ncode)).toEqual([
      'N0002TA',
      'N0003TA',
      'N0004TA',
      'N0005TA',
    ]);
  });

  it.each([
    ['its record', 'records', 0, 0],
    ['the number of another one', 'columns', 8, ncodeToNumber('N0001TA')],
  ])('are refused if a novel that they replace is damaged: %s', async (_what, name, index, number) => {
    const dir = newFolder();
    await buildIndex(dir, novels, SMALL);
    const file = path.join(requireGeneration(dir).segments[0]?.folder ?? '', name);
    const bytes = fs.readFileSync(path.join(dir, file));
    bytes.writeUInt32LE(number, index);
    fs.writeFileSync(path.join(dir, file), bytes);
    await expect(changeIndex(dir, { put: [novelOf(1)], remove: [] }, SMALL)).rejects.toThrow(
      `${dir} has damaged files: ${file}`,
    );
  });
});
