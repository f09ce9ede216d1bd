import path from 'node:path';
import { describeFailure } from '@mokuroku/kit/process';
import { changeIndex } from '../engine/build-index.ts';
import { newestGeneration } from '../engine/index-generations.ts';
import { askByNcode, listEnds, queryByNcode } from '@mokuroku/narou/live';
import type { ReceivedNovels } from '@mokuroku/narou/live';
import { ncodeFromNumber, ncodeToNumber } from '@mokuroku/narou';
import type { NovelQuery } from '@mokuroku/narou/queries';
import type { FoundNovel, NovelRecord } from '@mokuroku/narou/source';
import { LAG_SECONDS, fieldOf } from './doubts.ts';
import { withoutForeignRows } from './foreign-rows.ts';
import { MIN_WITNESSES } from './harvest-memory.ts';
import type { KnownNovels } from './harvest-memory.ts';
import { indexOptions, unixSeconds } from './harvest-run.ts';
import type { HarvestRun } from './harvest-run.ts';
import { FIGURE_NAMES, INTERFACES, fieldSetCodes, stampOf, novelOf } from './harvested-novel.ts';
import type { ChangeStamp, Site } from './harvested-novel.ts';
import { isUnreadable, readPage, searchSite } from './read-page.ts';
import type { ReadPage } from './read-page.ts';
import { settlePage } from './settle-page.ts';
import { PAGE_ROWS, beginWalk } from './walk.ts';
import { walkCatalogue } from './walk-catalogue.ts';

/** Time from the first look to a request for the second: a fault of a whole day is over. */
const LOOK_AGAIN_SECONDS = 26 * 3_600;

export function hasChanged(knownNovels: KnownNovels, stamp: ChangeStamp): boolean {
  const stored = knownNovels.get(ncodeToNumber(stamp.ncode));
  const isMoved = stamp.genre !== 0 && stored?.genre !== stamp.genre;
  const isAnother = stamp.firstup !== 0 && stored?.firstup !== stamp.firstup;
  return isMoved || isAnother || stored?.lastup !== stamp.lastup || stored.lastupdate !== stamp.lastupdate;
}

interface FetchOptions {
  readonly isChange: boolean;
  /** The novels that a list shows as changed. */
  readonly changed: ReadonlySet<string>;
  readonly onPage?: () => void;
  /** Novels that a walk has listed: witnesses. */
  readonly listed?: Iterable<number>;
}

const RECEIVED: NovelRecord = {};

/** Fetches whole records by their Ncodes in one request, and stores the `wanted` ones. */
async function storeNovels(
  run: HarvestRun,
  site: Site,
  ncodes: readonly string[],
  wanted: ReadonlySet<string>,
  { isChange, changed }: FetchOptions,
): Promise<ReceivedNovels> {
  const fields = { opt: 'weekly', of: fieldSetCodes('whole', site) } as const;
  const page = await fetchPage(run, site, queryByNcode(INTERFACES[site], ncodes, fields));
  if (page === null) return { rows: new Map(), isWhole: false };
  const fetchedAt = unixSeconds(run.clock);
  const received = page.items.map((record) => novelOf(record, fetchedAt));
  const { settled, doubts } = settlePage(run, site, received, { changed });
  // A witness is stored too if it settles a doubt.
  const inDoubt = run.memory.doubts(site);
  const put = settled.filter(({ ncode }) => wanted.has(ncode) || inDoubt.has(ncode));
  run.memory.commit({ site, put, doubts, isChange });
  // A novel whose record no request can read exists too.
  const rows = new Map([...received, ...page.refused].map(({ ncode }) => [ncode, RECEIVED]));
  const isExact = rows.size === received.length + page.refused.length;
  const isOfList = [...rows.keys()].every((ncode) => ncodes.includes(ncode));
  return { rows, isWhole: isExact && isOfList && page.lacking === 0 };
}

/** Novels from all parts of a list. */
function chooseWitnesses({ random }: HarvestRun, listed: readonly number[], count: number): string[] {
  const offset = random();
  const chosen = Math.min(listed.length, Math.max(MIN_WITNESSES, count));
  const step = listed.length / chosen;
  return Array.from({ length: chosen }, (_, index) =>
    ncodeFromNumber(listed[Math.floor((index + offset) * step)] as number),
  );
}

interface FetchedNovels {
  readonly missing: readonly string[];
  /** Those of them that the upstream provably does not have. */
  readonly denied: readonly string[];
}

/**
 * Fetches whole records by their Ncodes, 500 per request, and stores them. Those that do not come are asked for again,
 * with witnesses.
 */
