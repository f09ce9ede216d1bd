import path from 'node:path';
import { describeFailure } from '@mokuroku/kit/process';
import { changeIndex } from '../engine/build-index.ts';
import { findByNcode } from '@mokuroku/narou/live';
import { ncodeFromNumber, ncodeToNumber } from '@mokuroku/narou';
import type { NovelQuery } from '@mokuroku/narou/queries';
import type { FoundNovel, NovelRecord } from '@mokuroku/narou/source';
import type { KnownNovels } from './harvest-memory.ts';
import { indexOptions, unixSeconds } from './harvest-run.ts';
import type { HarvestRun } from './harvest-run.ts';
import {
  FIGURE_NAMES,
  RECORD_NAMES,
  STAMP_CODES,
  fieldSetCodes,
  stampOf,
  novelOf,
} from './harvested-novel.ts';
import type { ChangeStamp, Site } from './harvested-novel.ts';
import { isUnreadable, readPage } from './read-page.ts';
import type { ReadPage } from './read-page.ts';
import { settlePage } from './settle-page.ts';
import { PAGE_ROWS, beginWalk } from './walk.ts';
import { searchSite, walkCatalogue } from './walk-catalogue.ts';

/** A change appears after five minutes, or as late as two hours (manual of novelapi): requests overlap by this time. */
const LAG_SECONDS = 7_200;
/** Time from the first look to a request for the second: a fault of a whole day is over. */
const LOOK_AGAIN_SECONDS = 26 * 3_600;

/** Whether a novel differs from its stored record. */
export function hasChanged(knownNovels: KnownNovels, stamp: ChangeStamp): boolean {
  const stored = knownNovels.get(ncodeToNumber(stamp.ncode));
  const isMoved = stamp.genre !== 0 && stored?.genre !== stamp.genre;
  return isMoved || stored?.lastup !== stamp.lastup || stored.lastupdate !== stamp.lastupdate;
}

/** Novels that a request does not return are requested again in lists of this length. */
const FEW_ROWS = 50;

const chunksOf = (ncodes: readonly string[], size: number): string[][] =>
  Array.from({ length: Math.ceil(ncodes.length / size) }, (_, at) =>
    ncodes.slice(at * size, (at + 1) * size),
  );

interface FetchOptions {
  readonly isChange: boolean;
  readonly onPage?: () => void;
}

/** Fetches whole records by their Ncodes, so many per request, and stores them. Returns those that did not come. */
async function storeNovels(
  run: HarvestRun,
  site: Site,
  parts: readonly (readonly string[])[],
  { isChange, onPage }: FetchOptions,
): Promise<string[]> {
  const of = fieldSetCodes('whole', site);
  const missing: string[] = [];
  for (const part of parts) {
    run.throwIfInterrupted();
    const page = { order: 'old', st: 1, lim: PAGE_ROWS, opt: 'weekly', of } as const;
    const answer = await fetchPage(run, site, { ncode: [...part].sort(), ...page });
    if (answer === null) {
      missing.push(...part);
      continue;
    }
    const { items, refused } = answer;
    const fetchedAt = unixSeconds(run.clock);
    const received = items.map((record) => novelOf(record, fetchedAt)).filter((novel) => novel !== undefined);
    const { settled: put, doubts = {} } = settlePage(run, site, received);
    const returned = new Set([...received, ...refused].map(({ ncode }) => ncode));
    missing.push(...part.filter((ncode) => !returned.has(ncode)));
    run.memory.commit({ site, put, doubts, isChange });
    onPage?.();
  }
  return missing;
}

/** Novels of the walk under way, from all parts of its list. */
function chooseWitnesses({ random }: HarvestRun, listed: readonly number[], count: number): string[] {
  const offset = random();
  const step = listed.length / Math.min(listed.length, count);
  return Array.from({ length: Math.min(listed.length, count) }, (_, index) =>
    ncodeFromNumber(listed[Math.floor((index + offset) * step)] as number),
  );
}

/** Finds novels by Ncode among novels that a walk has listed. */
function findNovels(run: HarvestRun, site: Site, ncodes: readonly string[], listed: readonly number[]) {
  const fetch = async (list: readonly string[]) => {
    const query = { ncode: list, order: 'old', st: 1, lim: list.length, of: STAMP_CODES } as const;
    const page = await searchSite(run, site, query).catch((error: unknown) => {
      if (!isUnreadable(error)) throw error;
    });
    const { items = [], unreadable = 0, lacking = 0 } = page ?? {};
    const rows = new Map(items.map((row) => [stampOf(row)?.ncode ?? '', row]));
    const isExact = rows.size === items.length && [...rows.keys()].every((ncode) => list.includes(ncode));
    return isExact && unreadable + lacking === 0 ? rows : new Map<string, NovelRecord>();
  };
  const requested = new Set(ncodes.map(ncodeToNumber));
  const others = listed.filter((number) => !requested.has(number));
  const choose = (count: number) => chooseWitnesses(run, others, count);
  return findByNcode(ncodes, fetch, { chooseWitnesses: choose, batch: FEW_ROWS });
}

