import { ServiceError } from '../../errors.ts';
import { describeFailure } from '../../process/throttled-log.ts';
import type { NovelRecord, OverlongText, SearchPage } from '../source/catalogue-source.ts';
import { halve } from '../narou/halved-pages.ts';
import type { NovelQuery } from '../novels/novel-query.ts';
import { STAMP_CODES, stampOf } from './harvested-novel.ts';
import type { ChangeStamp } from './harvested-novel.ts';
import { RefusedRequest } from './retrying-fetch.ts';

/** A novel whose record no request can read. */
export interface UnreadableRecord {
  readonly ncode: string;
  /** Unix seconds of its last episode; undefined or 0 where unknown. */
  readonly lastup?: number;
  readonly reason: string;
}

export interface ReadPage extends Pick<SearchPage<NovelRecord>, 'allCount' | 'items'> {
  readonly refused: readonly UnreadableRecord[];
  readonly overlong: readonly OverlongText[];
}

/** A search that rejects if a row of its page is unreadable, so that the row is looked for. */
const requireWholePages =
  (search: Search): Search =>
  async (query) => {
    const page = await search(query);
    if (!page.unreadable) return page;
    throw new ServiceError('upstream_invalid', {
      cause: new Error(`${page.unreadable} of ${page.items.length + page.unreadable} rows are unreadable`),
    });
  };

type Search = (query: NovelQuery) => Promise<SearchPage<NovelRecord>>;

/** After this many refused records of a page (5 %), its remaining records are refused without a request. */
const MAX_REFUSED = 25;
const NOT_REQUESTED = 'not requested by itself: too many records of its page are unreadable';

const UNNAMED: UnreadableRecord = { ncode: 'unknown', reason: 'the row has nothing of a novel' };

const isUnreadable = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && error.code === 'upstream_invalid';

/**
 * Reads a page of novels. A page that is unreadable, or that the upstream refuses, is requested in halves, by the
 * Ncodes of its rows, until the records that cause it are found. These are refused; all others are returned. Rejects
 * with the failure of the page if its Ncodes are unreadable too.
 */
export async function readPage(search: Search, query: NovelQuery): Promise<ReadPage> {
  const searchWhole = requireWholePages(search);
  try {
    return { overlong: [], ...(await searchWhole(query)), refused: [] };
  } catch (error) {
    if (!isUnreadable(error) || query.lim < 2) throw error;
    // If even these are unreadable, no single record is the cause.
    const stampPage = await search({ ...query, of: STAMP_CODES, opt: undefined }).catch((second: unknown) => {
      throw isUnreadable(second) ? error : second;
    });
    const stamps = stampPage.items.map(stampOf).filter((stamp) => stamp !== undefined);
    const unnamed = Array.from({ length: stampPage.unreadable ?? 0 }, () => UNNAMED);
    const { refused, ...read } = await readInHalves(searchWhole, query, stamps);
    return { allCount: stampPage.allCount, ...read, refused: [...unnamed, ...refused] };
  }
}

async function readInHalves(search: Search, query: NovelQuery, stamps: readonly ChangeStamp[]) {
  const { order, of, opt } = query;
  const items: NovelRecord[] = [];
  const refused: UnreadableRecord[] = [];
  const overlong: OverlongText[] = [];
  const waiting = [...halve(stamps)];
  const refuse = (part: readonly ChangeStamp[], reason: string) => {
    refused.push(...part.map(({ ncode, lastup }) => ({ ncode, lastup, reason })));
  };
  for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) {
    if (refused.length >= MAX_REFUSED) {
      refuse(part, NOT_REQUESTED);
      continue;
    }
    try {
      const ncode = part.map((stamp) => stamp.ncode).sort();
      const page = await search({ order, of, opt, ncode, st: 1, lim: part.length });
      items.push(...page.items);
      overlong.push(...(page.overlong ?? []));
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      if (part.length > 1) waiting.unshift(...halve(part));
      // After so many refusals the upstream is faulty, not a record.
      else if (error instanceof RefusedRequest && refused.length >= MAX_REFUSED - 1) throw error;
      else refuse(part, describeFailure(error));
    }
  }
  return { items, refused, overlong };
}
