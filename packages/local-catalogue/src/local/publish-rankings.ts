import fs from 'node:fs';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import { silentLogger } from '@mokuroku/kit/process';
import type { Logger } from '@mokuroku/kit/process';
import { DamagedFile, factsOfFile } from '../engine/files.ts';
import type { FileFacts } from '../engine/files.ts';
import {
  beginGeneration,
  completeGenerations,
  numberedName,
  publishGeneration,
} from '../engine/generations.ts';
import { ncodeToNumber, toRtype } from '@mokuroku/narou';
import type { ListFacts, RankingEntry, RankingType } from '@mokuroku/narou';
import {
  HISTORY_WORDS,
  RANKINGS,
  ROW_WORDS,
  TABLE_WORDS,
  keyOfRtype,
  readVerifiedRankings,
} from './ranking-files.ts';

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
    await fs.promises.writeFile(file, contents[name], { flag: 'wx', flush: true });
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
  sum: crc32(new Uint8Array(rows.buffer, rows.byteOffset, rows.byteLength)),
});

export const rankingFactsOf = (ranking: StoredRanking): PublishedRanking =>
  withFacts({ ...ranking, rows: wordsOf(ranking.rows) });

/** The rankings in a folder, in the order of the upstream's `rtype`; empty without a folder. */
export const publishedRankings = (dir: string, logger: Logger = silentLogger()): PublishedRanking[] =>
  [...readAll(dir, logger).values()].map(withFacts);
