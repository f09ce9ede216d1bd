import path from 'node:path';
import { ncodeFromNumber } from '../../novels/ncode.ts';
import type { FacetName, NovelConditions, NovelQuery } from '../../novels/novel-query.ts';
import type { CatalogueNovel } from '../catalogue-novel.ts';
import { splitWords } from '../novel-conditions.ts';
import { suggestedWriter } from '../novel-scan.ts';
import type { FacetCounts, Found, NovelIndex, Suggestions } from '../novel-index.ts';
import { KINDS, unknownIn } from './columns.ts';
import type { ColumnName } from './columns.ts';
import { wholeGeneration } from './generations.ts';
import { findKeywords } from './keywords.ts';
import type { LoadedChanges } from './changes.ts';
import type { Keywords } from './keywords.ts';
import { TEXTS } from './layout.ts';
import { loadGeneration } from './load-generation.ts';
import type { LoadedGeneration } from './load-generation.ts';
import { planOf } from './plan.ts';
import type { Plan } from './plan.ts';
import { countByValue } from './question.ts';
import { answer, rowsOf } from './page.ts';
import type { Answer, Row } from './page.ts';
import { sliceOfFields } from './records.ts';
import { openSegment, withoutDead } from './segment.ts';
import type { Segment } from './segment.ts';

/** The index in a folder: it answers as the plain scan over its records does. */
export interface OpenIndex extends NovelIndex {
  search(query: NovelQuery): Found<CatalogueNovel>;
  /** A search whose records are a JSON array, cut out of what is stored of each without its being parsed. */
  searchJson(query: NovelQuery, write?: WriteRecord): FoundJson;
  facets(conditions: NovelConditions, names: readonly FacetName[]): FacetCounts;
  suggest(text: string, lim: number): Suggestions;
  facts(): IndexFacts;
  /** What has changed up to this generation; undefined where that was not written down. */
  changes(): LoadedChanges | undefined;
  /** Whether a value of a column is known of any record, dead or alive. */
  hasAny(column: ColumnName): boolean;
  /** Takes up another generation, read by another thread (see load-generation.ts): what is open of it stays open. */
  take(loaded: LoadedGeneration): void;
  close(): void;
}

/** Makes JSON of what is stored of a record. A letter stands for a byte of UTF-8: nothing is decoded, and encoded again. */
export type WriteRecord = (stored: string) => string;

export interface FoundJson {
  readonly total: number;
  readonly json: Buffer;
  /** How many records are in it, and when the oldest that ages was fetched: Unix seconds, Infinity where none ages. */
  readonly records: number;
  readonly oldest: number;
}

interface IndexFacts {
  /** Those that count. */
  readonly records: number;
  /** Those that do not, because they were fetched too long ago. */
  readonly outdated: number;
  /** The number of the generation. */
  readonly generation: number;
  /** When the oldest record that ages was fetched, in Unix seconds; Infinity where none ages. */
  readonly oldest: number;
}

/** Rows looked at first for suggestions; as many titles are rarely equal. */
const SUGGESTED_ROWS = 32;

/** Records that grow too old within so many seconds are left out already: so often is looked for them. */
const AGE_STEP_SECONDS = 60;

interface OpenGeneration {
  readonly number: number;
  readonly dead: ReadonlyMap<string, Uint32Array>;
  readonly keywords: Keywords;
  readonly changes: LoadedChanges | undefined;
  readonly byFolder: ReadonlyMap<string, Segment>;
  readonly segments: readonly Segment[];
  /** What was fetched before this time (Unix seconds) is left out, as of `seenTo` (milliseconds). */
  readonly fetchedFrom: number;
  readonly seenTo: number;
}

/**
 * Opens the newest whole generation in a folder. `now` gives milliseconds UTC. Records that were fetched longer ago
 * than `maxAgeSeconds` are not there any more, whether or not the files are ever written again.
 */
export function openIndex(dir: string, now: () => number, maxAgeSeconds?: number): OpenIndex {
  return openLoaded(dir, loadGeneration(dir, wholeGeneration(dir), new Set()), now, maxAgeSeconds);
}

/** The same, of a generation that has been read. */
export function openLoaded(
  dir: string,
  first: LoadedGeneration,
  now: () => number,
  maxAgeSeconds = Infinity,
): OpenIndex {
  const { current, take, close } = holdGeneration(dir, first, now, maxAgeSeconds);
  const find = (conditions: NovelConditions): Answer => answer(current().segments, planOf(conditions, now()));
  const rows = (query: NovelQuery): { total: number; rows: Row[] } => {
    const found = find(query);
    return { total: found.total, rows: rowsOf(found, query.order, query.st - 1, query.lim) };
  };
  return {
    search: (query) => {
      const { total, rows: page } = rows(query);
      return { total, records: page.map(({ segment, id }) => segment.records.record(id)) };
    },
    searchJson: (query, write = (stored) => stored) => {
      const { total, rows: page } = rows(query);
      const records = page.map(({ segment, id }) => write(segment.records.stored(id)));
      const json = Buffer.from(`[${records.join(',')}]`, 'latin1');
      return { total, json, records: page.length, oldest: oldestOf(page) };
    },
    facets: (conditions, names) => {
      const found = find(conditions);
      return Object.fromEntries(names.map((name) => [name, countFacet(found, name)]));
    },
    suggest: (text, lim) => suggest(current(), splitWords(text), lim),
    facts: () => factsOf(current()),
    changes: () => current().changes,
    hasAny: (column) =>
      current().segments.some(({ columns }) =>
        (columns[column] as Uint32Array).some((value) => value !== unknownIn(column)),
      ),
    take,
    close,
  };
}

