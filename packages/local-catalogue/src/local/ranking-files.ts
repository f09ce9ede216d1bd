import path from 'node:path';
import { DamagedFile, readNumbers } from '../engine/files.ts';
import type { FileFacts } from '../engine/files.ts';
import type { GenerationFacts, GenerationKind } from '../engine/generations.ts';
import { requireIntact } from '../engine/index-generations.ts';
import { NCODE_COUNT, RANKING_LETTERS, fromRtype } from '@mokuroku/narou';
import type { RankingType } from '@mokuroku/narou';

/*
 * Rankings on disk, with the histories derived from them:
 *
 *   DIR/generation-000007.json   which files make up the generation, with size and sum of each
 *   DIR/rankings-000007/         never changed once written
 *     table       u32 x 4 for each ranking, by its key: key, time of fetching, first row, number of rows
 *     rows        u32 x 3 for each entry of a ranking: Ncode, points, rank
 *     histories   u32 x 2 for each row, by Ncode and then by key: Ncode, row
 *
 * Keys sort like the upstream's `rtype`: year, month, day, letter. After verification all files are in memory:
 * 40 MB for every ranking since May 2013.
 */

export const TABLE_WORDS = 4;
export const ROW_WORDS = 3;
export const HISTORY_WORDS = 2;

export interface RankingGeneration extends GenerationFacts {
  readonly folder: string;
  readonly files: Readonly<Record<'table' | 'rows' | 'histories', FileFacts>>;
}

export const RANKINGS: GenerationKind<RankingGeneration> = {
  version: 1,
  ownNames: /^rankings-\d{6}/,
  filesOf: ({ folder, files }) =>
    Object.entries(files).map(([name, facts]) => [path.join(folder, name), facts] as const),
};

export interface TableRow {
  readonly rtype: string;
  readonly type: RankingType;
  /** In the contract's form: a Monday for weekly. */
  readonly date: string;
  /** Unix seconds. */
  readonly fetchedAt: number;
  /** Its first row, and their number. */
  readonly first: number;
  readonly count: number;
}

/** The letters of `rtype`, in the upstream's order of rankings of one day. */
const LETTERS = Object.values(RANKING_LETTERS).sort().join('');

export function keyOfRtype(rtype: string): number {
  const [day = '', letter = ''] = rtype.split('-');
  return Number(day) * LETTERS.length + LETTERS.indexOf(letter);
}

const rtypeOfKey = (key: number): string =>
  `${String(Math.floor(key / LETTERS.length))}-${LETTERS[key % LETTERS.length] ?? ''}`;

/** Whether every n-th number is below a bound. */
function areBelow(bound: number, numbers: Uint32Array, first: number, step: number): boolean {
  for (let at = first; at < numbers.length; at += step) if ((numbers[at] as number) >= bound) return false;
  return true;
}

/** Reads a generation; `table` is sorted by `rtype`. Throws DamagedFile, or another error, for numbers that no ranking has. */
export function readRankings(dir: string, { folder }: RankingGeneration) {
  const read = (name: keyof RankingGeneration['files']) => readNumbers(path.join(dir, folder, name));
  const [numbers, rows, histories] = [read('table'), read('rows'), read('histories')];
  const rowCount = rows.length / ROW_WORDS;
  const table: TableRow[] = [];
  for (let at = 0; at < numbers.length; at += TABLE_WORDS) {
    const [key = 0, fetchedAt = 0, first = 0, count = 0] = numbers.subarray(at, at + TABLE_WORDS);
    const rtype = rtypeOfKey(key);
    const ranking = fromRtype(rtype);
    const isAscending = rtype > (table.at(-1)?.rtype ?? '');
    if (!isAscending || ranking === null || first + count > rowCount) throw new DamagedFile('rankings');
    // A ranking that was published is not empty: an empty one says nothing.
    if (count > 0) table.push({ rtype, ...ranking, fetchedAt, first, count });
  }
  if (!areBelow(NCODE_COUNT, rows, 0, ROW_WORDS) || !areBelow(rowCount, histories, 1, HISTORY_WORDS))
    throw new DamagedFile('rankings');
  return { table, rows, histories };
}

export function readVerifiedRankings(dir: string, generation: RankingGeneration) {
  requireIntact(dir, RANKINGS.filesOf(generation));
  return readRankings(dir, generation);
}
