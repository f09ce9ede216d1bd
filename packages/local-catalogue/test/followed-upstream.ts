import fs from 'node:fs';
import { beforeEach } from 'vitest';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import type { Catalogue } from '../../../test/upstream/catalogue.ts';
import type { CatalogueNovel, FoundPage } from '@mokuroku/narou/scan';
import { createNovelScan } from '../../narou/src/scan/novel-scan.ts';
import type { NovelScan } from '../../narou/src/scan/novel-scan.ts';
import { harvestAndFollow } from '../src/harvest/harvest.ts';
import { startNarouServer } from '../../../test/upstream/index.ts';
import type { NarouServer } from '../../../test/upstream/server.ts';
import { japanDateTime, japanDay } from '@mokuroku/narou';
import type { NovelQuery } from '@mokuroku/narou/queries';
import { createEmbeddedCatalogue } from '@mokuroku/narou/sample';
import type { EmbeddedCatalogue } from '../../narou/src/sample/embedded-catalogue.ts';
import { isPublicationDay } from '../../narou/src/novels/ranking-date.ts';
import { harvestOptions } from './harvest-under-test.ts';
import { plainNovel } from '../../narou/test/plain-novel.ts';
import { japan, standingClock } from '../../narou/test/upstream-under-test.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
/** A Monday; there are 50 rankings so far, and some 1,200 novels of the sample. */
export const THEN = japan('2013-06-10T12:00:00');

export const novel = (index: number, of: Partial<CatalogueNovel> = {}): CatalogueNovel => ({
  ...plainNovel(),
  ncode: `N${String(index).padStart(4, '0')}AA`,
  general_firstup: '2012-01-01 18:00:00',
  general_lastup: `2012-03-${String(1 + (index % 28)).padStart(2, '0')} 18:00:00`,
  novelupdated_at: '2012-05-01 18:00:00',
  ...of,
});

/** As many novels, numbered from 0. */
export const novels = (count: number, of?: Partial<CatalogueNovel>): CatalogueNovel[] =>
  Array.from({ length: count }, (_, index) => novel(index, of));

/** The fields of a site that the data lack. */
const GENERAL = {};
const ADULT = { nocgenre: 1 };

const RANKED = novels(20);
/** Of each day other points. */
const rankingOn = (day: number) =>
  RANKED.map(({ ncode }, index) => ({ ncode, pt: 100 + day - index, rank: index + 1 }));

type FollowOptions = NonNullable<Parameters<typeof harvestOptions>[3]>;
type Search = (query: NovelQuery, index: NovelScan) => FoundPage<CatalogueNovel>;

/** The answers of an upstream to a test; nothing of it outlives the test. */
function testedCatalogue(clock: ReturnType<typeof standingClock>) {
  let embedded: EmbeddedCatalogue | undefined;
  const sample = () => (embedded ??= createEmbeddedCatalogue({ clock }));
  const scans = new Map<Partial<CatalogueNovel>, { all: unknown; count: number; scan: NovelScan }>();
  /** A scan of the data, each with these fields; the last one while the data are the same. */
  const scanOf = (all: readonly CatalogueNovel[], of: Partial<CatalogueNovel>) => {
    const last = scans.get(of);
    if (last?.all === all && last.count === all.length) return last.scan;
    const scan = tested.scan(all.map((each) => ({ ...each, ...of })));
    scans.set(of, { all, count: all.length, scan });
    return scan;
  };
  const general = () => (tested.novels ? scanOf(tested.novels, GENERAL) : sample().novelIndex());
  const adult = () => (tested.novels ? scanOf(tested.novels, ADULT) : sample().adultNovelIndex());
  const tested = {
    /** Its data, if not the sample. */
    novels: undefined as CatalogueNovel[] | undefined,
    /** Its custom behaviour. */
    own: {} as Partial<Pick<Catalogue, 'novelIndex' | 'adultNovelIndex' | 'ranking'>>,
    sample,
    /** An index of other novels, on its clock. */
    scan: (all: readonly CatalogueNovel[]) => createNovelScan(all, () => clock.now()),
    /** Replaces the search of general novels; `index` is that of its data. */
    searchBy: (search: Search) => {
      tested.own.novelIndex = () => {
        const index = general();
        return { ...index, search: (query) => search(query, index) };
      };
    },
    /** Lists its novels that pass; the others are returned by Ncode at most, if `byNcode` does. */
    listOnly: (isListed: (each: CatalogueNovel) => boolean, byNcode?: Search) => {
      const listed = tested.scan((tested.novels ?? []).filter(isListed));
      tested.searchBy((query, index) =>
        query.ncode && byNcode ? byNcode(query, index) : listed.search(query),
      );
    },
    /** Adds a novel whose episode was published at this time. */
    addNovel: (index: number, at = clock.now()) => {
      const time = japanDateTime(at);
      const added = novel(index, { general_firstup: time, general_lastup: time });
      tested.novels = [...(tested.novels ?? []), added];
    },
    /** The same novels in every ranking, unless its data are the sample. Created at four in the morning. */
    ranking: (...[type, day]: Parameters<Catalogue['ranking']>) => {
      if (tested.novels === undefined) return sample().ranking(type, day);
      return isPublicationDay(type, day) && day <= japanDay(clock.now() - 4 * HOUR) ? rankingOn(day) : null;
    },
  };
  const catalogue: Catalogue = {
    novelIndex: () => tested.own.novelIndex?.() ?? general(),
    adultNovelIndex: () => tested.own.adultNovelIndex?.() ?? adult(),
    ranking: (...requested) => (tested.own.ranking ?? tested.ranking)(...requested),
    users: () => sample().users(),
    rankingHistory: (ncode) => sample().rankingHistory(ncode),
  };
  return { tested, catalogue };
}

