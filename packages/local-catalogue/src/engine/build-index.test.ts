import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import { openFiles } from '../../../../test/open-files.ts';
import { plainNovel } from '../../../narou/test/plain-novel.ts';
import { SMALL as OPTIONS, openIndex, searchRecords, verifyIndex } from '../../test/index-under-test.ts';
import { ncodeToNumber } from '@mokuroku/narou';
import type { CatalogueNovel } from '@mokuroku/narou/scan';
import { buildIndex, changeIndex, readIndex } from './build-index.ts';
import { NOVEL_INDEX, requireGeneration, loadGeneration } from './index-generations.ts';
import { KEY_LETTERS, KEY_WORDS } from './layout.ts';
import { compareKeys, packKey } from './letters.ts';
import { openLoaded } from './open-index.ts';
import { divideKeys } from './sort-positions.ts';

const SMALL = { ...OPTIONS, isLogged: false };
const LOGGED = { ...OPTIONS, isLogged: true };
const novelOf = (index: number, changes: Partial<CatalogueNovel> = {}): CatalogueNovel =>
  plainNovel({ ncode: `N000${index}TA`, ...changes });
const novels = [1, 2, 3, 4].map((index) => novelOf(index));

/** A source of novels that ends like a killed build. */
function* killed() {
  yield* novels;
  throw new Error('killed');
}

afterEach(() => {
  vi.restoreAllMocks();
});

const titlesOf = (dir: string): string[] =>
  [...readIndex(dir)].map(({ ncode, title = '' }) => `${ncode} ${title}`).sort();

