import type {
  FacetName,
  NovelQuery,
  NovelConditions,
  FacetCounts,
  Suggestions,
} from '@mokuroku/narou/queries';
import type { SelectFields, LoadedChanges } from '@mokuroku/narou/scan';
import { foldText, splitWords } from '@mokuroku/narou/scan';
import { KINDS, unknownIn } from './columns.ts';
import type { ColumnName } from './columns.ts';
import type { LoadedGeneration } from './index-generations.ts';
import { findNcode } from '@mokuroku/narou';
import { planOf } from './plan.ts';
import type { Plan } from './plan.ts';
import { suggestFrom } from './suggest.ts';
import { countByValue, presenceIn } from './find-hits.ts';
import type { Presence } from './find-hits.ts';
import { findMatches, rowsInOrder } from './page.ts';
import type { IndexMatches, IndexRow } from './page.ts';
import { isAnyReadable, serveGenerations } from './serve-generations.ts';
import type { OpenGeneration } from './serve-generations.ts';
import type { Segment } from './segment.ts';

/** The index in a folder. Its results equal those of a scan over its records. */
export interface OpenIndex {
  /** The number of all matches of a search, and a JSON array of the selected fields of its page. */
  search(query: NovelQuery, select: SelectFields): FoundJson;
  /** All matches of a search from `st` on. */
  stream(query: NovelQuery, select: SelectFields): FoundStream;
  facets(conditions: NovelConditions, names: readonly FacetName[]): FacetCounts;
  suggest(text: string, lim: number): Suggestions;
  facts(): IndexFacts;
  /** The changes up to this generation; undefined if not recorded. */
  changes(): LoadedChanges | undefined;
  /** Whether any record, dead or alive, has a known value in a column. */
  hasAny(column: ColumnName): boolean;
  /** The presence of each of these Ncodes (as numbers) that has a record. */
  presenceOf(ncodes: readonly number[]): ReadonlyMap<number, Presence>;
  /** Whether any of a sample of records is undamaged. Throws if none can be read at present. */
  isReadable(): boolean;
  /** Switches to a generation that another thread has read (see index-generations.ts). Shared segments stay open. */
  swapGeneration(loaded: LoadedGeneration): void;
  close(): void;
}

export interface FoundJson {
  readonly total: number;
  readonly json: Buffer;
  /** The Ncodes of the records, as numbers, and when the oldest was fetched: Unix seconds, Infinity if none has an age. */
  readonly ncodes: readonly number[];
  readonly oldest: number;
}

/** The matches of a search in the generation of its start, whatever is served later. */
export interface FoundStream {
  readonly total: number;
  /** Call it before another generation is served: the files stay open until the signal is aborted. */
  readonly batches: (signal: AbortSignal) => Generator<FoundBatch, void, undefined>;
}

/** Records of a stream. */
export interface FoundBatch {
  /** JSON without braces, a character for each byte of UTF-8. */
  readonly records: readonly string[];
  /** When the oldest of them was fetched: Unix seconds, Infinity if none has an age. */
  readonly oldest: number;
}

/** Half a millisecond of work. */
export const BATCH_RECORDS = 50;

interface IndexFacts {
  /** Number of records that are served. */
  readonly records: number;
  /** Number of records that are too old to be served. */
  readonly outdated: number;
  /** The number of the generation. */
  readonly generation: number;
  /** Whether the novels are invented. */
  readonly isSample: boolean;
  /** When the oldest record was fetched, in Unix seconds; Infinity if none has an age. */
  readonly oldest: number;
}

/**
 * Opens an index by its newest generation, which has been read. `now` returns milliseconds UTC. Records fetched more
 * than `maxAgeSeconds` ago are not found, even if the files do not change.
 */
