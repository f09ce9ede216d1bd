import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plainNovel } from '../../../narou/test/plain-novel.ts';
import {
  chanceOf,
  NOON,
  randomNovel,
  randomQuery,
  seededRandom,
  withHoles,
} from '../../../narou/test/random-questions.ts';
import { ncodeToNumber } from '@mokuroku/narou';
import type { CatalogueNovel } from '@mokuroku/narou/scan';
import { buildIndex, changeIndex } from './build-index.ts';
import { requireGeneration } from './index-generations.ts';
import { loadGeneration } from './load-generation.ts';
import { openIndex } from '../../test/open-newest-index.ts';
import type { FoundBatch, OpenIndex } from './open-index.ts';
import { parseNovel } from '@mokuroku/narou/scan';

const root = fs.mkdtempSync(path.join(os.tmpdir(), 'mokuroku-open-index-'));
const newFolder = (): string => fs.mkdtempSync(path.join(root, 'index-'));
afterAll(() => {
  fs.rmSync(root, { recursive: true });
});

const SMALL = { spacing: 4, rangePositions: 3000 };
const SECONDS = NOON / 1000;
/** All that is stored, without braces. */
const WHOLE = (stored: string): string => stored.slice(1, -1);
const parseWhole = (fields: string): unknown => parseNovel(`{${Buffer.from(fields, 'latin1').toString()}}`);

describe('the index of two segments', () => {
  const chance = chanceOf(seededRandom(11));
  // Texts of 200 bytes to 20 KB, so that neighbours are read at once or not.
  const novels = Array.from({ length: 260 }, (_, number) => {
    const novel = withHoles(chance, randomNovel(chance, number));
    return {
      ...novel,
      story: (novel.story ?? '').repeat(number % 9 === 0 ? 100 : 1),
      fetched_at: number % 70,
    };
  });
  let index: OpenIndex;
  beforeAll(async () => {
    const dir = newFolder();
    await buildIndex(dir, novels.slice(0, 200), SMALL);
    await changeIndex(dir, { put: novels.slice(180), remove: [] }, SMALL);
    index = openIndex(dir, () => NOON);
  });
  afterAll(() => {
    index.close();
  });
  const queries = Array.from({ length: 25 }, () => randomQuery(chance, novels));
  const oldestOf = (records: readonly CatalogueNovel[]) =>
    Math.min(...records.map(({ fetched_at }) => fetched_at || Infinity));

  it('returns the records of a search as JSON, with their number and the time of the oldest', () => {
    for (const query of queries) {
      const { total, records } = index.search(query);
      const result = index.searchJson(query, WHOLE);
      expect(
        (JSON.parse(result.json.toString()) as object[]).map((each) => parseNovel(JSON.stringify(each))),
      ).toEqual(records);
      expect([result.total, result.ncodes, result.oldest]).toEqual([
        total,
        records.map(({ ncode }) => ncodeToNumber(ncode)),
        oldestOf(records),
      ]);
    }
  });

  it('streams the same records to the last, in batches', () => {
    for (const query of queries) {
      const { records } = index.search({ ...query, lim: 500 });
      const batches: FoundBatch[] = [...index.stream({ ...query, lim: 500 }, WHOLE)];
      expect(batches.flatMap((batch) => batch.records.map(parseWhole))).toEqual(records);
      expect(batches.map((batch) => batch.records.length).filter((count) => count > 50)).toEqual([]);
      expect(Math.min(...batches.map(({ oldest }) => oldest))).toBe(oldestOf(records));
    }
  });

  it('streams its records to the last although it was closed meanwhile', async () => {
    const dir = newFolder();
    await buildIndex(dir, novels.slice(0, 150), SMALL);
    const closed = openIndex(dir, () => NOON);
    const stream = closed.stream({ order: 'old', st: 1, lim: 500 }, WHOLE);
    const first = stream.next().value as FoundBatch;
    closed.close();
    const rest = [...stream];
    expect([first, ...rest].flatMap(({ records }) => records)).toHaveLength(150);
    // Then its files are closed.
    expect(() => closed.search({ order: 'old', st: 1, lim: 1 })).toThrow();
  });
});

describe('a column', () => {
  it.each([
    ['of no record', [{}, {}], false],
    ['of some record', [{}, { xid: 'x0001a' }], true],
    [
      'of records with invalid values',
      ['X0001A', 'x001a', 'x00001a', 'x0001abc', 'x0001', 'x0001a ', ''].map((xid) => ({ xid })),
      false,
    ],
  ])('%s', async (_, holders, isThere) => {
    const dir = newFolder();
    const novels = holders.map((each, number) => plainNovel({ ncode: `N000${number + 1}TA`, ...each }));
    await buildIndex(dir, novels, SMALL);
    const index = openIndex(dir, () => NOON);
    expect([index.hasAny('xid'), index.hasAny('ncode')]).toEqual([isThere, true]);
    index.close();
  });
});

