import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import { afterAll, describe, expect, it } from 'vitest';
import {
  type Chance,
  chanceOf,
  NOON,
  randomConditions,
  randomNovel,
  randomQuery,
  withHoles,
  seededRandom,
} from '../../../narou/test/random-questions.ts';
import { plainNovel } from '../../../narou/test/plain-novel.ts';
import { novelsAfter } from '../../test/changing-novels.ts';
import type { CatalogueNovel } from '@mokuroku/narou/scan';
import { FACETS } from '@mokuroku/narou/queries';
import { createNovelScan } from '../../../narou/src/scan/novel-scan.ts';
import { buildIndex, changeIndex, readIndex } from './build-index.ts';
import { newestGeneration, requireGeneration } from './index-generations.ts';
import { verifyIndex } from '../../test/verify-index.ts';
import { loadGeneration } from './load-generation.ts';
import { openIndex } from '../../test/open-newest-index.ts';
import type { OpenIndex } from './open-index.ts';

const QUESTIONS = Number(process.env['MOKUROKU_INDEX_QUESTIONS'] ?? 300);
const CATALOGUES = Number(process.env['MOKUROKU_INDEX_CATALOGUES'] ?? 2);

// Small enough that a few hundred novels need several ranges, many samples and hundreds of bitmaps.
const SMALL = { spacing: 4, rangePositions: 3000 };

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'mokuroku-index-'));
afterAll(() => {
  fs.rmSync(folder, { recursive: true });
});

function expectSameAnswers(
  index: OpenIndex,
  novels: readonly CatalogueNovel[],
  chance: Chance,
  count: number,
): void {
  const scan = createNovelScan(novels, () => NOON);
  for (let requestCount = 0; requestCount < count; requestCount++) {
    const query = randomQuery(chance, novels);
    const result = index.search(query);
    const wanted = scan.search(query);
    const ncodes = (records: readonly CatalogueNovel[]) => records.map(({ ncode }) => ncode);
    expect([result.total, ncodes(result.records)], JSON.stringify(query)).toEqual([
      wanted.total,
      ncodes(wanted.records),
    ]);
    expect(result.records).toEqual(wanted.records);
    if (requestCount % 10 !== 0) continue;
    const conditions = randomConditions(chance, novels);
    const facets = index.facets(conditions, FACETS);
    expect(facets, JSON.stringify(conditions)).toEqual(scan.facets(conditions, FACETS));
    const typed = (query.word ?? '').slice(0, 4);
    expect(index.suggest(typed, 5), typed).toEqual(scan.suggest(typed, 5));
  }
}

