import fs from 'node:fs';
import path from 'node:path';
import { finished } from 'node:stream/promises';
import type { NovelConditions, NovelQuery } from '../../novels/novel-query.ts';
import type { CatalogueNovel } from '../catalogue-novel.ts';
import { splitWords } from '../novel-conditions.ts';
import type { FacetCounts, FacetName, Found, NovelIndex, Suggestions } from '../novel-index.ts';
import { KINDS } from './columns.ts';
import { deadOf, newestGeneration, wholeGeneration } from './generations.ts';
import type { Generation } from './generations.ts';
import { openKeywords } from './keywords.ts';
import { SEGMENT_FILES, TEXTS } from './layout.ts';
import { planOf } from './plan.ts';
import type { Plan } from './plan.ts';
import { countByValue } from './question.ts';
import { answer, rowsOf } from './rows.ts';
import type { Answer, Row } from './rows.ts';
import { openSegment, withDead } from './segment.ts';
import type { Segment } from './segment.ts';

/** The index in a folder: it answers as the plain scan over its records does. */
export interface OpenIndex extends NovelIndex {
  search(query: NovelQuery): Found<CatalogueNovel>;
  /** A search whose records are a JSON array, put together without being parsed. */
  searchJson(query: NovelQuery): { readonly total: number; readonly json: Buffer };
  facets(conditions: NovelConditions, names: readonly FacetName[]): FacetCounts;
  suggest(text: string, lim: number): Suggestions;
  /** How many records there are, and the number of their generation. */
  facts(): { readonly records: number; readonly generation: number };
  /** Takes up a newer generation, if there is one: what is open of it already stays open. */
  refresh(): boolean;
  /** Reads what stays on disk once, so that the system has it at hand and no question waits for a disk. */
  readThrough(): Promise<void>;
  close(): void;
}

/** Rows looked at first for suggestions; as many titles are rarely equal. */
const SUGGESTED_ROWS = 32;

/** Opens the newest whole generation in a folder. `now` gives milliseconds UTC. */
export function openIndex(dir: string, now: () => number): OpenIndex {
  let open = openGeneration(dir, wholeGeneration(dir), new Map());
  const find = (conditions: NovelConditions): Answer => answer(open.segments, planOf(conditions, now()));
  const rows = (query: NovelQuery): { total: number; rows: Row[] } => {
    const found = find(query);
    return { total: found.total, rows: rowsOf(found, query.order, query.st - 1, query.lim) };
  };
  return {
    search: (query) => {
      const { total, rows: page } = rows(query);
      return { total, records: page.map(({ segment, id }) => segment.records.record(id)) };
    },
    searchJson: (query) => {
      const { total, rows: page } = rows(query);
      const records = page.map(({ segment, id }) => segment.records.json(id));
      return { total, json: Buffer.from(`[${records.join(',')}]`) };
    },
    facets: (conditions, names) => {
      const found = find(conditions);
      return Object.fromEntries(names.map((name) => [name, countFacet(found, name)]));
    },
    suggest: (text, lim) => suggest(open, splitWords(text), lim),
    facts: () => ({
      records: open.segments.reduce((sum, { liveCount }) => sum + liveCount, 0),
      generation: open.number,
    }),
    refresh: () => {
      const newest = newestGeneration(dir);
      if (newest === null || newest.number <= open.number) return false;
      const before = open;
      open = openGeneration(dir, newest, before.byFolder);
      for (const [folder, segment] of before.byFolder) if (!open.byFolder.has(folder)) segment.close();
      return true;
    },
    readThrough: () => readThrough(dir, [...open.byFolder.keys()]),
    close: () => {
      for (const segment of open.segments) segment.close();
    },
  };
}

type OpenGeneration = ReturnType<typeof openGeneration>;

function openGeneration(dir: string, generation: Generation, known: ReadonlyMap<string, Segment>) {
  const byFolder = new Map<string, Segment>();
  for (const facts of generation.segments) {
    const segment = known.get(facts.folder);
    const dead = deadOf(dir, facts);
    byFolder.set(
      facts.folder,
      segment === undefined
        ? openSegment(path.join(dir, facts.folder), facts, dead)
        : withDead(segment, dead),
    );
  }
  return {
    number: generation.number,
    byFolder,
    segments: [...byFolder.values()],
    keywords: openKeywords(path.join(dir, generation.keywords)),
  };
}

function countFacet({ parts }: Answer, name: FacetName): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { segment, hits } of parts) {
    for (const [value, count] of countByValue(segment, hits, name)) {
      const key = name === 'type' ? (KINDS[value] ?? '') : String(value);
      if (count > 0) counts[key] = (counts[key] ?? 0) + count;
    }
  }
  return counts;
}

function suggest({ segments, keywords }: OpenGeneration, words: readonly string[], lim: number): Suggestions {
  if (words.length === 0) return { titles: [], writers: [], keywords: [] };
  const titles = distinctTexts(segments, words, 'title', lim).map(([title, { ncode }]) => ({ title, ncode }));
  const writers = distinctTexts(segments, words, 'writer', lim).map(([writer, { userid }]) => ({
    writer,
    userid,
  }));
  return { titles, writers, keywords: keywords(words, lim) };
}

/** The different titles or pen names that hold all words, and the novel with most weekly points that bears each. */
function distinctTexts(
  segments: readonly Segment[],
  words: readonly string[],
  text: 'title' | 'writer',
  lim: number,
): [string, CatalogueNovel][] {
  const plan: Plan = {
    ...{ wanted: words, unwanted: [], texts: 1 << TEXTS.indexOf(text) },
    ...{ keys: [], values: [], ranges: [] },
  };
  const found = answer(segments, plan);
  const best = new Map<string, Row>();
  let looked = 0;
  for (let rows = SUGGESTED_ROWS; looked < found.total && best.size < lim; rows *= 2) {
    for (const row of rowsOf(found, 'weeklypoint', looked, rows)) {
      const value = row.segment.records.textOf(row.id, text);
      if (best.size < lim && !best.has(value)) best.set(value, row);
    }
    looked += rows;
  }
  return [...best].map(([value, { segment, id }]) => [value, segment.records.record(id)]);
}

async function readThrough(dir: string, folders: readonly string[]): Promise<void> {
  for (const folder of folders) {
    for (const name of SEGMENT_FILES) {
      const stream = fs.createReadStream(path.join(dir, folder, name), { highWaterMark: 1 << 20 });
      await finished(stream.resume()).catch((error: unknown) => {
        // Two generations later, a file that is still being read through may be gone.
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      });
    }
  }
}
