import { MokurokuError } from './mokuroku-error.ts';
import { FIRST_LAGGING_COUNT } from '../catalogue/novels/lagging-count.ts';
import type { RankingType } from '../catalogue/novels/ranking-date.ts';
import type { Answer, Change, ChangesMeta, SearchMeta } from './records.ts';

/** A page of a search. */
export interface Page<Item> extends Answer<Item[], SearchMeta> {
  /** On the last page: there are more matches that the upstream does not return. Narrow the search. */
  truncated: boolean;
}

/** Pages of a search: `for await (const { data } of client.novelPages({ word: '異世界' })) ...` */
export type Pages<Item> = AsyncGenerator<Page<Item>, void, undefined>;

/** Results per page unless the search says otherwise. */
const DEFAULT_PAGE = 100;
/** The live upstream returns 500 rows from position 2000 at most: 2,499 rows in all. */
const LAST_START = 2_000;
const MAX_AT_ONCE = 500;

const refusesStart = (error: unknown) =>
  error instanceof MokurokuError &&
  error.code === 'invalid_parameter' &&
  Array.isArray(error.details) &&
  error.details.some((fault: { parameter?: unknown } | null) => fault?.parameter === 'st');

/**
 * The pages of a search, one request each; the next is fetched once the last is consumed. Ends after the last match
 * that can be reached. A source without the live upstream's window (a local catalogue) is read to its end: the window
 * shows in a rejected later position.
 */
export async function* pagesOf<Item>(
  fetchPage: (search: { lim: number; st: number }) => Promise<Answer<Item[], SearchMeta>>,
  first: { lim?: number | undefined; st?: number | undefined },
): Pages<Item> {
  const lim = first.lim ?? DEFAULT_PAGE;
  const start = first.st ?? 1;
  for (let st = start; ; st += lim) {
    let page: Answer<Item[], SearchMeta>;
    try {
      page = await fetchPage({ lim, st });
    } catch (error) {
      if (st <= LAST_START || st === start || !refusesStart(error)) throw error;
      yield* beyond(await fetchPage({ lim: MAX_AT_ONCE, st: LAST_START }), st, lim);
      return;
    }
    const { upstreamAllCount: all } = page.meta;
    const isCounted = all !== undefined && st + lim <= all;
    const mayContinue = page.data.length === lim && (all ?? Infinity) >= FIRST_LAGGING_COUNT;
    const isLast = page.data.length === 0 || !(isCounted || mayContinue);
    if (page.data.length > 0) yield { ...page, truncated: false };
    if (isLast) return;
  }
}

/** The rest of the last response within the window, from position `st` on, as pages of the same length. */
function* beyond<Item>(last: Answer<Item[], SearchMeta>, st: number, lim: number) {
  const rows = last.data.slice(st - LAST_START);
  const end = LAST_START + MAX_AT_ONCE - 1;
  const isTruncated = (last.meta.upstreamAllCount ?? 0) > end;
  // If no rows are left, one empty page still reports that more novels match.
  for (let from = 0; from < rows.length || (from === 0 && isTruncated); from += lim) {
    const truncated = isTruncated && from + lim >= rows.length;
    yield { ...last, data: rows.slice(from, from + lim), truncated };
  }
}

const MAX_HISTORIES = 50;

function* chunksOf(items: readonly string[], size: number): Generator<readonly string[]> {
  for (let i = 0; i < items.length; i += size) yield items.slice(i, i + size);
}

/** Fifty per request, one request after the other; the next is fetched once the last is consumed. */
export async function* historyPages<Item>(
  ncodes: readonly string[],
  fetchPage: (some: readonly string[]) => Promise<Item>,
) {
  for (const some of chunksOf(ncodes, MAX_HISTORIES)) yield await fetchPage(some);
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
  // An invalid range is sent unchanged: the service reports its faults. Date.parse accepts the 30th of February.
  if (!(first <= end) || isoDay(first) !== from || isoDay(end) !== to) {
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

/** Events page by page after a cursor. Ends at the present, or polls. */
export async function* changePages(
  fetchPage: (since: string | undefined) => Promise<Answer<Change[], ChangesMeta>>,
  since: string | undefined,
  wait: (() => Promise<void>) | undefined,
): AsyncGenerator<Change, void, undefined> {
  for (let cursor = since; ;) {
    const { data, meta } = await fetchPage(cursor);
    yield* data;
    cursor = meta.next;
    if (meta.more) continue;
    if (wait === undefined) return;
    await wait();
  }
}
