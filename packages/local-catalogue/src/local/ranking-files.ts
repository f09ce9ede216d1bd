import fs from 'node:fs';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import { silentLogger } from '@mokuroku/kit/process';
import type { Logger } from '@mokuroku/kit/process';
import { NCODE_COUNT, RANKING_LETTERS, fromRtype, ncodeToNumber, toRtype } from '@mokuroku/narou';
import type { ListFacts, RankingEntry, RankingType } from '@mokuroku/narou';
import { DamagedFile, factsOfFile, readNumbers } from '../engine/files.ts';
import type { FileFacts } from '../engine/files.ts';
import {
  beginGeneration,
  completeGenerations,
  numberedName,
  publishGeneration,
} from '../engine/generations.ts';
import type { GenerationFacts, GenerationKind } from '../engine/generations.ts';
import { requireIntact } from '../engine/index-generations.ts';

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

export interface StoredRanking {
  readonly type: RankingType;
  /** In the contract's form: a Monday for weekly. */
  readonly date: string;
  /** Unix seconds. */
  readonly fetchedAt: number;
  /** Empty: the upstream has no such ranking. */
  readonly rows: readonly RankingEntry[];
}

interface RankingNumbers extends Omit<StoredRanking, 'rows'> {
  readonly rows: Uint32Array;
}

const wordsOf = (rows: readonly RankingEntry[]): Uint32Array =>
  Uint32Array.from(rows.flatMap(({ ncode, pt, rank }) => [ncodeToNumber(ncode), pt, rank]));

/** The rankings by `rtype`, of the newest generation that a service would open. */
function readAll(dir: string, logger: Logger): Map<string, RankingNumbers> {
  for (const generation of completeGenerations(dir, RANKINGS)) {
    try {
      const { table, rows } = readVerifiedRankings(dir, generation);
      return new Map(
        table.map(({ rtype, first, count, ...ranking }) => [
          rtype,
          { ...ranking, rows: rows.subarray(first * ROW_WORDS, (first + count) * ROW_WORDS) },
        ]),
      );
    } catch (err) {
      if (!(err instanceof DamagedFile)) throw err;
      const { number } = generation;
      logger.error({ dir, generation: number, err }, 'skipped a damaged generation of the catalogue');
    }
  }
  return new Map();
}

/** Rows by Ncode, then in their order. */
function sortHistories(rows: Uint32Array): Uint32Array {
  const size = rows.length / ROW_WORDS;
  const keys = new Float64Array(size);
  for (let row = 0; row < size; row++) keys[row] = (rows[row * ROW_WORDS] as number) * size + row;
  keys.sort();
  const histories = new Uint32Array(size * HISTORY_WORDS);
  for (let at = 0; at < size; at++) {
    const key = keys[at] as number;
    histories[at * HISTORY_WORDS] = Math.floor(key / size);
    histories[at * HISTORY_WORDS + 1] = key % size;
  }
  return histories;
}

function encodeRankings(rankings: ReadonlyMap<string, RankingNumbers>) {
  const byRtype = [...rankings].sort(([a], [b]) => (a < b ? -1 : 1));
  const rows = new Uint32Array(byRtype.reduce((sum, [, ranking]) => sum + ranking.rows.length, 0));
  const table = new Uint32Array(byRtype.length * TABLE_WORDS);
  let filled = 0;
  for (const [index, [rtype, ranking]] of byRtype.entries()) {
    const entry = [keyOfRtype(rtype), ranking.fetchedAt, filled / ROW_WORDS, ranking.rows.length / ROW_WORDS];
    table.set(entry, index * TABLE_WORDS);
    rows.set(ranking.rows, filled);
    filled += ranking.rows.length;
  }
  return { table, rows, histories: sortHistories(rows) };
}

interface RankingChanges {
  put: Iterable<StoredRanking>;
  removeFetchedBefore?: number;
  /** Called if the newest generation is broken and the previous one is used. */
  logger?: Logger;
}

/**
 * Writes rankings as the next generation, and returns how many it has. They replace those of the same type and date;
 * rankings fetched before a time (Unix seconds) are dropped. Only one writer may run.
 */
export async function publishRankings(
  dir: string,
  { put, removeFetchedBefore = 0, logger = silentLogger() }: RankingChanges,
): Promise<number> {
  const rankings = readAll(dir, logger);
  for (const ranking of put)
    rankings.set(toRtype(ranking.type, ranking.date), { ...ranking, rows: wordsOf(ranking.rows) });
  for (const [rtype, { fetchedAt }] of rankings) if (fetchedAt < removeFetchedBefore) rankings.delete(rtype);
  const number = await beginGeneration(dir, RANKINGS);
  const folder = numberedName('rankings', number);
  await fs.promises.mkdir(path.join(dir, folder));
  const contents = encodeRankings(rankings);
  const write = async (name: keyof typeof contents): Promise<FileFacts> => {
    const file = path.join(dir, folder, name);
    await fs.promises.writeFile(file, contents[name], { flush: true });
    return factsOfFile(file);
  };
  const files = {
    table: await write('table'),
    rows: await write('rows'),
    histories: await write('histories'),
  };
  publishGeneration(dir, { version: RANKINGS.version, number, folder, files }, RANKINGS);
  return rankings.size;
}

export interface PublishedRanking extends Pick<StoredRanking, 'type' | 'date' | 'fetchedAt'>, ListFacts {}

const withFacts = ({ rows, ...ranking }: RankingNumbers): PublishedRanking => ({
  ...ranking,
  count: rows.length / ROW_WORDS,
  sum: crc32(rows),
});

export const rankingFactsOf = (ranking: StoredRanking): PublishedRanking =>
  withFacts({ ...ranking, rows: wordsOf(ranking.rows) });

/** The rankings in a folder, in the order of the upstream's `rtype`; empty without a folder. */
export const publishedRankings = (dir: string, logger: Logger = silentLogger()): PublishedRanking[] =>
  [...readAll(dir, logger).values()].map(withFacts);