describe('an index', () => {
  it('has no file open after it is built, changed, read in part, verified and closed', async () => {
    const dir = temporaryFolder();
    await buildIndex(dir, novels, SMALL);
    await buildIndex(dir, novels, LOGGED);
    await expect(buildIndex(dir, killed(), LOGGED)).rejects.toThrow('killed');
    await changeIndex(dir, [novelOf(5)], SMALL);
    for (const { ncode } of readIndex(dir)) if (ncode === 'N0002TA') break;
    verifyIndex(dir);
    const index = openIndex(dir, () => 0);
    expect(openFiles(dir)).toHaveLength(6);
    index.close();
    expect(openFiles(dir)).toEqual([]);
  });

  it('is not opened in part: if a file cannot be opened, none stays open', async () => {
    const dir = temporaryFolder();
    await buildIndex(dir, novels, SMALL);
    await changeIndex(dir, [novelOf(5)], SMALL);
    const loaded = loadGeneration(dir, requireGeneration(dir));
    fs.rmSync(path.join(dir, loaded.generation.segments[1]?.folder ?? '', 'bitmaps'));
    expect(() => openLoaded(dir, loaded, () => 0)).toThrow('ENOENT');
    expect(openFiles(dir)).toEqual([]);
  });

  it('that serves another generation closes the files of the former one, except shared ones', async () => {
    const dir = temporaryFolder();
    await buildIndex(dir, novels, SMALL);
    const index = openIndex(dir, () => 0);
    const swap = (folders: string[]) => {
      index.swapGeneration(loadGeneration(dir, requireGeneration(dir), new Set(folders)));
    };
    const count = () => searchRecords(index, { order: 'old', st: 1, lim: 9 }).records.length;
    for (const number of [5, 6]) {
      await changeIndex(dir, [novelOf(number)], SMALL);
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
    const dir = temporaryFolder();
    await buildIndex(dir, novels, SMALL);
    const index = openIndex(dir, () => 0);
    await changeIndex(dir, [novelOf(5)], SMALL);
    const loaded = loadGeneration(dir, requireGeneration(dir), new Set(['segment-000001-1']));
    fs.rmSync(path.join(dir, 'segment-000002-changes', 'bitmaps'));
    expect(() => index.swapGeneration(loaded)).toThrow('ENOENT');
    expect(searchRecords(index, { order: 'old', st: 1, lim: 9 }).records).toHaveLength(4);
    expect(openFiles(dir)).toHaveLength(3);
    index.close();
  });

  it('and its changes have every file on disk before a manifest names it', async () => {
    const dir = temporaryFolder();
    let flushed: string[] = [];
    vi.spyOn(fs, 'fsyncSync').mockImplementation((file) => {
      flushed.push(path.relative(dir, fs.readlinkSync(`/proc/self/fd/${file}`)));
    });
    const before: string[] = [];
    for (const publish of [
      () => buildIndex(dir, novels, LOGGED),
      () => changeIndex(dir, [novelOf(5)], LOGGED),
    ]) {
      flushed = [];
      await publish();
      const { number } = requireGeneration(dir);
      const ofGeneration = NOVEL_INDEX.filesOf(requireGeneration(dir)).map(([name]) => name);
      const written = ofGeneration.filter((name) => !before.includes(name));
      const manifest = flushed.indexOf(`generation-00000${number}.json.part`);
      expect(flushed.slice(0, manifest)).toEqual(expect.arrayContaining(written));
      before.push(...written);
    }
    expect(before.filter((name) => !name.startsWith('segment'))).toEqual([
      'keywords-000001',
      'keywords-000002',
      'changes-000002',
    ]);
  });

  it('is not read from a folder without one', () => {
    expect(() => [...readIndex(temporaryFolder())]).toThrow('no generation is complete');
  });

  it('of another layout has another version, so that no release misreads the files of another', async () => {
    const dir = temporaryFolder();
    // A field without a column changes no file of a record that lacks it.
    const few = [1, 2, 3].map((index) => ({
      ncode: `N000${index}TA`,
      title: `霧の塔 Vol.${index}`,
      keyword: '冒険 魔法',
      genre: 201,
      noveltype: 1,
      isr15: 1 as const,
      length: 50_000,
      general_lastup: '2026-11-01 18:00:00',
      fetched_at: 0,
    }));
    await buildIndex(dir, few, { spacing: 4, isLogged: false });
    const { version, segments, files } = requireGeneration(dir);
    const facts = [...Object.entries(files), ...segments.flatMap(({ files: own }) => Object.entries(own))];
    const sums = facts.map(([name, { sha256 }]) => `${path.basename(name)} ${sha256}`);
    // Indexes of earlier versions are rebuilt from their records.
    expect(
      { version, sum: createHash('sha256').update(sums.join('\n')).digest('hex') },
      'increment INDEX_VERSION of engine/layout.ts, and state both here',
    ).toEqual({
      version: 11,
      sum: '378799f4cc2fbe37271102387e08b024432dd39a27265a118bf290968c941a8a',
    });
  });
});

describe('changes of an index', () => {
  it('replace and add novels; of an Ncode twice among them the last record counts', async () => {
    const dir = temporaryFolder();
    await buildIndex(dir, novels, SMALL);
    const put = [
      novelOf(2, { title: '一' }),
      novelOf(3, { title: '二' }),
      novelOf(3, { title: '三' }),
      novelOf(5),
    ];
    await changeIndex(dir, put, SMALL);
    const unchanged = (index: number) => `N000${index}TA ${novelOf(index).title ?? ''}`;
    expect(titlesOf(dir)).toEqual([unchanged(1), 'N0002TA 一', 'N0003TA 三', unchanged(4), unchanged(5)]);
    // Changes of changes stay in one small segment.
    await changeIndex(dir, [novelOf(3, { title: '四' })], SMALL);
    expect(titlesOf(dir)).toEqual([unchanged(1), 'N0002TA 一', 'N0003TA 四', unchanged(4), unchanged(5)]);
    const { segments } = requireGeneration(dir);
    expect(segments.map(({ records, isChange }) => [records, isChange])).toEqual([
      [4, false],
      [3, true],
    ]);
    expect(
      [...readIndex(dir, new Set(['N9999TA', 'N0003TA'].map(ncodeToNumber)))].map(({ title: each }) => each),
    ).toEqual(['四']);
  });

  it.each([
    'keywords-000002',
    'changes-000002',
    'segment-000002-changes/columns',
    'segment-000002-changes/records',
  ])('are refused if %s, which they would copy or read, is damaged', async (name) => {
    const dir = temporaryFolder();
    await buildIndex(dir, novels, LOGGED);
    await changeIndex(dir, [novelOf(5)], LOGGED);
    const file = path.join(dir, name);
    fs.writeFileSync(file, Buffer.alloc(fs.statSync(file).size, 1));
    await expect(changeIndex(dir, [novelOf(6)], LOGGED)).rejects.toThrow(`${dir} has damaged files: ${name}`);
  });

  it('and the index are written despite the files of killed processes, whose numbers are not used again', async () => {
    const dir = temporaryFolder();
    await expect(buildIndex(dir, killed(), LOGGED)).rejects.toThrow('killed');
    await buildIndex(dir, novels, LOGGED);
    for (const name of ['keywords-000003', 'changes-000003'])
      fs.writeFileSync(path.join(dir, name), 'of a killed process');
    await changeIndex(dir, [novelOf(5)], LOGGED);
    expect(verifyIndex(dir)).toEqual([]);
    expect(requireGeneration(dir).number).toBe(4);
    expect([...readIndex(dir)]).toEqual([5, 1, 2, 3, 4].map((index) => novelOf(index)));
  });

  it('are written beside a segment with a damaged file that they neither copy nor read', async () => {
    const dir = temporaryFolder();
    await buildIndex(dir, novels, SMALL);
    const file = path.join(dir, 'segment-000001-1', 'positions');
    fs.writeFileSync(file, Buffer.alloc(fs.statSync(file).size, 1));
    await changeIndex(dir, [novelOf(5)], SMALL);
    await changeIndex(dir, [novelOf(6)], SMALL);
    expect([...readIndex(dir)]).toHaveLength(6);
  });

  it.each([
    ['its record', 'records', 0, 0],
    ['the number of another one', 'columns', 8, ncodeToNumber('N0001TA')],
  ])('are refused if a novel that they replace is damaged: %s', async (_what, name, index, number) => {
    const dir = temporaryFolder();
    await buildIndex(dir, novels, SMALL);
    const file = path.join(requireGeneration(dir).segments[0]?.folder ?? '', name);
    const bytes = fs.readFileSync(path.join(dir, file));
    bytes.writeUInt32LE(number, index);
    fs.writeFileSync(path.join(dir, file), bytes);
    await expect(changeIndex(dir, [novelOf(1)], SMALL)).rejects.toThrow(`${dir} has damaged files: ${file}`);
  });
});

function keysOf(words: readonly string[]): Uint32Array {
  const keys = new Uint32Array(words.length * KEY_WORDS);
  for (const [index, text] of words.entries()) {
    const units = Uint16Array.from({ length: KEY_LETTERS }, (_, at) => text.charCodeAt(at) || 0);
    packKey(units, 0, text.length, keys, index * KEY_WORDS);
  }
  return keys;
}

// Not through an index: it is the same, however uneven the ranges are. They bound the memory of a build.
it.each([1, 2, 3, 7, 10])('if keys are divided into %d ranges, each has as many', (parts) => {
  const words = Array.from({ length: 210 }, (_, at) => String.fromCharCode(0x3042 + ((at * 37) % 210)));
  const keys = keysOf(words);
  const counts = divideKeys(keys, parts).map(({ low, high }) => {
    const isInRange = (at: number) =>
      (low === null || compareKeys(keys, at, low, 0) >= 0) &&
      (high === null || compareKeys(keys, at, high, 0) < 0);
    return words.filter((_, index) => isInRange(index * KEY_WORDS)).length;
  });
  expect(counts).toEqual(Array.from({ length: parts }, () => 210 / parts));
});

it('keys of many equal words are divided into ranges that differ', () => {
  const ranges = divideKeys(keysOf(['い', 'あ', 'い', 'い', 'い', 'う']), 6);
  expect(ranges.map(({ high }) => high?.[0])).toEqual([0x3044_0000, 0x3046_0000, undefined]);
});
