import { ServiceError } from '../../errors.ts';
import { describeFailure } from '../../process/recurring-log.ts';
import type { NovelRecord, SearchPage } from '../catalogue-source.ts';
import type { NovelQuery } from '../novels/novel-query.ts';
import { marksOf } from './harvested-novel.ts';

/** A novel whose record no request can read. */
export interface Refusal {
  readonly ncode: string;
  readonly reason: string;
}

export interface ReadPage extends Pick<SearchPage<NovelRecord>, 'allCount' | 'items'> {
  readonly refused: readonly Refusal[];
}

type Search = (query: NovelQuery) => Promise<SearchPage<NovelRecord>>;

/** When so many records of a page have been refused one by one, what is left of it is refused unasked. */
const MOST_REFUSED = 3;
const UNASKED = 'not asked for by itself: too many records of its page cannot be read';

const isUnreadable = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && error.code === 'upstream_invalid';

/**
 * A page of novels. One that cannot be read is asked for in halves, by the Ncodes of its rows, until it is known which
 * record it is: that one is refused, and all others are had. Rejects with the failure of the page where its Ncodes
 * cannot be read either.
 */
export async function readPage(search: Search, query: NovelQuery): Promise<ReadPage> {
  try {
    return { ...(await search(query)), refused: [] };
  } catch (error) {
    if (!isUnreadable(error) || query.lim < 2) throw error;
    // Where not even these can be read it is not for a record.
    const { allCount, items: rows } = await search({ ...query, of: ['n'], opt: undefined }).catch(() => {
      throw error;
    });
    const ncodes = rows.map((row) => marksOf(row)?.ncode).filter((ncode) => ncode !== undefined);
    return { allCount, ...(await readInHalves(search, query, ncodes)) };
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
  const waiting = [...halve(ncodes)];
  for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) {
    const [first = ''] = part;
    if (refused.length >= MOST_REFUSED) {
      refused.push(...part.map((ncode) => ({ ncode, reason: UNASKED })));
      continue;
    }
    try {
      items.push(
        ...(await search({ order, of, opt, ncode: [...part].sort(), st: 1, lim: part.length })).items,
      );
    } catch (error) {
      if (!isUnreadable(error)) throw error;
      if (part.length > 1) waiting.unshift(...halve(part));
      else refused.push({ ncode: first, reason: describeFailure(error) });
    }
  }
  return { items, refused };
}
