import { errorOf } from './fetch-body.ts';
import { MokurokuError } from './mokuroku-error.ts';
import { FIRST_LAGGING_COUNT, LAST_START } from '@mokuroku/narou';
import type { RankingType } from '@mokuroku/narou';
import type { Answer, Change, ChangesMeta, HistoryMeta, Meta, SearchMeta } from './records.ts';

/** A page of a search. */
export interface Page<Item> extends Answer<Item[], SearchMeta> {
  /**
   * On the last page: there are more matches that the upstream does not return, or that it hid behind repeated rows.
   * Narrow the search.
   */
  truncated: boolean;
  /** Number of rows that an earlier page had too, and that are left out: the upstream's order was not the same. */
  repeated: number;
}

/** Pages of a search: `for await (const { data } of client.novelPages({ word: '異世界' })) ...` */
export type Pages<Item> = AsyncGenerator<Page<Item>, void, undefined>;

/** Results per page unless the search says otherwise. */
const DEFAULT_PAGE = 100;
const MAX_AT_ONCE = 500;

const refusesStart = (error: unknown) =>
  error instanceof MokurokuError &&
  error.code === 'invalid_parameter' &&
  Array.isArray(error.details) &&
  error.details.some((fault: { parameter?: unknown } | null) => fault?.parameter === 'st');

/** The identity of a record; undefined if `of` left it out. */
const keyOf = ({ ncode, userid }: { ncode?: unknown; userid?: unknown }) => ncode ?? userid;

/**
 * Leaves out the rows that an earlier page had. Also ends a walk in which no row has been new for the length of the longest
 * page: a proxy may send the first page whatever `st` is.
 */
function createRowFilter<Item>() {
  const seen = new Set<unknown>();
  let allRepeated = 0;
  let repeatedInRow = 0;
  return (page: Answer<Item[], SearchMeta>, isCut: boolean, isLast: boolean) => {
    const data = page.data.filter((item) => {
      const key = keyOf(item as object);
      const isNew = key === undefined || !seen.has(key);
      seen.add(key);
      return isNew;
    });
    const repeated = page.data.length - data.length;
    allRepeated += repeated;
    repeatedInRow = data.length === 0 ? repeatedInRow + repeated : 0;
    const isEnd = isLast || repeatedInRow >= MAX_AT_ONCE;
    const shown: Page<Item> = { ...page, data, repeated, truncated: isEnd && (isCut || allRepeated > 0) };
    return { shown, isEnd };
  };
}

/**
 * The pages of a search, one request each; the next is fetched once the last is consumed. Ends after the last match
 * that can be reached. A source without the live upstream's window (a local catalogue) is read to its end: the window
 * shows in a rejected later position. Each record comes once.
 */
export async function* pagesOf<Item>(
  fetchPage: (search: { lim: number; st: number }) => Promise<Answer<Item[], SearchMeta>>,
  first: { lim?: number | undefined; st?: number | undefined },
): Pages<Item> {
  const lim = first.lim ?? DEFAULT_PAGE;
  const start = first.st ?? 1;
  const toPage = createRowFilter<Item>();
  for (let st = start; ; st += lim) {
    let page: Answer<Item[], SearchMeta>;
    try {
      page = await fetchPage({ lim, st });
    } catch (error) {
      if (st <= LAST_START || st === start || !refusesStart(error)) throw error;
      const last = await fetchPage({ lim: MAX_AT_ONCE, st: LAST_START });
      for (const { rows, isCut, isLast } of beyond(last, st, lim))
        yield toPage({ ...last, data: rows }, isCut, isLast).shown;
      return;
    }
    const { upstreamAllCount: all, unreadable = 0 } = page.meta;
    const isCounted = all !== undefined && st + lim <= all;
    // Of the upstream's rows, some may be left out, or all.
    const rows = page.data.length + unreadable;
    const isFull = rows === lim;
    const isLast = rows === 0 || !(isCounted || (isFull && (all ?? Infinity) >= FIRST_LAGGING_COUNT));
    const { shown, isEnd } = toPage(page, false, isLast);
    if (rows > 0 || shown.truncated) yield shown;
    if (isEnd) return;
  }
}

/** The rest of the last response within the window, from position `st` on, as pages of the same length. */
function* beyond<Item>(last: Answer<Item[], SearchMeta>, st: number, lim: number) {
  const rest = last.data.slice(st - LAST_START);
  const end = LAST_START + MAX_AT_ONCE - 1;
  const isCut = (last.meta.upstreamAllCount ?? 0) > end;
  // If no rows are left, one empty page still reports that more novels match.
  for (let from = 0; from < rest.length || (from === 0 && isCut); from += lim)
    yield { rows: rest.slice(from, from + lim), isCut, isLast: from + lim >= rest.length };
}

export function* chunksOf(items: readonly string[], size: number): Generator<readonly string[]> {
  for (let i = 0; i < items.length; i += size) yield items.slice(i, i + size);
}

type Ncodes = string | readonly string[] | undefined;

/** The pages of a search. One by more than 500 Ncodes is several searches, one after the other. */
export async function* novelPagesOf<Item>(
  fetchPage: (part: { ncode?: Ncodes; lim: number; st: number }) => Promise<Answer<Item[], SearchMeta>>,
  search: { ncode?: Ncodes; lim?: number | undefined; st?: number | undefined },
): Pages<Item> {
  const { ncode } = search;
  const isLong = typeof ncode === 'object' && ncode.length > MAX_AT_ONCE;
  for (const part of isLong ? chunksOf(ncode, MAX_AT_ONCE) : [ncode])
    yield* pagesOf((page) => fetchPage({ ...(part && { ncode: part }), ...page }), search);
}

