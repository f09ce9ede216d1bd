import type {
  CatalogueSource,
  NovelRecord,
  NovelSource,
  OfSelection,
  ReportProblem,
  SearchPage,
} from '../source/index.ts';
import type { NovelQuery } from '../novels/novel-query.ts';
import { SERVED_CODES } from '../novels/of-fields.ts';
import type { NovelInterface, OfCode } from '../novels/of-fields.ts';
import { OversizedResponse } from './upstream-failure.ts';

// One record can make the response with it unusable: too large, or unreadable. Its novels are then requested by Ncode,
// in halves, until that record is alone. Not by `askByNcode`: these rows were listed a moment ago, so nothing has to prove
// that they exist, and a witness would only add to a response that is too large.

interface SplitRequest<Item, Found> {
  readonly fetch: (part: readonly Item[]) => Promise<Found>;
  /** Whether one record may have caused the failure. Any other failure is thrown. */
  readonly isOfRecord: (error: unknown) => boolean;
  /** What there is of an item that fails alone. */
  readonly fetchAlone: (item: Item, error: unknown) => Found | Promise<Found>;
}

const halvesOf = <Item>(part: readonly Item[]): readonly Item[][] => {
  const middle = Math.ceil(part.length / 2);
  return [part.slice(0, middle), part.slice(middle)].filter(({ length }) => length > 0);
};

/** Fetches parts one after the other; one that fails, in halves. */
async function fetchParts<Item, Found>(
  parts: readonly (readonly Item[])[],
  request: SplitRequest<Item, Found>,
): Promise<Found[]> {
  const fetched: Found[] = [];
  for (const part of parts) {
    try {
      fetched.push(await request.fetch(part));
    } catch (error) {
      if (!request.isOfRecord(error)) throw error;
      if (part.length > 1) fetched.push(...(await fetchParts(halvesOf(part), request)));
      else fetched.push(await request.fetchAlone(part[0] as Item, error));
    }
  }
  return fetched;
}

type Page = SearchPage<NovelRecord>;
type Search = (query: NovelQuery) => Promise<Page>;

/** The fields that name a row, and its position in a walk. */
const ROW_CODES: readonly OfCode[] = ['n', 'gl', 'nu'];

interface SplitSearch extends Pick<SplitRequest<NovelRecord, Page>, 'isOfRecord'> {
  readonly search: Search;
  /** Lists the rows of the page by ROW_CODES. */
  readonly list: Search;
  /** As in SplitRequest; `query` is that of the row alone. */
  readonly fetchAlone: (row: NovelRecord, error: unknown, query: NovelQuery) => Page | Promise<Page>;
}

/**
 * Searches; in halves, by the Ncodes of the rows, if one of them makes the page unusable. Rows that did not come again
 * count as unreadable. Rejects with the failure of the page if its rows cannot be listed either.
 */
export async function searchInHalves(
  query: NovelQuery,
  { search, list, isOfRecord, fetchAlone }: SplitSearch,
): Promise<Page> {
  try {
    return await search(query);
  } catch (error) {
    if (!isOfRecord(error)) throw error;
    const {
      allCount,
      items,
      unreadable = 0,
    } = await list({ ...query, of: ROW_CODES, opt: undefined }).catch((second: unknown) => {
      throw isOfRecord(second) ? error : second;
    });
    const { order, of, opt } = query;
    const queryOf = (rows: readonly NovelRecord[]): NovelQuery => {
      const ncode = rows.map((row) => String(row['ncode'])).sort();
      return { order, of, opt, ncode, st: 1, lim: rows.length };
    };
    const pages = await fetchParts(halvesOf(items), {
      fetch: async (rows) => {
        const page = await search(queryOf(rows));
        return { ...page, unreadable: Math.max(0, rows.length - page.items.length) };
      },
      isOfRecord,
      fetchAlone: (row, failure) => fetchAlone(row, failure, queryOf([row])),
    });
    return {
      allCount,
      items: pages.flatMap((page) => page.items),
      overlong: pages.flatMap(({ overlong = [] }) => overlong),
      unreadable: pages.reduce((sum, page) => sum + (page.unreadable ?? 0), unreadable),
    };
  }
}

/** Of one page: enough to find one oversized record among 500 (10), or two among 100. */
const MAX_FAILURES = 15;

/** The texts of a record; the synopsis is the longest. */
const TEXTS: readonly OfCode[] = ['t', 'w', 's', 'k'];

/** A selection with smaller records: without the synopsis, then without all texts; undefined if there is none. */
function smallerSelection(upstream: NovelInterface, of: OfSelection): OfSelection {
  const codes = of ?? SERVED_CODES[upstream];
  const dropped = codes.includes('s') ? ['s'] : TEXTS;
  const smaller = codes.filter((code) => !dropped.includes(code));
  return smaller.length < codes.length ? smaller : undefined;
}

/** Splits oversized responses of an interface; an oversized record comes without its texts. */
function splittingNovels(upstream: NovelInterface, novels: NovelSource, report: ReportProblem): NovelSource {
  const oversizedTest = () => {
    let failures = 0;
    return (error: unknown) => error instanceof OversizedResponse && ++failures <= MAX_FAILURES;
  };

  /** Fetches a novel without its texts. Throws the failure if its record is too large without them. */
  async function fetchReduced<Found>(
    ncode: string,
    error: unknown,
    of: OfSelection,
    fetch: (smaller: OfSelection) => Promise<Found>,
  ): Promise<Found> {
    const smaller = smallerSelection(upstream, of);
    if (!smaller || !(error instanceof OversizedResponse)) throw error;
    try {
      const found = await fetch(smaller);
      report({ upstream, problem: 'overlong_text', about: ncode, count: 1 });
      return found;
    } catch (failure) {
      return fetchReduced(ncode, failure, smaller, fetch);
    }
  }

  return {
    applies: novels.applies,
    search: (whole, requester) => {
      const search: Search = (query) => novels.search(query, requester);
      const fetchAlone: SplitSearch['fetchAlone'] = ({ ncode }, error, query) =>
        fetchReduced(String(ncode), error, query.of, (of) => search({ ...query, of }));
      return searchInHalves(whole, { search, list: search, isOfRecord: oversizedTest(), fetchAlone });
    },
    find: async (ncodes, of, requester) => {
      const found = await fetchParts([ncodes], {
        fetch: (part) => novels.find(part, of, requester),
        isOfRecord: oversizedTest(),
        fetchAlone: (ncode, failure) =>
          fetchReduced(ncode, failure, of, (smaller) => novels.find([ncode], smaller, requester)),
      });
      return { value: found.flatMap(({ value }) => value) };
    },
  };
}

/** A source that splits requests with oversized responses. */
export const splittingSource = (source: CatalogueSource, report: ReportProblem): CatalogueSource => ({
  ...source,
  novels: {
    novelapi: splittingNovels('novelapi', source.novels.novelapi, report),
    novel18api: splittingNovels('novel18api', source.novels.novel18api, report),
  },
});
