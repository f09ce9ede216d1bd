import { ServiceError } from '../../errors.ts';
import { describeFailure } from '../../process/throttled-log.ts';
import type { NovelRecord, OverlongText, SearchPage } from '../source/catalogue-source.ts';
import type { NovelQuery } from '../novels/novel-query.ts';
import { marksOf } from './harvested-novel.ts';

/** A novel whose record no request can read. */
export interface Refusal {
  readonly ncode: string;
  readonly reason: string;
}

export interface ReadPage extends Pick<SearchPage<NovelRecord>, 'allCount' | 'items'> {
  readonly refused: readonly Refusal[];
  readonly overlong: readonly OverlongText[];
}

/** As a search, but a page of which a row cannot be read is a failure: which row it is, is found out. */
const wholePages =
  (search: Search): Search =>
  async (query) => {
    const page = await search(query);
    if (!page.unreadable) return page;
    throw new ServiceError('upstream_invalid', {
      cause: new Error(`${page.unreadable} of ${page.items.length + page.unreadable} rows are unreadable`),
    });
  };

type Search = (query: NovelQuery) => Promise<SearchPage<NovelRecord>>;

/** After this many refused records of a page, its remaining records are refused without a request. */
const MOST_REFUSED = 3;
const UNASKED = 'not requested by itself: too many records of its page are unreadable';

const UNNAMED: Refusal = { ncode: 'unknown', reason: 'the row has nothing of a novel' };

const isUnreadable = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && error.code === 'upstream_invalid';

/**
 * A page of novels. One that cannot be read is asked for in halves, by the Ncodes of its rows, until it is known which
 * record it is: that one is refused, and all others are had. Rejects with the failure of the page where its Ncodes
 * cannot be read either.
 */
export async function readPage(search: Search, query: NovelQuery): Promise<ReadPage> {
  const searchWhole = wholePages(search);
  try {
    return { overlong: [], ...(await searchWhole(query)), refused: [] };
  } catch (error) {
    if (!isUnreadable(error) || query.lim < 2) throw error;
    // Where not even these can be read it is not for a record.
    const found = await search({ ...query, of: ['n'], opt: undefined }).catch(() => {
      throw error;
    });
    const ncodes = found.items.map((row) => marksOf(row)?.ncode).filter((ncode) => ncode !== undefined);
    const unnamed = Array.from({ length: found.unreadable ?? 0 }, () => UNNAMED);
    const { refused, ...read } = await readInHalves(searchWhole, query, ncodes);
    return { allCount: found.allCount, ...read, refused: [...unnamed, ...refused] };
  }
}

const halve = (part: readonly string[]): readonly string[][] => {
  const middle = Math.ceil(part.length / 2);
  return [part.slice(0, middle), part.slice(middle)].filter(({ length }) => length > 0);
};

async function readInHalves(search: Search, query: NovelQuery, ncodes: readonly string[]) {
  const { order, of, opt } = query;
  const items: NovelRecord[] = [];
  const refused: Refusal[] = [];
  const overlong: OverlongText[] = [];
  const waiting = [...halve(ncodes)];
  for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) {
    const [first = ''] = part;
    if (refused.length >= MOST_REFUSED) {
      refused.push(...part.map((ncode) => ({ ncode, reason: UNASKED })));
      continue;
    }
    try {
      const page = await search({ order, of, opt, ncode: [...part].sort(), st: 1, lim: part.length });
      items.push(...page.items);
      overlong.push(...(page.overlong ?? []));
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      if (part.length > 1) waiting.unshift(...halve(part));
      else refused.push({ ncode: first, reason: describeFailure(error) });
    }
  }
  return { items, refused, overlong };
}