describe('the index', () => {
  it(
    'returns the same as the scan for random queries over random records',
    { timeout: 600_000 },
    async () => {
      for (let seed = 1; seed <= CATALOGUES; seed++) {
        const chance = chanceOf(seededRandom(seed));
        // Every second catalogue has fields that are unknown.
        const draw = (number: number): CatalogueNovel =>
          seed % 2 === 0 ? withHoles(chance, randomNovel(chance, number)) : randomNovel(chance, number);
        const novels = Array.from({ length: 40 + chance.below(400) }, (_, number) => draw(number));
        const dir = path.join(folder, `random-${seed}`);
        await buildIndex(
          dir,
          novels.toSorted(() => 0.5 - chance.below(2)),
          SMALL,
        );
        const index = openIndex(dir, () => NOON);
        expectSameAnswers(index, novels, chance, QUESTIONS);
        index.close();
      }
    },
  );

  it('returns the same as the scan after every change', { timeout: 600_000 }, async () => {
    const chance = chanceOf(seededRandom(77));
    const dir = path.join(folder, 'changed');
    const byNcode = new Map<string, CatalogueNovel>();
    const draw = (count: number, from: number) =>
      Array.from({ length: count }, (_, number) => randomNovel(chance, from + chance.below(2) * number));
    for (let number = 0; number < 200; number++) {
      const novel = randomNovel(chance, number);
      byNcode.set(novel.ncode, novel);
    }
    await buildIndex(dir, byNcode.values(), SMALL);
    const index = openIndex(dir, () => NOON);
    for (let round = 0; round < 8; round++) {
      const put = draw(chance.below(30), chance.below(220));
      const remove = draw(chance.below(10), chance.below(220)).map(({ ncode }) => ncode);
      const folders = new Set(requireGeneration(dir).segments.map((segment) => segment.folder));
      await changeIndex(dir, { put, remove }, SMALL);
      for (const ncode of remove) byNcode.delete(ncode);
      for (const novel of put) byNcode.set(novel.ncode, novel);
      index.swapGeneration(loadGeneration(dir, requireGeneration(dir), folders));
      const novels = [...byNcode.values()];
      expect(index.facts().records).toBe(novels.length);
      expectSameAnswers(index, novels, chance, QUESTIONS / 6);
    }
    expect(new Map([...readIndex(dir)].map((novel) => [novel.ncode, novel]))).toEqual(byNcode);
    index.close();
  });

  it('orders novels of equal keys by their Ncodes, whichever segment has them', async () => {
    const dir = path.join(folder, 'ties');
    const novelsOf = (...ncodes: string[]) => ncodes.map((ncode) => plainNovel({ ncode }));
    await buildIndex(dir, novelsOf('N0002A', 'N0004A', 'N0006A'), SMALL);
    await changeIndex(dir, { put: novelsOf('N0001A', 'N0003A', 'N0005A'), remove: [] }, SMALL);
    expect(requireGeneration(dir).segments).toHaveLength(2);
    const index = openIndex(dir, () => NOON);
    const result = index.search({ order: 'new', st: 1, lim: 6, of: ['n'] });
    index.close();
    expect(result.records.map(({ ncode }) => ncode)).toEqual([
      'N0001A',
      'N0002A',
      'N0003A',
      'N0004A',
      'N0005A',
      'N0006A',
    ]);
  });

  it.each([{}, { word: '灯台守' }, { userid: [1] }, { length: { min: 1 } }, { notgenre: [101] }])(
    'does not return the only removed novel of a segment: %j',
    async (conditions) => {
      const dir = path.join(folder, `removed ${JSON.stringify(conditions)}`);
      const novels = Array.from({ length: 20 }, (_, place) => plainNovel({ ncode: `N${1000 + place}A` }));
      await buildIndex(dir, novels, SMALL);
      await changeIndex(dir, { put: [], remove: ['N1007A'] }, SMALL);
      const index = openIndex(dir, () => NOON);
      const { total, records } = index.search({ ...conditions, order: 'ncodeasc', st: 1, lim: 20 });
      index.close();
      const left = novels.filter(({ ncode }) => ncode !== 'N1007A');
      expect([total, records.map(({ ncode }) => ncode)]).toEqual([19, left.map(({ ncode }) => ncode)]);
    },
  );

  it('is the same, byte for byte, whether its positions are sorted at once or in parts', async () => {
    const chance = chanceOf(seededRandom(5));
    const novels = Array.from({ length: 300 }, (_, index) => randomNovel(chance, index));
    const [whole, parts] = [path.join(folder, 'whole'), path.join(folder, 'parts')];
    await buildIndex(whole, novels, { spacing: SMALL.spacing });
    await buildIndex(parts, novels, SMALL);
    expect(verifyIndex(parts)).toEqual([]);
    expect(newestGeneration(parts)).toEqual(newestGeneration(whole));
  });

  it(
    'falls back to the previous generation when a file of the newest is missing or truncated',
    { timeout: 60_000 },
    async () => {
      const chance = chanceOf(seededRandom(6));
      const novels = Array.from({ length: 20 }, (_, index) => randomNovel(chance, index));
      const dir = path.join(folder, 'broken');
      await buildIndex(dir, novels, SMALL);
      await changeIndex(dir, { put: [], remove: [novels[3]!.ncode] }, SMALL);
      const totalOf = (): number => {
        const index = openIndex(dir, () => NOON);
        const { records } = index.facts();
        index.close();
        return records;
      };
      expect(totalOf()).toBe(19);
      fs.truncateSync(path.join(dir, newestGeneration(dir)!.keywords), 1);
      expect(totalOf()).toBe(20);
      await changeIndex(dir, { put: [], remove: [novels[4]!.ncode, novels[5]!.ncode] }, SMALL);
      expect(totalOf()).toBe(18);
      expect(verifyIndex(dir)).toEqual([]);
      fs.writeFileSync(path.join(dir, 'segment-000001-1', 'positions'), 'x', { flag: 'r+' });
      expect(verifyIndex(dir)).toEqual(['segment-000001-1/positions']);
    },
  );

  it('counts its generations beyond 999,999', { timeout: 60_000 }, async () => {
    const dir = path.join(folder, 'numbers');
    fs.mkdirSync(dir);
    fs.writeFileSync(path.join(dir, 'generation-999999.json'), '');
    await buildIndex(dir, [plainNovel({ ncode: 'N0001A' }), plainNovel({ ncode: 'N0002A' })], SMALL);
    await changeIndex(dir, { put: [], remove: ['N0001A'] }, SMALL);
    expect(newestGeneration(dir)?.number).toBe(1_000_001);
    expect([...readIndex(dir)].map(({ ncode }) => ncode)).toEqual(['N0002A']);
  });

  it('is built despite the remains of a killed build', { timeout: 60_000 }, async () => {
    const chance = chanceOf(seededRandom(7));
    const novels = Array.from({ length: 10 }, (_, index) => randomNovel(chance, index));
    const dir = path.join(folder, 'killed');
    const source = function* () {
      yield* novels.slice(0, 5);
      throw new Error('killed');
    };
    await expect(buildIndex(dir, source(), SMALL)).rejects.toThrow('killed');
    await buildIndex(dir, novels, SMALL);
    expect([...readIndex(dir)]).toEqual(novels);
  });

  it(
    'is complete, in its old or new state, whenever the process that changes it is killed',
    { timeout: 300_000 },
    async () => {
      const dir = path.join(folder, 'killed-often');
      const program = path.join(folder, 'change-forever.mjs');
      const entry = path.resolve(import.meta.dirname, '../../test/change-forever.ts');
      await build({ entryPoints: [entry], outfile: program, bundle: true, platform: 'node', format: 'esm' });
      for (let kill = 0; kill < 4; kill++) {
        const child = spawn(process.execPath, [program, dir], { stdio: ['ignore', 'pipe', 'inherit'] });
        const said: number[] = [];
        for await (const line of createInterface(child.stdout)) {
          if (said.push(Number(line)) === 2 + kill) break;
        }
        child.kill('SIGKILL');
        await once(child, 'exit');
        const index = openIndex(dir, () => NOON);
        const { generation } = index.facts();
        expect(generation).toBeGreaterThanOrEqual(said.at(-1)!);
        expectSameAnswers(index, novelsAfter(generation), chanceOf(seededRandom(kill)), 40);
        expect(verifyIndex(dir)).toEqual([]);
        index.close();
      }
    },
  );

  it('accepts texts of a single letter, and a text of millions', { timeout: 120_000 }, async () => {
    // More positions of one key than a range has room for, or a read brings at once; a text larger than any buffer.
    const novels = Array.from({ length: 250 }, (_, number) =>
      plainNovel({ ncode: `N${1000 + number}A`, story: 'あ'.repeat(1000 + number * 2), length: number }),
    );
    novels.push(plainNovel({ ncode: 'N0001B', story: `${'い'.repeat(3_000_000)}竜の終わり` }));
    novels.push(plainNovel({ ncode: 'N0002B', title: '猫'.repeat(127), writer: '犬'.repeat(63) }));
    novels.push(plainNovel({ ncode: 'N0003B', title: '猫'.repeat(128), writer: '犬' }));
    const dir = path.join(folder, 'long');
    await buildIndex(dir, novels, SMALL);
    const index = openIndex(dir, () => NOON);
    const scan = createNovelScan(novels, () => NOON);
    const words = [
      'あ',
      'あ'.repeat(8),
      'あ'.repeat(9),
      'あ'.repeat(1250),
      'あ'.repeat(1499),
      'いい竜',
      '竜の終わり',
    ];
    for (const word of [
      ...words,
      '猫'.repeat(127),
      '猫'.repeat(128),
      '猫犬',
      '猫猫猫猫猫犬犬犬犬犬',
      '犬犬',
      // Of nearly all records.
      '灯台守の手紙',
      '灯',
      '冒険',
    ]) {
      const query = { word, order: 'lengthdesc', st: 1, lim: 3 } as const;
      expect(index.search(query), word.slice(0, 12)).toEqual(scan.search(query));
    }
    index.close();
  });

  it('also works without any records', { timeout: 60_000 }, async () => {
    const dir = path.join(folder, 'empty');
    await buildIndex(dir, [], SMALL);
    const index = openIndex(dir, () => NOON);
    expectSameAnswers(index, [], chanceOf(seededRandom(8)), 50);
    index.close();
  });
});
