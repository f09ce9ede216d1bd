import { bisect } from '@mokuroku/narou/scan';
import { loadInThread } from '../engine/index-generations.ts';
import { MAX_AGE_SECONDS } from '@mokuroku/narou/queries';
import {
  ncodeFromNumber,
  ncodeToNumber,
  FIRST_RANKING_DATE,
  RANKING_TYPES,
  dayBeforeNextRanking,
  newestRankingDate,
  rankingDatesBetween,
  toRtype,
} from '@mokuroku/narou';
import type { RankingEntry, RankingHistoryEntry, RankingType } from '@mokuroku/narou';
import type { Sourced } from '@mokuroku/narou/source';
import { NewestGeneration } from './newest-generation.ts';
import type { FolderOptions, PartState } from './newest-generation.ts';
import { HISTORY_WORDS, RANKINGS, ROW_WORDS, readRankings, readVerifiedRankings } from './ranking-files.ts';
import type { RankingGeneration, TableRow } from './ranking-files.ts';

interface Coverage {
  /** The last day with rankings of all types. */
  readonly until: string;
  /** The `rtype` of each ranking that is missing before the newest of its type. */
  readonly missing: readonly string[];
}

type RankingHistory = Sourced<RankingHistoryEntry[]> & Coverage & { readonly fetchedAt: number };

/** A generation in memory, verified once, so that a damaged file cannot affect a request. */
interface OpenRankingGeneration {
  /** In the order of `rtype`. */
  readonly table: readonly TableRow[];
  readonly byRtype: ReadonlyMap<string, TableRow>;
  readonly coverage: Coverage | undefined;
  readonly oldest: number;
  readonly rows: Uint32Array;
  readonly histories: Uint32Array;
}

function toOpen(files: ReturnType<typeof readRankings>): OpenRankingGeneration {
  const { table } = files;
  const oldest = table.reduce((least, { fetchedAt }) => Math.min(least, fetchedAt), Infinity);
  const byRtype = new Map(table.map((row) => [row.rtype, row]));
  return { ...files, byRtype, coverage: coverageOf(table), oldest };
}

function rowAt({ rows }: Pick<OpenRankingGeneration, 'rows'>, row: number): RankingEntry {
  const [ncode = 0, pt = 0, rank = 0] = rows.subarray(row * ROW_WORDS, (row + 1) * ROW_WORDS);
  return { rank, pt, ncode: ncodeFromNumber(ncode) };
}

/** Rankings that histories may lack. With more, there are no histories. */
const MAX_MISSING = 100;

/** What histories are made of; undefined if a type has no ranking, or too many are missing before its newest. */
function coverageOf(table: readonly TableRow[]): Coverage | undefined {
  const lastDays: string[] = [];
  const missing: string[] = [];
  for (const type of RANKING_TYPES) {
    const dates = new Set(table.flatMap((row) => (row.type === type ? [row.date] : [])));
    const date = [...dates].at(-1);
    if (date === undefined) return undefined;
    const all = rankingDatesBetween(type, FIRST_RANKING_DATE, date, Date.parse(date));
    const lacking = all.filter((each) => !dates.has(each));
    if (missing.length + lacking.length > MAX_MISSING) return undefined;
    missing.push(...lacking.map((each) => toRtype(type, each)));
    lastDays.push(dayBeforeNextRanking(type, date));
  }
  const [until = ''] = lastDays.sort();
  return { until, missing };
}

function findEntry({ histories }: OpenRankingGeneration, ncode: number): number {
  return bisect(
    histories.length / HISTORY_WORDS,
    (entry) => (histories[entry * HISTORY_WORDS] as number) < ncode,
  );
}

function readHistoryRows(open: OpenRankingGeneration, ncode: string): RankingHistoryEntry[] {
  const number = ncodeToNumber(ncode);
  const first = findEntry(open, number);
  const count = findEntry(open, number + 1) - first;
  const { table } = open;
  return Array.from({ length: count }, (_, at) => {
    const row = open.histories[(first + at) * HISTORY_WORDS + 1] as number;
    // The last ranking that begins at or before the row.
    const next = bisect(table.length, (place) => (table[place]?.first ?? 0) <= row);
    const { pt, rank } = rowAt(open, row);
    return { rtype: table[next - 1]?.rtype ?? '', rank, pt };
  });
}

const isOld = (fetchedAt: number, now: number): boolean => fetchedAt + MAX_AGE_SECONDS <= now / 1000;

/** The rankings in a folder. Those older than the upstream's terms allow are not served. */
export class Rankings extends NewestGeneration<RankingGeneration, OpenRankingGeneration> {
  readonly #now: () => number;

  constructor(dir: string, { now, logger, loadWorker }: FolderOptions) {
    super(dir, logger, {
      kind: RANKINGS,
      open: (generation) => toOpen(readVerifiedRankings(dir, generation)),
      load: async (generation) => {
        await loadInThread(loadWorker, { dir, files: RANKINGS.filesOf(generation) });
        return () => toOpen(readRankings(dir, generation));
      },
    });
    this.#now = now;
  }

  /** `date` is valid, in the contract's form. Undefined: missing here. */
  ranking(type: RankingType, date: string): Sourced<RankingEntry[]> | undefined {
    const open = this.opened;
    const entry = open?.byRtype.get(toRtype(type, date));
    if (open === undefined || entry === undefined || isOld(entry.fetchedAt, this.#now())) return undefined;
    const { fetchedAt, first, count } = entry;
    return { value: Array.from({ length: count }, (_, at) => rowAt(open, first + at)), fetchedAt };
  }

  /** Date of the newest served ranking of a type; undefined if there is none. */
  newest(type: RankingType): string | undefined {
    const now = this.#now();
    const last = newestRankingDate(type, now);
    return this.opened?.table.findLast(
      (row) => row.type === type && row.date <= last && !isOld(row.fetchedAt, now),
    )?.date;
  }

  /** The rankings that contain a novel, by `rtype`. Undefined without rankings, or if too many are missing. */
  history(ncode: string): RankingHistory | undefined {
    const open = this.opened;
    if (open?.coverage === undefined || this.isOutdated()) return undefined;
    return { value: readHistoryRows(open, ncode), fetchedAt: open.oldest, ...open.coverage };
  }

  hasHistories(): boolean {
    return !this.isOutdated() && this.opened?.coverage?.missing.length === 0;
  }

  /** Whether a ranking (or any, if none is named) is outdated and so not served. */
  isOutdated(type?: RankingType, date?: string): boolean {
    const open = this.opened;
    const isNamed = type !== undefined && date !== undefined;
    const fetchedAt = isNamed ? open?.byRtype.get(toRtype(type, date))?.fetchedAt : open?.oldest;
    return fetchedAt !== undefined && isOld(fetchedAt, this.#now());
  }

  state(): PartState {
    return this.stateOf(this.opened && this.facts());
  }

  facts(): { readonly served: number; readonly outdated: number } {
    const { table = [] } = this.opened ?? {};
    const outdated = table.filter(({ fetchedAt }) => isOld(fetchedAt, this.#now())).length;
    return { served: table.length - outdated, outdated };
  }
}
