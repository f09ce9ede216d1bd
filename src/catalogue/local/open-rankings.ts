import fs from 'node:fs';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { HistoryRow, RankingRow } from '../index/catalogue.ts';
import { openAll, readFully, readNumbers } from '../index/engine/files.ts';
import { loadInThread } from '../index/engine/load-generation.ts';
import { MAX_AGE_SECONDS } from '../novels/max-age.ts';
import { ncodeFromNumber, ncodeToNumber } from '../novels/ncode.ts';
import {
  RANKING_TYPES,
  countRankings,
  newestRankingDate,
  rankingDateBefore,
} from '../novels/ranking-date.ts';
import type { RankingType } from '../novels/ranking-date.ts';
import { createBrokenGenerations, noneLeft, stampsOf } from './broken-generations.ts';
import type { FolderOptions } from './local-index.ts';
import { oneAtATime } from './one-at-a-time.ts';
import {
  HISTORY_WORDS,
  RANKINGS,
  ROW_WORDS,
  TABLE_WORDS,
  keyOfRanking,
  newestRankings,
  newestVerifiedRankings,
  rtypeOfKey,
  typeOfKey,
} from './ranking-files.ts';
import type { RankingGeneration } from './ranking-files.ts';

/** Something held, and when (the oldest part of) it was fetched, in Unix seconds. */
interface Held<Value> {
  readonly value: Value;
  readonly fetchedAt: number;
}

export interface Rankings {
  /** `date` is valid, in the contract's form. Undefined: not held. A value of null: the upstream has none. */
  ranking(type: RankingType, date: string): Held<RankingRow[] | null> | undefined;
  /**
   * Every ranking in which a novel stood, by `rtype`. Undefined where not all rankings are held, so that the history
   * would have gaps.
   */
  history(ncode: string): Held<HistoryRow[]> | undefined;
  /** How many rankings there are, and the number of their generation. */
  facts(): { readonly rankings: number; readonly generation: number };
  /** Takes up another generation, if there is one that is whole. Rejects when the folder cannot be read, or is gone. */
  refresh(): Promise<boolean>;
  close(): void;
}

/** A generation whose files are open. */
interface Open {
  readonly generation: RankingGeneration;
  /** Of its files, as they were before they were opened. */
  readonly stamps: readonly string[];
  readonly table: Uint32Array;
  /** Where a ranking stands in the table, by its key. */
  readonly places: ReadonlyMap<number, number>;
  /** How many there are of each type. */
  readonly counts: Readonly<Record<RankingType, number>>;
  /** When the oldest was fetched. */
  readonly oldest: number;
  readonly rows: number;
  readonly histories: number;
  /** How many entries `histories` has. */
  readonly entries: number;
}

function openGeneration(dir: string, generation: RankingGeneration): Open {
  const { folder, files } = generation;
  const stamps = stampsOf(dir, RANKINGS.filesOf(generation));
  const at = (name: string): string => path.join(dir, folder, name);
  const table = readNumbers(at('table'));
  const places = new Map<number, number>();
  const counts = { daily: 0, weekly: 0, monthly: 0, quarterly: 0 };
  let oldest = Infinity;
  for (let place = 0; place < table.length; place += TABLE_WORDS) {
    const [key = 0, fetchedAt = 0] = table.subarray(place, place + 2);
    places.set(key, place);
    counts[typeOfKey(key)] += 1;
    oldest = Math.min(oldest, fetchedAt);
  }
  const entries = files.histories.bytes / (HISTORY_WORDS * Uint32Array.BYTES_PER_ELEMENT);
  const [rows = 0, histories = 0] = openAll([at('rows'), at('histories')]);
  return { generation, stamps, table, places, counts, oldest, rows, histories, entries };
}

function readWords(file: number, words: number, place: number): Uint32Array {
  const numbers = new Uint32Array(words);
  readFully(file, numbers, place * Uint32Array.BYTES_PER_ELEMENT);
  return numbers;
}

const rowOf = ([ncode = 0, pt = 0, rank = 0]: Uint32Array): RankingRow => ({
  rank,
  pt,
  ncode: ncodeFromNumber(ncode),
});

