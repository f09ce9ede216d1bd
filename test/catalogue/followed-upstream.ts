import { afterAll, afterEach, beforeEach, expect } from 'vitest';
import type { Catalogue } from '../../src/catalogue/index/catalogue.ts';
import type { CatalogueNovel } from '../../src/catalogue/index/catalogue-novel.ts';
import { createNovelScan } from '../../src/catalogue/index/novel-scan.ts';
import { harvestAndFollow } from '../../src/catalogue/harvest/harvest.ts';
import { startNarouServer } from '../../src/catalogue/narou-server/server.ts';
import type { NarouServer } from '../../src/catalogue/narou-server/server.ts';
import { createEmbeddedCatalogue } from '../../src/sample/novels/embedded-catalogue.ts';
import { harvestOptions, temporaryFolders } from './harvest-under-test.ts';
import { plainNovel } from './plain-novel.ts';
import { japan, standingClock } from './upstream-under-test.ts';

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
/** A Monday; there are 60 rankings so far, and some 1,200 novels of the sample. */
export const THEN = japan('2013-06-10T12:00:00');

export const novel = (index: number, of: Partial<CatalogueNovel> = {}): CatalogueNovel => ({
  ...plainNovel(),
  ncode: `N${String(index).padStart(4, '0')}AA`,
  general_firstup: '2012-01-01 18:00:00',
  general_lastup: `2012-03-${String(1 + (index % 28)).padStart(2, '0')} 18:00:00`,
  novelupdated_at: '2012-05-01 18:00:00',
  ...of,
});

type FollowOptions = NonNullable<Parameters<typeof harvestOptions>[3]>;

/** An upstream followed into folders, on a clock that waiting moves. Each test begins at THEN. */
export function followedUpstream() {
  const folders = temporaryFolders();
  const clock = standingClock(THEN);
  const sample = createEmbeddedCatalogue({ clock });
  let server: NarouServer;
  const upstream = {
    folders,
    clock,
    sample,
    /** Its data, if not the sample. */
    novels: undefined as CatalogueNovel[] | undefined,
    /** Its custom behaviour. */
    own: {} as Partial<Pick<Catalogue, 'novelIndex' | 'adultNovelIndex' | 'ranking'>>,
    set: (switches: Partial<NarouServer['switches']>) => Object.assign(server.switches, switches),
    requestCount: () => server.requestCount(),
    options: (dir: string, of?: FollowOptions) => harvestOptions(server.url, dir, clock, of),
    /** Follows until an instant. `rounds` is the least wait for the next round: an hour where most of a day passes. */
    followUntil: async (
      dir: string,
      end: number,
      { rounds = end - clock.now() > 6 * HOUR ? HOUR : 0, ...of }: FollowOptions & { rounds?: number } = {},
    ) => {
      const controller = new AbortController();
      const wait = (milliseconds: number) => {
        clock.set(
          Math.min(
            end,
            clock.now() + (milliseconds > MINUTE ? Math.max(milliseconds, rounds) : milliseconds),
          ),
        );
        if (clock.now() >= end) controller.abort(new Error('the end'));
        return controller.signal.aborted ? Promise.reject(new Error('the end')) : Promise.resolve();
      };
      const options = upstream.options(dir, { ...of, wait, signal: controller.signal });
      await expect(harvestAndFollow(options)).rejects.toThrow('the end');
    },
  };
  beforeEach(async () => {
    clock.set(THEN);
    upstream.novels = undefined;
    upstream.own = {};
    const ownIndex = (of: Partial<CatalogueNovel> = {}) =>
      upstream.novels &&
      createNovelScan(
        upstream.novels.map((each) => ({ ...each, ...of })),
        () => clock.now(),
      );
    const catalogue = {
      ...sample,
      novelIndex: () => upstream.own.novelIndex?.() ?? ownIndex() ?? sample.novelIndex(),
      adultNovelIndex: () =>
        upstream.own.adultNovelIndex?.() ?? ownIndex({ nocgenre: 1 }) ?? sample.adultNovelIndex(),
      ranking: (...requested: Parameters<Catalogue['ranking']>) =>
        (upstream.own.ranking ?? sample.ranking)(...requested),
    };
    server = await startNarouServer({ catalogue, clock });
  });
  afterEach(() => server.close());
  afterAll(folders.remove);
  return upstream;
}