/** When the oldest record that ages was fetched. */
const oldestOf = (page: readonly Row[]): number =>
  Math.min(...page.map(({ segment, id }) => segment.columns.fetched_at[id] || Infinity));

/** Keeps one generation open after another, each without what has grown too old. */
function holdGeneration(dir: string, first: LoadedGeneration, now: () => number, maxAgeSeconds: number) {
  const attached = (loaded: LoadedGeneration, known: ReadonlyMap<string, Segment>): OpenGeneration =>
    withoutOld(attach(dir, loaded, known), now(), maxAgeSeconds);
  let open = attached(first, new Map());
  return {
    current: (): OpenGeneration => {
      // A clock that is put right may go back, too.
      const isDue = Math.abs(now() - open.seenTo) >= AGE_STEP_SECONDS * 1000;
      if (isDue && maxAgeSeconds !== Infinity) open = withoutOld(open, now(), maxAgeSeconds);
      return open;
    },
    take: (loaded: LoadedGeneration): void => {
      const before = open;
      open = attached(loaded, before.byFolder);
      for (const [folder, segment] of before.byFolder) {
        if (open.byFolder.get(folder)?.records !== segment.records) segment.close();
      }
    },
    close: (): void => {
      for (const segment of open.segments) segment.close();
    },
  };
}

/** Opens the files of a generation that has been read. */
function attach(
  dir: string,
  { generation, segments, dead, keywords, changes }: LoadedGeneration,
  known: ReadonlyMap<string, Segment>,
): OpenGeneration {
  const byFolder = new Map<string, Segment>();
  try {
    for (const facts of generation.segments) {
      const { folder } = facts;
      const data = segments.get(folder);
      const segment =
        data === undefined ? known.get(folder) : openSegment(path.join(dir, folder), facts, data);
      if (segment === undefined) throw new Error(`the segment ${folder} has not been read`);
      byFolder.set(folder, segment);
    }
  } catch (error) {
    for (const [folder, segment] of byFolder) if (segments.has(folder)) segment.close();
    throw error;
  }
  const { number } = generation;
  return { number, dead, keywords, changes, byFolder, segments: [], fetchedFrom: 0, seenTo: 0 };
}

/** The same generation without what is dead, or fetched so long ago that it grows too old before the next look. */
function withoutOld(open: OpenGeneration, now: number, maxAgeSeconds: number): OpenGeneration {
  const fetchedFrom = Math.max(0, Math.floor(now / 1000) + AGE_STEP_SECONDS - maxAgeSeconds + 1);
  const byFolder = new Map<string, Segment>();
  for (const [folder, segment] of open.byFolder) {
    byFolder.set(folder, withoutDead(segment, open.dead.get(folder) ?? new Uint32Array(0), fetchedFrom));
  }
  return { ...open, byFolder, segments: [...byFolder.values()], fetchedFrom, seenTo: now };
}

function factsOf({ segments, number }: OpenGeneration): IndexFacts {
  return {
    records: segments.reduce((sum, { liveCount }) => sum + liveCount, 0),
    outdated: segments.reduce((sum, { outdated }) => sum + outdated, 0),
    generation: number,
    oldest: Math.min(...segments.map(({ oldest }) => oldest)),
  };
}

/** What a value is counted under; undefined for what is unknown, in whole or in part. */
function facetKey(name: FacetName, value: number): string | undefined {
  if (value === unknownIn(name)) return undefined;
  if (name !== 'type') return String(value);
  return KINDS[value] === 're' ? undefined : KINDS[value];
}

function countFacet({ parts }: Answer, name: FacetName): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { segment, hits } of parts) {
    for (const [value, count] of countByValue(segment, hits, name)) {
      const key = facetKey(name, value);
      if (key !== undefined && count > 0) counts[key] = (counts[key] ?? 0) + count;
    }
  }
  return counts;
}

function suggest(
  { segments, keywords, fetchedFrom }: OpenGeneration,
  words: readonly string[],
  lim: number,
): Suggestions {
  if (words.length === 0) return { titles: [], writers: [], keywords: [] };
  const numberOf = (column: ColumnName, { segment, id }: Row): number =>
    segment.columns[column][id] as number;
  return {
    titles: distinctTexts(segments, words, 'title', lim).map(([title, row]) => ({
      title,
      ncode: ncodeFromNumber(numberOf('ncode', row)),
    })),
    writers: distinctTexts(segments, words, 'writer', lim).map(([writer, row]) => {
      const userid = numberOf('userid', row);
      return suggestedWriter(writer, userid === unknownIn('userid') ? undefined : userid);
    }),
    keywords: findKeywords(keywords, words, lim, fetchedFrom),
  };
}

/** The different titles or pen names that hold all words, and the novel with most weekly points that bears each. */
function distinctTexts(
  segments: readonly Segment[],
  words: readonly string[],
  text: 'title' | 'writer',
  lim: number,
): [string, Row][] {
  const plan: Plan = {
    ...{ wanted: words, unwanted: [], texts: 1 << TEXTS.indexOf(text) },
    ...{ keys: [], values: [], ranges: [] },
  };
  const found = answer(segments, plan);
  const slice = sliceOfFields(text, text);
  const textOf = ({ segment, id }: Row): string => {
    const bytes = slice(segment.records.stored(id)).slice(`"${text}":`.length);
    return JSON.parse(Buffer.from(bytes, 'latin1').toString()) as string;
  };
  const best = new Map<string, Row>();
  let looked = 0;
  for (let rows = SUGGESTED_ROWS; looked < found.total && best.size < lim; rows *= 2) {
    for (const row of rowsOf(found, 'weeklypoint', looked, rows)) {
      if (best.size === lim) break;
      const value = textOf(row);
      if (!best.has(value)) best.set(value, row);
    }
    looked += rows;
  }
  return [...best];
}