/** Whether every ranking is held from the first of its type to the newest, or to the one before it. */
function isComplete({ places, counts }: Open, now: number): boolean {
  return RANKING_TYPES.every((type) => {
    const newest = newestRankingDate(type, now);
    const last = places.has(keyOfRanking(type, newest)) ? newest : rankingDateBefore(type, newest);
    return last !== null && counts[type] === countRankings(type, last);
  });
}

/** The first entry of `histories` whose Ncode is not below a number. */
function findEntry({ histories, entries }: Open, ncode: number): number {
  let from = 0;
  let to = entries;
  while (from < to) {
    const middle = (from + to) >>> 1;
    const [found = 0] = readWords(histories, 1, middle * HISTORY_WORDS);
    if (found < ncode) from = middle + 1;
    else to = middle;
  }
  return from;
}

function readHistory(open: Open, ncode: string): HistoryRow[] {
  const number = ncodeToNumber(ncode);
  const first = findEntry(open, number);
  const count = findEntry(open, number + 1) - first;
  const entries = readWords(open.histories, count * HISTORY_WORDS, first * HISTORY_WORDS);
  return Array.from({ length: count }, (_, at) => {
    const row = entries[at * HISTORY_WORDS + 1] as number;
    const { pt, rank } = rowOf(readWords(open.rows, ROW_WORDS, row * ROW_WORDS));
    return { rtype: rtypeOfKey(keyOfRow(open.table, row)), rank, pt };
  });
}

/** The ranking that a row belongs to: the last that begins at or before it. */
function keyOfRow(table: Uint32Array, row: number): number {
  let from = 0;
  let to = table.length / TABLE_WORDS;
  while (to - from > 1) {
    const middle = (from + to) >>> 1;
    if ((table[middle * TABLE_WORDS + 2] as number) <= row) from = middle;
    else to = middle;
  }
  return table[from * TABLE_WORDS] as number;
}

function readRanking({ table, rows }: Open, place: number): RankingRow[] | null {
  const [first = 0, count = 0] = table.subarray(place + 2, place + TABLE_WORDS);
  const words = readWords(rows, count * ROW_WORDS, first * ROW_WORDS);
  const ranking = Array.from({ length: count }, (_, at) => rowOf(words.subarray(at * ROW_WORDS)));
  return count === 0 ? null : ranking;
}

/**
 * Opens the rankings in a folder, which may be empty as yet. What is older than the upstream's terms allow is not held
 * any more. A generation that is not as it was written is left out, and the log says so.
 */
export function openRankings(dir: string, { now, logger, loadWorker }: FolderOptions): Rankings {
  const broken = createBrokenGenerations(dir, logger);
  const newest = newestVerifiedRankings(dir, broken);
  let open = newest === null ? null : openGeneration(dir, newest);
  let isClosed = false;
  const isOld = (fetchedAt: number): boolean => fetchedAt + MAX_AGE_SECONDS <= now() / 1000;
  const closeFiles = (): void => {
    if (open !== null) for (const file of [open.rows, open.histories]) fs.closeSync(file);
  };
  const look = async (): Promise<boolean> => {
    const next = newestRankings(dir, broken);
    if (next === null && open !== null) throw noneLeft(dir);
    if (next === null) return false;
    const files = RANKINGS.filesOf(next);
    const stamps = stampsOf(dir, files);
    if (isDeepStrictEqual([next, stamps], [open?.generation, open?.stamps])) return false;
    const { broken: damaged } = await loadInThread(loadWorker, { dir, files });
    if (isClosed) return false;
    if (damaged.length > 0) {
      broken.discard(next.number, files, { files: damaged });
      return look();
    }
    const opened = openGeneration(dir, next);
    closeFiles();
    open = opened;
    return true;
  };
  return {
    ranking: (type, date) => {
      const place = open?.places.get(keyOfRanking(type, date));
      if (open === null || place === undefined) return undefined;
      const fetchedAt = open.table[place + 1] as number;
      return isOld(fetchedAt) ? undefined : { value: readRanking(open, place), fetchedAt };
    },
    history: (ncode) => {
      if (open === null || isOld(open.oldest) || !isComplete(open, now())) return undefined;
      return { value: readHistory(open, ncode), fetchedAt: open.oldest };
    },
    facts: () => ({ rankings: open?.places.size ?? 0, generation: open?.generation.number ?? 0 }),
    refresh: oneAtATime(look),
    close: () => {
      isClosed = true;
      closeFiles();
    },
  };
}
