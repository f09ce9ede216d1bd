import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { HistoryRow, RankingRow } from '../index/catalogue.ts';
import { readNumbers } from '../index/engine/files.ts';
import { loadInThread } from '../index/engine/load-generation.ts';
import { MAX_AGE_SECONDS } from '../novels/max-age.ts';
import { ncodeFromNumber, ncodeToNumber } from '../novels/ncode.ts';
import { RANKING_TYPES, countRankings, dayBeforeNextRanking, fromRtype } from '../novels/ranking-date.ts';
import type { RankingType } from '../novels/ranking-date.ts';
import { createBrokenGenerations, noneLeft, stampsOf } from './broken-generations.ts';
import { stateOf } from './local-index.ts';
import type { FolderOptions, PartState } from './local-index.ts';
import { singleFlight } from './single-flight.ts';
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

interface RankingHistory extends Held<HistoryRow[]> {
  /** The last day of which every ranking is held. */
  readonly until: string;
}

export interface Rankings {
  /** `date` is valid, in the contract's form. Undefined: not held. A value of null: the upstream has none. */
  ranking(type: RankingType, date: string): Held<RankingRow[] | null> | undefined;
  /**
   * Every ranking held in which a novel stood, by `rtype`. Undefined where one is missing before the newest of its
   * type, so that the history would have gaps.
   */
  history(ncode: string): RankingHistory | undefined;
  /** Whether a ranking (or any, where none is named) is there, but was fetched too long ago to be served. */
  isOutdated(type?: RankingType, date?: string): boolean;
  state(): PartState;
  /** How many rankings are served, how many are too old for that, and the number of their generation. */
  facts(): { readonly rankings: number; readonly outdated: number; readonly generation: number };
  /** Takes up another generation, if there is one that is whole. Rejects when the folder cannot be read, or is gone. */
  refresh(): Promise<boolean>;
  close(): void;
}

/** A generation as it stays in memory: what was verified once cannot be damaged under a request. */
interface OpenRankingGeneration {
  readonly generation: RankingGeneration;
  /** Of its files, as they were before they were read. */
  readonly stamps: readonly string[];
  readonly table: Uint32Array;
  /** Where a ranking stands in the table, by its key. */
  readonly places: ReadonlyMap<number, number>;
  /** How many there are of each type. */
  readonly counts: Readonly<Record<RankingType, number>>;
  /** Date of the newest of each type. */
  readonly newest: Readonly<Record<RankingType, string>>;
  /** When the oldest was fetched. */
  readonly oldest: number;
  readonly rows: Uint32Array;
  readonly histories: Uint32Array;
}

function openGeneration(dir: string, generation: RankingGeneration): OpenRankingGeneration {
  const { folder } = generation;
  const stamps = stampsOf(dir, RANKINGS.filesOf(generation));
  const at = (name: string): string => path.join(dir, folder, name);
  const table = readNumbers(at('table'));
  const places = new Map<number, number>();
  const counts = { daily: 0, weekly: 0, monthly: 0, quarterly: 0 };
  const newest = { daily: '', weekly: '', monthly: '', quarterly: '' };
  let oldest = Infinity;
  for (let place = 0; place < table.length; place += TABLE_WORDS) {
    const [key = 0, fetchedAt = 0] = table.subarray(place, place + 2);
    places.set(key, place);
    const type = typeOfKey(key);
    counts[type] += 1;
    const date = fromRtype(rtypeOfKey(key))?.date ?? '';
    if (date > newest[type]) newest[type] = date;
    oldest = Math.min(oldest, fetchedAt);
  }
  const [rows, histories] = [readNumbers(at('rows')), readNumbers(at('histories'))];
  return { generation, stamps, table, places, counts, newest, oldest, rows, histories };
}

function rowAt({ rows }: Pick<OpenRankingGeneration, 'rows'>, row: number): RankingRow {
  const [ncode = 0, pt = 0, rank = 0] = rows.subarray(row * ROW_WORDS, (row + 1) * ROW_WORDS);
  return { rank, pt, ncode: ncodeFromNumber(ncode) };
}

