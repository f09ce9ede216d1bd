import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
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
import { novelsIn, stateOf } from '../../test/changing-novels.ts';
import { ncodeToNumber } from '@mokuroku/narou';
import { parseNovel } from '@mokuroku/narou/scan';
import type { CatalogueNovel } from '@mokuroku/narou/scan';
import { FACETS } from '@mokuroku/narou/queries';
import type { NovelQuery } from '@mokuroku/narou/queries';
import { createNovelScan } from '../../../narou/src/scan/novel-scan.ts';
import { buildIndex, changeIndex, readIndex } from './build-index.ts';
import { newestGeneration, requireGeneration, loadGeneration } from './index-generations.ts';
import {
  SMALL,
  WHOLE,
  openIndex,
  publishChanges,
  searchRecords,
  verifyIndex,
} from '../../test/index-under-test.ts';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import { BATCH_RECORDS } from './open-index.ts';
import type { OpenIndex } from './open-index.ts';

const QUESTIONS = Number(process.env['MOKUROKU_INDEX_QUESTIONS'] ?? 300);
const CATALOGUES = Number(process.env['MOKUROKU_INDEX_CATALOGUES'] ?? 2);

const oldestOf = (records: readonly CatalogueNovel[]) =>
  Math.min(...records.map(({ fetched_at }) => fetched_at || Infinity));

/** A stream returns the same records as a search, in batches. */
function expectSameStream(index: OpenIndex, query: NovelQuery, wanted: readonly CatalogueNovel[]): void {
  const read = new AbortController();
  const stream = index.stream(query, WHOLE);
  const batches = [...stream.batches(read.signal)];
  read.abort();
  expect(stream.total).toBe(index.search(query, WHOLE).total);
  const stored = batches.flatMap(({ records }) => records);
  expect(stored.map((each) => parseNovel(`{${Buffer.from(each, 'latin1').toString()}}`))).toEqual(wanted);
  expect(batches.filter(({ records }) => records.length > BATCH_RECORDS)).toEqual([]);
  expect(Math.min(...batches.map(({ oldest }) => oldest))).toBe(oldestOf(wanted));
}

function expectSameAnswers(
  index: OpenIndex,
  novels: readonly CatalogueNovel[],
  chance: Chance,
  count: number,
): void {
  const scan = createNovelScan(novels, () => NOON);
  for (let requestCount = 0; requestCount < count; requestCount++) {
    const query = randomQuery(chance, novels);
    const wanted = scan.search(query);
    const { json: _, ...page } = index.search(query, WHOLE);
    expect(page, JSON.stringify(query)).toEqual({
      total: wanted.total,
      ncodes: wanted.records.map(({ ncode }) => ncodeToNumber(ncode)),
      oldest: oldestOf(wanted.records),
    });
    expect(searchRecords(index, query).records).toEqual(wanted.records);
    if (requestCount % 10 !== 0) continue;
    expectSameStream(index, query, wanted.records);
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
        const draw = (number: number): CatalogueNovel => {
          const novel = { ...randomNovel(chance, number), fetched_at: chance.below(70) };
          return seed % 2 === 0 ? withHoles(chance, novel) : novel;
        };
        const novels = Array.from({ length: 40 + chance.below(400) }, (_, number) => draw(number));
        const dir = temporaryFolder();
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
    const dir = temporaryFolder();
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
      const removed = draw(chance.below(10), chance.below(220)).map(({ ncode }) => ncode);
      const remove = round % 3 === 2 ? removed : [];
      const folders = new Set(requireGeneration(dir).segments.map((segment) => segment.folder));
      await publishChanges(dir, { put, remove }, SMALL);
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

  it('is the same, byte for byte, whether its positions are sorted at once or in parts', async () => {
    const chance = chanceOf(seededRandom(5));
    const novels = Array.from({ length: 300 }, (_, index) => randomNovel(chance, index));
    const [whole, parts] = [temporaryFolder(), temporaryFolder()];
    await buildIndex(whole, novels, { spacing: SMALL.spacing });
    await buildIndex(parts, novels, SMALL);
    expect(verifyIndex(parts)).toEqual([]);
    expect(newestGeneration(parts)).toEqual(newestGeneration(whole));
  });

  it('counts its generations beyond 999,999', { timeout: 60_000 }, async () => {
    const dir = temporaryFolder();
    fs.writeFileSync(path.join(dir, 'generation-999999.json'), '');
    await buildIndex(dir, [plainNovel({ ncode: 'N0001A' }), plainNovel({ ncode: 'N0002A' })], SMALL);
    await changeIndex(dir, [plainNovel({ ncode: 'N0003A' })], SMALL);
    expect(newestGeneration(dir)?.number).toBe(1_000_001);
    expect([...readIndex(dir)].map(({ ncode }) => ncode)).toEqual(['N0003A', 'N0001A', 'N0002A']);
  });

  it(
    'is complete, in its old or new state, whenever the process that changes it is killed',
    { timeout: 300_000 },
    async () => {
      const dir = temporaryFolder();
      const program = path.join(temporaryFolder(), 'change-forever.mjs');
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
        const state = stateOf(readIndex(dir));
        expect(state).toBeGreaterThanOrEqual(said.at(-1)!);
        expectSameAnswers(index, novelsIn(state), chanceOf(seededRandom(kill)), 40);
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
    const dir = temporaryFolder();
    await buildIndex(dir, novels, SMALL);
    const index = openIndex(dir, () => NOON);
    const scan = createNovelScan(novels, () => NOON);
    const words = [
      ...[1, 8, 9, 1250, 1499].map((count) => 'あ'.repeat(count)),
      ...['いい竜', '竜の終わり', '猫犬', '猫猫猫猫猫犬犬犬犬犬', '犬犬'],
      ...[127, 128].map((count) => '猫'.repeat(count)),
      // Of nearly all records.
      ...['灯台守の手紙', '灯', '冒険'],
    ];
    for (const word of words) {
      const query = { word, order: 'lengthdesc', st: 1, lim: 3 } as const;
      const { total, records } = scan.search(query);
      expect(searchRecords(index, query), word.slice(0, 12)).toEqual({ total, records });
    }
    index.close();
  });

  it('also works without any records', { timeout: 60_000 }, async () => {
    const dir = temporaryFolder();
    await buildIndex(dir, [], SMALL);
    const index = openIndex(dir, () => NOON);
    expectSameAnswers(index, [], chanceOf(seededRandom(8)), 50);
    index.close();
  });
});