export async function fetchNovels(
  run: HarvestRun,
  site: Site,
  ncodes: readonly string[],
  options: FetchOptions,
): Promise<FetchedNovels> {
  const { isChange, onPage, listed = [] } = options;
  const wanted = new Set(ncodes);
  const request = (list: readonly string[]) => storeNovels(run, site, list, wanted, options);
  const open: string[] = [];
  const numbers = new Set(ncodes.map(ncodeToNumber));
  const withoutWanted = (all: Iterable<number>) => [...all].filter((number) => !numbers.has(number));
  // A fault does not show among novels that have all changed.
  const unchanged = isChange ? withoutWanted(run.memory.novelsOf(site).keys()) : [];
  const size = PAGE_ROWS - MIN_WITNESSES;
  for (let at = 0; at < ncodes.length; at += size) {
    run.throwIfInterrupted();
    const part = ncodes.slice(at, at + size);
    const { rows } = await request([...part, ...chooseWitnesses(run, unchanged, MIN_WITNESSES)]);
    open.push(...part.filter((ncode) => !rows.has(ncode)));
    onPage?.();
  }
  const others = withoutWanted(listed);
  const ends = () => listEnds(INTERFACES[site], (query) => searchSite(run, site, query));
  const found = await askByNcode(open, {
    request,
    knownEnds: open.length === 0 ? [] : await ends(),
    listEnds: ends,
    chooseMore: (count) => chooseWitnesses(run, others, count),
    maxRequests: 2 * open.length,
  });
  const inState = (state: FoundNovel['state']) => open.filter((_, at) => found[at]?.state === state);
  const [denied, unknown] = [inState('denied'), inState('unknown')];
  if (unknown.length > 0) {
    const message =
      'requests by Ncode do not return novels that were listed a moment ago: no absence is proven';
    run.logger.warn({ site, novels: unknown.length }, message);
  }
  return { missing: [...denied, ...unknown], denied };
}

/** Null if every attempt is unreadable: one such page must not block all other requests. */
async function fetchPage(run: HarvestRun, site: Site, query: NovelQuery): Promise<ReadPage | null> {
  try {
    const page = await readPage((each) => searchSite(run, site, each), query);
    for (const { ncode, reason } of page.refused) {
      run.logger.warn({ site, ncode, reason }, 'skipped a novel: its record is unreadable');
    }
    return await withoutForeignRows(run, site, page);
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
          if (hasChanged(knownNovels, stamp)) changed.add(stamp.ncode);
        }
        return () => undefined;
      },
    });
  }
  return [...changed];
}

/**
 * Number of records that may be added to the changes of the index before the next daily round, which has the others: a
 * change of the whole site would be a million records in memory, and a segment to write for minutes.
 */
function freeChanges({ dir, memory }: HarvestRun, site: Site): number {
  const max = Math.max(1_000, memory.novelsOf(site).size / 20);
  const published = newestGeneration(path.join(dir, site))?.segments.find(({ isChange }) => isChange);
  return Math.max(0, max - (published?.records ?? 0) - memory.siteMemory(site).fresh.size);
}

/** Stored novels whose record is due for a second look: the daily round looks at figures. */
function dueNovels({ memory, clock }: HarvestRun, site: Site): string[] {
  const knownNovels = memory.novelsOf(site);
  const { looked } = memory.siteMemory(site);
  const firstBefore = unixSeconds(clock) - LOOK_AGAIN_SECONDS;
  const isDue = ([claim, first]: [string, number]) =>
    first <= firstBefore && claim !== 'ncode' && !FIGURE_NAMES.includes(fieldOf(claim));
  return [...memory.doubts(site)]
    .filter(([, doubt]) => Object.entries(doubt).some(isDue))
    .map(([ncode]) => ncode)
    .filter((ncode) => knownNovels.has(ncodeToNumber(ncode)) && !looked.has(ncode))
    .slice(0, PAGE_ROWS);
}

/**
 * Fetches the new and changed novels of a site since a time (Unix seconds), and those due for a second look, and
 * publishes them. Returns the time up to which they are complete, or left to the next daily round.
 */
export async function followChanges(run: HarvestRun, site: Site, since: number | undefined): Promise<number> {
  const { clock, memory } = run;
  const began = unixSeconds(clock);
  run.reportStep({ step: 'changes', site });
  const listed = await listChanged(run, site, (since ?? began) - LAG_SECONDS);
  const due = dueNovels(run, site);
  const ncodes = new Set([...listed.slice(0, freeChanges(run, site)), ...due]);
  await fetchNovels(run, site, [...ncodes], { isChange: true, changed: new Set(listed) });
  const { fresh, looked } = memory.siteMemory(site);
  for (const ncode of due) looked.add(ncode);
  if (fresh.size > 0)
    await changeIndex(path.join(run.dir, site), [...fresh.values()], indexOptions(run, site));
  return began;
}
