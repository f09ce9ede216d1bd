import { ServiceError } from '@mokuroku/kit';
import { describeFailure } from '@mokuroku/kit/process';
import type { NovelRecord, OverlongText, SearchPage } from '@mokuroku/narou/source';
import { invalidResponse, searchInHalves } from '@mokuroku/narou/live';
import type { NovelQuery } from '@mokuroku/narou/queries';
import { stampOf } from './harvested-novel.ts';

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