const isTooLong = (error: unknown) => error instanceof MokurokuError && error.code === 'uri_too_long';

/**
 * A search by any number of Ncodes as one answer. More than a request may have are several requests, one after the
 * other, unless the search asks for rows or counts of the whole.
 */
export async function searchInParts<Item>(
  fetchPart: (part: { ncode?: Ncodes }) => Promise<Answer<Item[], SearchMeta>>,
  { ncode, lim, st, facets }: { ncode?: Ncodes; lim?: unknown; st?: unknown; facets?: unknown },
): Promise<Answer<Item[], SearchMeta>> {
  const fetchWhole = () => fetchPart(ncode === undefined ? {} : { ncode });
  if (typeof ncode !== 'object' || [lim, st, facets].some((each) => each !== undefined)) return fetchWhole();
  const fetchSome = async (some: readonly string[]): Promise<Answer<Item[], SearchMeta>> => {
    try {
      if (some.length <= MAX_AT_ONCE) return await fetchPart({ ncode: some });
    } catch (error) {
      if (!isTooLong(error) || some.length < 2) throw error;
    }
    const half = some.length > MAX_AT_ONCE ? MAX_AT_ONCE : Math.ceil(some.length / 2);
    const first = await fetchSome(some.slice(0, half));
    const second = await fetchSome(some.slice(half));
    return joinAnswers(first, second, [...first.data, ...second.data]);
  };
  const isLong = ncode.length > MAX_AT_ONCE;
  return fetchSome(isLong ? [...new Set(ncode.map((each) => each.toUpperCase()))] : ncode);
}

/** What an answer has or lacks beyond its data, of any endpoint. */
type Extent = Pick<
  SearchMeta & HistoryMeta,
  'upstreamAllCount' | 'unreadable' | 'unknown' | 'missing' | 'asOf' | 'until'
>;

/** Counts are added up, names listed once each; of two times the earlier one is true of both. */
function extentOf(one: Extent, other: Extent): Extent {
  const sumOf = (name: 'upstreamAllCount' | 'unreadable') =>
    (one[name] !== undefined || other[name] !== undefined) && {
      [name]: (one[name] ?? 0) + (other[name] ?? 0),
    };
  const namesOf = (name: 'unknown' | 'missing') =>
    (one[name] ?? other[name]) && { [name]: [...new Set([...(one[name] ?? []), ...(other[name] ?? [])])] };
  const earlierOf = (name: 'asOf' | 'until') => {
    const [earlier] = [one[name], other[name]].filter((each) => each !== undefined).sort();
    return earlier !== undefined && { [name]: earlier };
  };
  return {
    ...sumOf('upstreamAllCount'),
    ...sumOf('unreadable'),
    ...namesOf('unknown'),
    ...namesOf('missing'),
    ...earlierOf('asOf'),
    ...earlierOf('until'),
  };
}

/** Two answers as one with this data: as old as the older, stale if one is. */
export function joinAnswers<Data, AnswerMeta extends Meta>(
  first: Answer<Data, AnswerMeta>,
  second: Answer<Data, AnswerMeta>,
  data: Data,
): Answer<Data, AnswerMeta> {
  const [one, other] = [first.meta, second.meta];
  const extent = extentOf(one, other);
  return {
    data,
    meta: {
      ...other,
      ...(one.stale && { stale: true }),
      cached: one.cached && other.cached,
      ...extent,
    },
    response: {
      ...second.response,
      total: extent.upstreamAllCount,
      ageSeconds: Math.max(first.response.ageSeconds, second.response.ageSeconds),
      stale: first.response.stale || second.response.stale,
    },
  };
}

/** Days with no more than 31 rankings, the limit of one request. */
const DAYS: Readonly<Record<RankingType, number>> = { daily: 31, weekly: 217, monthly: 930, quarterly: 930 };
const DAY_MS = 86_400_000;
const isoDay = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** The parts of a range of days (`YYYY-MM-DD`, both included), one request each, oldest first. */
export async function* spansOf<Item>(
  type: RankingType,
  { from, to }: { from: string; to: string },
  fetchPage: (part: { from: string; to: string }) => Promise<Item>,
) {
  const first = Date.parse(from);
  const end = Date.parse(to);
  // What is invalid is sent unchanged: the service reports its faults. Date.parse accepts the 30th of February.
  const isType = Object.hasOwn(DAYS, type);
  if (!isType || !(first <= end) || isoDay(first) !== from || isoDay(end) !== to) {
    yield await fetchPage({ from, to });
    return;
  }
  for (let start = first; start <= end; start += DAYS[type] * DAY_MS) {
    yield await fetchPage({
      from: isoDay(start),
      to: isoDay(Math.min(end, start + (DAYS[type] - 1) * DAY_MS)),
    });
  }
}

/** Pages of events after a cursor, up to the present. */
export async function* changePages(
  fetchPage: (since: string | undefined) => Promise<Answer<Change[], ChangesMeta>>,
  since: string | undefined,
): AsyncGenerator<Answer<Change[], ChangesMeta>, void, undefined> {
  const passed = new Set<string | undefined>();
  for (let cursor = since; ;) {
    passed.add(cursor);
    const page = await fetchPage(cursor);
    const { next, more } = page.meta;
    // With more behind it, a page has an event and a new cursor: else a walk would never end.
    const isEndless = more && (passed.has(next) || page.data.length === 0);
    if (isEndless) throw errorOf(page.response, undefined, undefined);
    yield page;
    if (!more) return;
    cursor = next;
  }
}