describe('records of a maximum age', () => {
  const MAX_AGE = 1_000;
  const ages = [0, 500, 939, 940, 1_000, 2_000];
  const novels = ages.map((age, index) =>
    plainNovel({ ncode: `N000${index + 1}TA`, fetched_at: SECONDS - age, title: `題${index % 2}` }),
  );
  // One without an age.
  novels.push(plainNovel({ ncode: 'N0007TA', fetched_at: 0 }));
  const ncodesOf = (index: OpenIndex) =>
    index.search({ order: 'ncodeasc', st: 1, lim: 20 }).records.map(({ ncode }) => ncode);

  it('are dropped before they expire, are counted, and return if the clock is set back', async () => {
    const dir = newFolder();
    await buildIndex(dir, novels, SMALL);
    let now = NOON;
    const index = openIndex(dir, () => now, MAX_AGE);
    const young = ['N0001TA', 'N0002TA', 'N0003TA', 'N0007TA'];
    // Between two checks, a minute apart, none becomes older than the maximum.
    expect(ncodesOf(index)).toEqual(young);
    expect(index.facts()).toEqual({
      records: 4,
      outdated: 3,
      generation: 1,
      isSample: false,
      oldest: SECONDS - 939,
    });
    now += 59_999;
    expect(ncodesOf(index)).toEqual(young);
    now += 1;
    expect(ncodesOf(index)).toEqual(['N0001TA', 'N0002TA', 'N0007TA']);
    now = NOON + 2 * MAX_AGE * 1000;
    expect(index.facts()).toEqual({
      records: 1,
      outdated: 6,
      generation: 1,
      isSample: false,
      oldest: Infinity,
    });
    now = NOON - 1_100_000;
    expect(ncodesOf(index)).toHaveLength(7);
    index.close();
  });

  it('stay dropped in the next generation; those removed from it are not counted', async () => {
    const dir = newFolder();
    await buildIndex(dir, novels, SMALL);
    const index = openIndex(dir, () => NOON, MAX_AGE);
    const folders = new Set(requireGeneration(dir).segments.map(({ folder }) => folder));
    await changeIndex(dir, { put: [], remove: ['N0002TA', 'N0006TA'] }, SMALL);
    index.swapGeneration(loadGeneration(dir, requireGeneration(dir), folders));
    expect(ncodesOf(index)).toEqual(['N0001TA', 'N0003TA', 'N0007TA']);
    expect(index.facts()).toEqual({
      records: 3,
      outdated: 2,
      generation: 2,
      isSample: false,
      oldest: SECONDS - 939,
    });
    const ncodes = [...novels.map(({ ncode }) => ncode), 'N9999ZZ'];
    const presence = index.presenceOf(ncodes.map(ncodeToNumber));
    const having = (wanted?: string) =>
      ncodes.filter((ncode) => presence.get(ncodeToNumber(ncode)) === wanted);
    expect(having('served')).toEqual(ncodesOf(index));
    expect(having('outdated')).toEqual(['N0004TA', 'N0005TA']);
    expect(having()).toEqual(['N0002TA', 'N0006TA', 'N9999ZZ']);
    index.close();
  });
});

describe('a damaged file of records', () => {
  it.each([
    ['all', 0, Infinity, false],
    ['all but the last tried', 0, 37, true],
    ['none', 0, 0, true],
  ])('is readable unless every record of a sample is damaged: %s', async (_, from, to, isReadable) => {
    const dir = newFolder();
    const novels = Array.from({ length: 40 }, (__, number) => plainNovel({ ncode: `N${1000 + number}TA` }));
    await buildIndex(dir, novels, SMALL);
    const [segment] = requireGeneration(dir).segments;
    const file = path.join(dir, segment?.folder ?? '', 'records');
    const bytes = fs.readFileSync(file);
    // Records of equal length.
    const length = bytes.length / novels.length;
    for (let id = from; id < Math.min(to, novels.length); id++) bytes[Math.floor(id * length) + 9] = 0;
    const index = openIndex(dir, () => NOON);
    fs.writeFileSync(file, bytes);
    expect(index.isReadable()).toBe(isReadable);
    index.close();
  });
});
