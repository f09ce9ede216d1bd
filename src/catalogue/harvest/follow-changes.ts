import path from 'node:path';
import { ServiceError } from '../../errors.ts';
import { describeFailure } from '../../process/throttled-log.ts';
import type { CatalogueNovel } from '../index/catalogue-novel.ts';
import { changeIndex, readNovels } from '../index/engine/build-index.ts';
import { newestGeneration } from '../index/engine/index-generations.ts';
import { ncodeToNumber } from '../novels/ncode.ts';
import type { NovelQuery } from '../novels/novel-query.ts';
import type { KnownNovels } from './harvest-memory.ts';
import { unixSeconds } from './harvest-run.ts';
import type { HarvestRun } from './harvest-run.ts';
import { extentCodes, stampOf, novelOf } from './harvested-novel.ts';
import type { ChangeStamp, Site } from './harvested-novel.ts';
import { doubtsAbout, profileOf } from './profile.ts';
import { readPage } from './read-page.ts';
import type { ReadPage } from './read-page.ts';
import { PAGE_ROWS, beginWalk } from './walk.ts';
import { searchSite, walkCatalogue } from './walk-catalogue.ts';
import { writeReport } from './write-report.ts';

/** A change appears after five minutes, or as late as two hours (manual of novelapi): requests overlap by this time. */
const LAG_SECONDS = 7_200;

/** Whether a novel differs from its stored record. */
export function hasChanged(knownNovels: KnownNovels, { ncode, lastup, lastupdate }: ChangeStamp): boolean {
  const stored = knownNovels.get(ncodeToNumber(ncode));
  return stored?.lastup !== lastup || stored.lastupdate !== lastupdate;
}

interface Judged {
  /** The plausible records. */
  readonly put: readonly CatalogueNovel[];
  /** Why the other records are implausible. */
  readonly doubts: readonly string[];
}

type NovelsByNcode = ReadonlyMap<string, CatalogueNovel>;

/** The stored records of novels; null if they are unreadable: the next build finds and reports damaged files. */
function readStored(
  { dir }: HarvestRun,
  site: Site,
  novels: readonly CatalogueNovel[],
): NovelsByNcode | null {
  const folder = path.join(dir, site);
  try {
    if (newestGeneration(folder) === null) return new Map();
    const numbers = new Set(novels.map(({ ncode }) => ncodeToNumber(ncode)));
    return new Map([...readNovels(folder, numbers)].map((novel) => [novel.ncode, novel]));
  } catch {
    return null;
  }
}

/** Whether a received record lacks a title that its stored record has, or may have: it is implausible. */
const hasLostTitle = ({ ncode, title }: CatalogueNovel, stored: NovelsByNcode | null): boolean =>
  !title && (stored === null || !!stored.get(ncode)?.title);

/** Ncodes of received records that have lost their title. */
export function findUntitled(run: HarvestRun, site: Site, received: readonly CatalogueNovel[]): Set<string> {
  const untitled = received.filter(({ title }) => !title);
  if (untitled.length === 0) return new Set();
  const stored = readStored(run, site, untitled);
  return new Set(untitled.filter((novel) => hasLostTitle(novel, stored)).map(({ ncode }) => ncode));
}

/**
 * Compares the records of a page with the stored ones. A record that has lost its title is implausible; so are all,
 * if their differences together are implausible.
 */
function judgePage(run: HarvestRun, site: Site, received: readonly CatalogueNovel[]): Judged {
  const stored = readStored(run, site, received);
  const lost = received.filter((novel) => hasLostTitle(novel, stored));
  const untitled = lost.map(({ ncode }) => `${ncode} has lost its title`);
  const put = received.filter((novel) => !lost.includes(novel));
  const knownNovels = put.filter(({ ncode }) => stored?.has(ncode));
  const before = profileOf(knownNovels.map(({ ncode }) => stored?.get(ncode) as CatalogueNovel));
  const doubts = doubtsAbout(before, profileOf(knownNovels));
  return { put: doubts.length === 0 ? put : [], doubts: [...untitled, ...doubts] };
}

/** `interrupted`: a more urgent task is due; `doubtful`: some records are implausible and were discarded. */
export type FollowOutcome = 'done' | 'doubtful' | 'interrupted';

interface Fetching {
  readonly outcome: FollowOutcome;
  /** Requested Ncodes that the upstream did not return, of responses whose rows are all named. */
  readonly unanswered: readonly string[];
}

/** Fetches whole records by their Ncodes, 500 per request, and stores them. */
export async function fetchNovels(
  run: HarvestRun,
  site: Site,
  ncodes: readonly string[],
  options: {
    readonly isChange: boolean;
    readonly isInterrupted?: () => boolean;
    readonly onPage?: () => void;
  },
): Promise<Fetching> {
  const of = extentCodes('whole', site);
  let outcome: FollowOutcome = 'done';
  const doubted: string[] = [];
  const unanswered: string[] = [];
  for (let at = 0; at < ncodes.length; at += PAGE_ROWS) {
    if (options.isInterrupted?.()) return { outcome: 'interrupted', unanswered };
    const ncodesOfPage = ncodes.slice(at, at + PAGE_ROWS);
    const page = { order: 'old', st: 1, lim: PAGE_ROWS, opt: 'weekly', of } as const;
    const answer = await fetchPage(run, site, { ncode: [...ncodesOfPage].sort(), ...page });
    if (answer === null) continue;
    const { items, refused } = answer;
    const fetchedAt = unixSeconds(run.clock);
    const received = items.map((record) => novelOf(record, fetchedAt)).filter((novel) => novel !== undefined);
    const { put, doubts } = judgePage(run, site, received);
    if (doubts.length > 0) {
      outcome = 'doubtful';
      doubted.push(...doubts);
      const at = new Date(run.clock.now()).toISOString();
      writeReport(run, site, { lastDoubted: { at, doubts: doubted, discarded: 'records' } });
      run.logger.warn({ site, doubts }, 'implausible records: the old ones stay, and are requested again');
    }
    const returned = new Set([...received, ...refused].map(({ ncode }) => ncode));
    // A row without its Ncode may be any of them.
    const hasUnnamed = received.length < items.length;
    if (!hasUnnamed) unanswered.push(...ncodesOfPage.filter((ncode) => !returned.has(ncode)));
    run.memory.commit({ site, put, isChange: options.isChange });
    options.onPage?.();
  }
  return { outcome, unanswered };
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
    if (!(error instanceof ServiceError && error.code === 'upstream_invalid')) throw error;
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
      extent: 'stamps',
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

/**
 * Fetches the new and changed novels of a site since a time (Unix seconds), and publishes them. Returns the time up
 * to which they are complete.
 */
export async function followChanges(
  run: HarvestRun,
  site: Site,
  since: number | undefined,
): Promise<number | undefined> {
  const { clock, memory } = run;
  const began = unixSeconds(clock);
  run.reportStep({ step: 'changes', site, done: 0, total: undefined });
  const changed = await listChanged(run, site, (since ?? began) - LAG_SECONDS);
  const { outcome } = await fetchNovels(run, site, changed, { isChange: true });
  const { fresh } = memory.siteMemory(site);
  if (fresh.size > 0)
    await changeIndex(
      path.join(run.dir, site),
      { put: [...fresh.values()], remove: [] },
      // Changes of adult novels are not published.
      {
        keptGenerations: run.keptGenerations,
        now: unixSeconds(clock),
        isLogged: site === 'novels',
        isSample: memory.state.isSample,
      },
    );
  // The next round requests implausible records again.
  return outcome === 'done' ? began : since;
}