const filled = new Map<string, string>();

/** Fills a folder, or copies the one that was filled by this name: many tests begin alike. */
export async function copyOnce(dir: string, name: string, fill: () => Promise<void>): Promise<void> {
  const copy = filled.get(name) ?? temporaryFolder();
  if (filled.has(name)) fs.cpSync(copy, dir, { recursive: true });
  else {
    await fill();
    fs.cpSync(dir, copy, { recursive: true });
    filled.set(name, copy);
  }
}

/** An upstream followed into folders, on a clock that waiting moves. Each test begins at THEN. */
export function followedUpstream() {
  const clock = standingClock(THEN);
  const { tested, catalogue } = testedCatalogue(clock);
  let server: NarouServer;
  const upstream = Object.assign(tested, {
    clock,
    set: (switches: Partial<NarouServer['switches']>) => Object.assign(server.switches, switches),
    requestCount: () => server.requestCount(),
    options: (dir: string, of?: FollowOptions) => harvestOptions(server.url, dir, clock, of),
    /**
     * Follows until an instant. `rounds` is the least wait for the next round: an hour where most of a day passes, six
     * where days do. Rejects if the signal or a failure ends it before.
     */
    followUntil: async (
      dir: string,
      end: number,
      { rounds = leastWait(end - clock.now()), signal, ...of }: FollowOptions & { rounds?: number } = {},
    ) => {
      const ending = new AbortController();
      const ended = signal ? AbortSignal.any([signal, ending.signal]) : ending.signal;
      const wait = (milliseconds: number) => {
        const least = milliseconds > MINUTE ? rounds : 0;
        clock.set(Math.min(end, clock.now() + Math.max(milliseconds, least)));
        if (clock.now() >= end) ending.abort(theEnd);
        return ended.aborted ? Promise.reject(ended.reason as Error) : Promise.resolve();
      };
      await harvestAndFollow(upstream.options(dir, { ...of, wait, signal: ended })).catch(
        (error: unknown) => {
          if (error !== theEnd) throw error;
        },
      );
    },
    /** A folder that has followed these novels, or as many, for an hour, and then until an instant. */
    followedFolder: async (
      all: number | CatalogueNovel[] = 40,
      of: FollowOptions = {},
      until: number = THEN + HOUR,
    ) => {
      const dir = temporaryFolder();
      tested.novels = typeof all === 'number' ? novels(all) : all;
      const follow = async () => {
        await upstream.followUntil(dir, THEN + HOUR, of);
        if (until > THEN + HOUR) await upstream.followUntil(dir, until, of);
      };
      const isPlain =
        Object.keys(tested.own).length === 0 && Object.values(of).every((each) => each === true);
      if (isPlain) await copyOnce(dir, JSON.stringify([tested.novels, of, until, server.switches]), follow);
      else await follow();
      clock.set(until);
      return dir;
    },
  });
  beforeEach(async () => {
    clock.set(THEN);
    upstream.novels = undefined;
    upstream.own = {};
    server = await startNarouServer({ catalogue, clock });
    return () => server.close();
  });
  return upstream;
}

const theEnd = new Error('the end');

function leastWait(milliseconds: number): number {
  if (milliseconds > 4 * DAY) return 6 * HOUR;
  return milliseconds > 6 * HOUR ? HOUR : 0;
}
