import { ServiceError } from '@mokuroku/kit';
import { describeFailure } from '@mokuroku/kit/process';
import type { Logger } from '@mokuroku/kit/process';
import type { NovelRecord, OverlongText, SearchPage } from '@mokuroku/narou/source';
import { ShortPage, invalidResponse, searchInHalves } from '@mokuroku/narou/live';
import type { NovelQuery } from '@mokuroku/narou/queries';
import { INTERFACES, stampOf } from './harvested-novel.ts';
import type { Site } from './harvested-novel.ts';
import type { Upstream } from './open-upstream.ts';
import type { RetryingFetch } from './retrying-fetch.ts';

/** A novel whose record no request can read. */
export interface UnreadableRecord {
  readonly ncode: string;
  /** Unix seconds of its last episode; undefined or 0 where unknown. */
  readonly lastup?: number | undefined;
  readonly reason: string;
}

export interface ReadPage extends Pick<SearchPage<NovelRecord>, 'allCount' | 'items'> {
  readonly refused: readonly UnreadableRecord[];
  readonly overlong: readonly OverlongText[];
  readonly lacking: number;
}

type Search = (query: NovelQuery) => Promise<SearchPage<NovelRecord>>;

export const isUnreadable = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && error.code === 'upstream_invalid';

/** With more unreadable records on a page (5 %), the upstream is faulty, not a record. */
const MAX_UNREADABLE = 24;
const UNNAMED: UnreadableRecord = {
  ncode: 'unknown',
  reason: 'the row has nothing of a novel, or did not come again',
};

/**
 * Reads a page of novels. If it is unreadable, or the upstream refuses it, the records that cause it are found by
 * halving, and named; all others are returned. Rejects with the failure of the page if its Ncodes are unreadable too.
 */
export async function readPage(search: Search, query: NovelQuery): Promise<ReadPage> {
  const refused: UnreadableRecord[] = [];
  const {
    allCount,
    items,
    overlong = [],
    unreadable = 0,
    lacking = 0,
  } = await searchInHalves(query, {
    search: async (each) => {
      const page = await search(each);
      if (!page.unreadable) return page;
      // The row is looked for.
      throw invalidResponse(
        `${page.unreadable} of ${page.items.length + page.unreadable} rows are unreadable`,
      );
    },
    list: search,
    isOfRecord: (error) => isUnreadable(error) && query.lim > 1 && refused.length < MAX_UNREADABLE,
    fetchAlone: (row, error) => {
      const { ncode, lastup } = stampOf(row);
      refused.push({ ncode, lastup, reason: describeFailure(error) });
      return { allCount: undefined, items: [] };
    },
  });
  const unnamed = Array.from({ length: unreadable }, () => UNNAMED);
  return { allCount, items, overlong, lacking, refused: [...unnamed, ...refused] };
}

const ANY_TIME = { min: 0, max: 2 ** 31 - 1 };

/** The newest row with the same fields, of a walk with its condition: succeeds unless the upstream is down. */
const probeOf = ({ of, opt, lastup }: NovelQuery): NovelQuery => ({
  ...(lastup && { lastup: ANY_TIME }),
  order: 'new',
  of,
  opt,
  st: 1,
  lim: 1,
});

/**
 * Searches the catalogue of a site. A page that lacks rows whenever it is requested comes without them: the walk counts
 * its range again, and stored novels that it does not list are requested by Ncode.
 */
export async function searchSite(
  { upstream, retryingFetch, logger }: { upstream: Upstream; retryingFetch: RetryingFetch; logger: Logger },
  site: Site,
  query: NovelQuery,
): Promise<SearchPage<NovelRecord>> {
  const novels = upstream.source.novels[INTERFACES[site]];
  try {
    return await retryingFetch(
      (requester) => novels.search(query, requester),
      (requester) => novels.search(probeOf(query), requester),
    );
  } catch (error) {
    if (!(error instanceof ShortPage)) throw error;
    logger.warn({ site, failure: describeFailure(error) }, 'a page lacks rows; its others are stored');
    return error.page as SearchPage<NovelRecord>;
  }
}