/**
 * The last day of which every ranking is held. Undefined where one is missing between the first of its type and the
 * newest held, or of a type none is held.
 */
function completeUntil({ counts, newest }: OpenRankingGeneration): string | undefined {
  const isWhole = RANKING_TYPES.every(
    (type) => counts[type] > 0 && counts[type] === countRankings(type, newest[type]),
  );
  if (!isWhole) return undefined;
  const lastDays = RANKING_TYPES.map((type) => dayBeforeNextRanking(type, newest[type]));
  return lastDays.reduce((first, day) => (day < first ? day : first));
}

/** The first entry of `histories` whose Ncode is not below a number. */
function findEntry({ histories }: OpenRankingGeneration, ncode: number): number {
  let from = 0;
  let to = histories.length / HISTORY_WORDS;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((histories[middle * HISTORY_WORDS] as number) < ncode) from = middle + 1;
    else to = middle;
  }
  return from;
}

function readHistory(open: OpenRankingGeneration, ncode: string): HistoryRow[] {
  const number = ncodeToNumber(ncode);
  const first = findEntry(open, number);
  const count = findEntry(open, number + 1) - first;
  return Array.from({ length: count }, (_, at) => {
    const row = open.histories[(first + at) * HISTORY_WORDS + 1] as number;
    const { pt, rank } = rowAt(open, row);
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

function readRanking(open: OpenRankingGeneration, place: number): RankingRow[] | null {
  const [first = 0, count = 0] = open.table.subarray(place + 2, place + TABLE_WORDS);
  return count === 0 ? null : Array.from({ length: count }, (_, at) => rowAt(open, first + at));
}

const isOld = (fetchedAt: number, now: number): boolean => fetchedAt + MAX_AGE_SECONDS <= now / 1000;

function countByAge({ table }: OpenRankingGeneration, now: number): { served: number; outdated: number } {
  let outdated = 0;
  for (let place = 0; place < table.length; place += TABLE_WORDS) {
    if (isOld(table[place + 1] as number, now)) outdated += 1;
  }
  return { served: table.length / TABLE_WORDS - outdated, outdated };
}

/** What is read of the generation in force. */
function readOpen(
  current: () => OpenRankingGeneration | null,
  now: () => number,
): Pick<Rankings, 'ranking' | 'history' | 'isOutdated' | 'facts'> {
  return {
    ranking: (type, date) => {
      const open = current();
      const place = open?.places.get(keyOfRanking(type, date));
      if (open === null || place === undefined) return undefined;
      const fetchedAt = open.table[place + 1] as number;
      return isOld(fetchedAt, now()) ? undefined : { value: readRanking(open, place), fetchedAt };
    },
    history: (ncode) => {
      const open = current();
      const until = open === null || isOld(open.oldest, now()) ? undefined : completeUntil(open);
      if (open === null || until === undefined) return undefined;
      return { value: readHistory(open, ncode), fetchedAt: open.oldest, until };
    },
    isOutdated: (type, date) => {
      const open = current();
      if (open === null) return false;
      if (type === undefined || date === undefined) return isOld(open.oldest, now());
      const place = open.places.get(keyOfRanking(type, date));
      return place !== undefined && isOld(open.table[place + 1] as number, now());
    },
    facts: () => {
      const open = current();
      const { served, outdated } = open === null ? { served: 0, outdated: 0 } : countByAge(open, now());
      return { rankings: served, outdated, generation: open?.generation.number ?? 0 };
    },
  };
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
    open = openGeneration(dir, next);
    return true;
  };
  return {
    ...readOpen(() => open, now),
    state: () => stateOf(dir, open === null ? undefined : countByAge(open, now())),
    refresh: singleFlight(look),
    close: () => {
      isClosed = true;
    },
  };
}