interface FetchedNovels {
  /** Novels that did not come. */
  readonly missing: readonly string[];
  /** Those of them that the upstream provably does not have. */
  readonly denied: readonly string[];
}

/**
 * Fetches whole records by their Ncodes, 500 per request, and stores them. Those that do not come are looked for in
 * short lists: among novels that a walk has `listed`, for a proof, or without one.
 */
export async function fetchNovels(
  run: HarvestRun,
  site: Site,
  ncodes: readonly string[],
  { listed, ...options }: FetchOptions & { readonly listed?: Iterable<number> },
): Promise<FetchedNovels> {
  const first = await storeNovels(run, site, chunksOf(ncodes, PAGE_ROWS), options);
  const found = listed && (await findNovels(run, site, first, [...listed]));
  const inState = (state: FoundNovel['state']) => first.filter((_, at) => found?.[at]?.state === state);
  const [denied, unknown] = [inState('denied'), inState('unknown')];
  if (unknown.length > 0) {
    const message =
      'requests by Ncode do not return novels that were listed a moment ago: no absence is proven';
    run.logger.warn({ site, novels: unknown.length }, message);
  }
  const again = found ? inState('found') : first;
  const missing = await storeNovels(run, site, chunksOf(again, FEW_ROWS), options);
  return { missing: found ? [...denied, ...unknown] : missing, denied };
}

/** Null if every attempt is unreadable: one such page must not block all other requests. */
async function fetchPage(run: HarvestRun, site: Site, query: NovelQuery): Promise<ReadPage | null> {
  try {
    const page = await readPage((each) => searchSite(run, site, each), query);
    for (const { ncode, reason } of page.refused) {
      run.logger.warn({ site, ncode, reason }, 'skipped a novel: its record is unreadable');
    }
    return page;
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    const request = { site, first: query.ncode?.[0], novels: query.ncode?.length };
    run.logger.warn(
      { ...request, failure: describeFailure(error) },
      'skipped novels: the upstream response is unreadable',
    );
    return null;
  }
}

/** Ncodes of novels with an episode or a change since a time, as far as the stored records lack it. */
async function listChanged(run: HarvestRun, site: Site, since: number): Promise<string[]> {
  const knownNovels = run.memory.novelsOf(site);
  const changed = new Set<string>();
  for (const by of ['lastup', 'lastupdate'] as const) {
    await walkCatalogue(beginWalk({ from: since, skipsRecount: true }), {
      run,
      site,
      by,
      fieldSet: 'timestamps',
      novels: knownNovels.size,
      countFetched: () => Infinity,
      applyPage: ({ items: rows }) => {
        for (const row of rows) {
          const stamp = stampOf(row);
          if (stamp && hasChanged(knownNovels, stamp)) changed.add(stamp.ncode);
        }
        return () => undefined;
      },
    });
  }
  return [...changed];
}

/** Novels whose record is due for a second look. Figures are listed every day. */
function dueNovels({ memory, clock }: HarvestRun, site: Site): string[] {
  const firstBefore = unixSeconds(clock) - LOOK_AGAIN_SECONDS;
  const isDue = ([field, first]: [string, number]) =>
    RECORD_NAMES.includes(field) && !FIGURE_NAMES.includes(field) && first <= firstBefore;
  const due = [...memory.doubts(site)].filter(([, doubt]) => Object.entries(doubt).some(isDue));
  return due.slice(0, PAGE_ROWS).map(([ncode]) => ncode);
}

/**
 * Fetches the new and changed novels of a site since a time (Unix seconds), and those due for a second look, and
 * publishes them. Returns the time up to which they are complete.
 */
export async function followChanges(run: HarvestRun, site: Site, since: number | undefined): Promise<number> {
  const { clock, memory } = run;
  const began = unixSeconds(clock);
  run.reportStep({ step: 'changes', site });
  const changed = await listChanged(run, site, (since ?? began) - LAG_SECONDS);
  const ncodes = [...new Set([...changed, ...dueNovels(run, site)])];
  const { missing } = await fetchNovels(run, site, ncodes, { isChange: true });
  const lost = missing.filter((ncode) => changed.includes(ncode)).length;
  if (lost > 0)
    run.logger.warn(
      { site, novels: lost },
      'new or changed novels are listed, but not returned by their Ncodes: until they are, they are missing or outdated here',
    );
  const { fresh } = memory.siteMemory(site);
  if (fresh.size > 0)
    await changeIndex(
      path.join(run.dir, site),
      { put: [...fresh.values()], remove: [] },
      indexOptions(run, site),
    );
  return began;
}