export function openLoaded(
  dir: string,
  first: LoadedGeneration,
  now: () => number,
  maxAgeSeconds = Infinity,
): OpenIndex {
  const { current, swap, close } = serveGenerations(dir, first, now, maxAgeSeconds);
  const find = (conditions: NovelConditions): IndexMatches =>
    findMatches(current().segments, planOf(conditions, now()));
  return {
    search: (query, select) => {
      const hits = find(query);
      const page = [...rowsInOrder(hits, query.order, query.st - 1, query.lim)];
      return {
        total: hits.total,
        json: arrayOf(selectFrom(page, select)),
        ncodes: page.map(({ segment, id }) => segment.columns.ncode[id] as number),
        oldest: oldestOf(page),
      };
    },
    stream: (query, select) => streamMatches(current().segments, planOf(query, now()), query, select),
    facets: (conditions, names) => {
      const hits = find(conditions);
      return Object.fromEntries(names.map((name) => [name, countFacet(hits, name)]));
    },
    suggest: (text, lim) => {
      const ncode = findNcode(text);
      const named = ncode === null ? [] : rowsInOrder(find({ ncode: [ncode] }), 'new', 0, 1);
      return suggestFrom(current(), splitWords(foldText(text)), lim, [...named]);
    },
    facts: () => indexFacts(current()),
    changes: () => current().changes,
    hasAny: (column) =>
      current().segments.some(({ columns }) =>
        (columns[column] as Uint32Array).some((value) => value !== unknownIn(column)),
      ),
    presenceOf: (ncodes) => new Map(current().segments.flatMap((segment) => presenceIn(segment, ncodes))),
    isReadable: () => isAnyReadable(current().segments),
    swapGeneration: swap,
    close,
  };
}

function streamMatches(
  segments: readonly Segment[],
  plan: Plan,
  { order, st, lim }: NovelQuery,
  select: SelectFields,
): FoundStream {
  function* readBatches(): Generator<FoundBatch, void, undefined> {
    const batchOf = (page: readonly IndexRow[]) => ({
      records: selectFrom(page, select),
      oldest: oldestOf(page),
    });
    let page: IndexRow[] = [];
    for (const row of rowsInOrder(findMatches(segments, plan), order, st - 1, lim)) {
      page.push(row);
      if (page.length < BATCH_RECORDS) continue;
      yield batchOf(page);
      page = [];
    }
    if (page.length > 0) yield batchOf(page);
  }
  return {
    total: findMatches(segments, plan).total,
    batches: (signal) => {
      for (const segment of segments) segment.keepOpen(signal);
      return readBatches();
    },
  };
}

const selectFrom = (page: readonly IndexRow[], select: SelectFields): string[] =>
  page.map(({ segment, id }) => select(segment.records.stored(id)));

/** A JSON array of records, never as one string, to relieve the garbage collector. */
function arrayOf(items: readonly string[]): Buffer {
  const json = Buffer.allocUnsafe(items.reduce((sum, { length }) => sum + length + 3, 2));
  let filled = json.write('[', 'latin1');
  for (const item of items) {
    filled += json.write(filled === 1 ? '{' : '},{', filled, 'latin1');
    filled += json.write(item, filled, 'latin1');
  }
  filled += json.write(items.length > 0 ? '}]' : ']', filled, 'latin1');
  return json.subarray(0, filled);
}

/** When the oldest record was fetched. */
const oldestOf = (page: readonly IndexRow[]): number =>
  Math.min(...page.map(({ segment, id }) => segment.columns.fetched_at[id] || Infinity));

function indexFacts({ segments, generation: { number, isSample = false } }: OpenGeneration): IndexFacts {
  return {
    records: segments.reduce((sum, { liveCount }) => sum + liveCount, 0),
    outdated: segments.reduce((sum, { outdated }) => sum + outdated, 0),
    generation: number,
    isSample,
    oldest: Math.min(...segments.map(({ oldest }) => oldest)),
  };
}

/** The facet value of a column value; undefined if unknown. */
function facetKey(name: Exclude<FacetName, 'buntai'>, value: number): string | undefined {
  if (value === unknownIn(name)) return undefined;
  if (name !== 'type') return String(value);
  return KINDS[value] === 're' ? undefined : KINDS[value];
}

function countFacet({ parts }: IndexMatches, name: FacetName): Record<string, number> {
  const counts: Record<string, number> = {};
  if (name === 'buntai') return counts; // No stored record has its style.
  for (const { segment, hits } of parts) {
    for (const [value, count] of countByValue(segment, hits, name)) {
      const key = facetKey(name, value);
      if (key !== undefined && count > 0) counts[key] = (counts[key] ?? 0) + count;
    }
  }
  return counts;
}
