import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { newFolders } from '../../../../test/new-folders.ts';
import { openFiles } from '../../../../test/open-files.ts';
import { plainNovel } from '../../../narou/test/plain-novel.ts';
import { NOON } from '../../../narou/test/random-questions.ts';
import { SMALL, WHOLE, openIndex, searchRecords } from '../../test/index-under-test.ts';
import { ncodeToNumber } from '@mokuroku/narou';
import type { CatalogueNovel } from '@mokuroku/narou/scan';
import { buildIndex, changeIndex } from './build-index.ts';
import { requireGeneration } from './index-generations.ts';
import { loadGeneration } from './load-generation.ts';
import type { FoundBatch, OpenIndex } from './open-index.ts';

const newFolder = newFolders();
const SECONDS = NOON / 1000;

/** A new index of novels with these fields, numbered from 1. */
async function build(novels: readonly Partial<CatalogueNovel>[]): Promise<string> {
  const dir = newFolder();
  const ncodeOf = (index: number) => `N${String(index + 1).padStart(4, '0')}TA`;
  await buildIndex(
    dir,
    novels.map((each, index) => plainNovel({ ncode: ncodeOf(index), ...each })),
    SMALL,
  );
  return dir;
}

const many = (count: number) => Array.from({ length: count }, () => ({}));

it('a stream goes on to its last record although the index was closed meanwhile; then its files are closed', async () => {
  const dir = await build(many(150));
  const closed = openIndex(dir, () => NOON);
  const stream = closed.stream({ order: 'old', st: 1, lim: 500 }, WHOLE);
  const first = stream.next().value as FoundBatch;
  closed.close();
  expect([first, ...stream].flatMap(({ records }) => records)).toHaveLength(150);
  expect(openFiles(dir)).toEqual([]);
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
  const ages = [0, 500, 939, 940, 1_000, 2_000];
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
    expect(found(index)).toEqual([1, 2, 7]);
    now = NOON + 2 * MAX_AGE * 1000;
    expect(index.facts()).toEqual({ ...facts, records: 1, outdated: 6, oldest: Infinity });
    now = NOON - 1_100_000;
    expect(found(index)).toHaveLength(7);
    index.close();
  });

  it('stay dropped in the next generation; those removed from it are not counted', async () => {
    const dir = await build(novels);
    const index = openIndex(dir, () => NOON, MAX_AGE);
    const folders = new Set(requireGeneration(dir).segments.map(({ folder }) => folder));
    await changeIndex(dir, { put: [], remove: ['N0002TA', 'N0006TA'] }, SMALL);
    index.swapGeneration(loadGeneration(dir, requireGeneration(dir), folders));
    expect(found(index)).toEqual([1, 3, 7]);
    expect(index.facts()).toMatchObject({ records: 3, outdated: 2, generation: 2, oldest: SECONDS - 939 });
    const ncodes = Array.from({ length: 9 }, (_, at) => ncodeToNumber(`N000${at}TA`));
    const presence = index.presenceOf(ncodes);
    const [yes, no, old] = ['served', undefined, 'outdated'];
    expect(ncodes.map((ncode) => presence.get(ncode))).toEqual([no, yes, no, yes, old, old, no, yes, no]);
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
