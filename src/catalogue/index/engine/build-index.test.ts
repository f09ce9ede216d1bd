import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { plainNovel } from '../../../../test/catalogue/plain-novel.ts';
import { openFiles } from '../../../../test/open-files.ts';
import { ncodeToNumber } from '../../novels/ncode.ts';
import type { CatalogueNovel } from '../catalogue-novel.ts';
import { buildIndex, changeIndex, readIndex, readNovels } from './build-index.ts';
import { requireGeneration } from './index-generations.ts';
import { verifyIndex } from '../../../../test/catalogue/verify-index.ts';
import { loadGeneration } from './load-generation.ts';
import { openIndex, openLoaded } from './open-index.ts';

const SMALL = { spacing: 4, rangePositions: 3000, isLogged: false };
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
    expect(openFiles(dir)).toHaveLength(8);
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
