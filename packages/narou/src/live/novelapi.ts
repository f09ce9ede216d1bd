import type { Json } from '@mokuroku/kit';
import type { Requester } from '../upstream/index.ts';
import type {
  FoundNovel,
  NovelRecord,
  NovelSource,
  OverlongText,
  ReportProblem,
  SearchPage,
} from '../source/index.ts';
import type { NovelQuery } from '../novels/novel-query.ts';
import type { Clock } from '@mokuroku/kit/process';
import { japanDateTime } from '../novels/japan-date.ts';
import { OF_FIELDS, isServedBy, recordSelector } from '../novels/of-fields.ts';
import type { NovelInterface, OfCode } from '../novels/of-fields.ts';
import { NOVELAPI_ORDERS } from '../novels/orders.ts';
import { CONDITION_NAMES, SERVED_CONDITIONS, codesRead } from '../novels/search-conditions.ts';
import type { SearchCondition } from '../novels/search-conditions.ts';
import { canonicalQuery } from '../novels/search-query.ts';
import type { CatalogueNovel } from '../scan/catalogue-novel.ts';
import { contradictionTest } from '../scan/novel-conditions.ts';
import { createNovelScan } from '../scan/novel-scan.ts';
import { askByNcode, listEnds, queryByNcode } from './ask-by-ncode.ts';
import type { ReceivedNovels } from './ask-by-ncode.ts';
import { collectProblems, readCountedList, readOnce } from './read-rows.ts';
import { WEEKLY_UNIQUE, novelReader } from './read-novel.ts';
import type { NarouTransport } from './transport.ts';
import { ShortPage, notOnUpstream } from './upstream-failure.ts';

/** Conditions that records decide in another way than the upstream, or not at all. */
const isOfUpstream = (name: string): boolean =>
  name === 'ispickup' || codesRead(name as SearchCondition).length === 0;

/** Clocks differ. A time further ahead of ours is none. */
const AHEAD_MS = 86_400_000;
/** So long the ends of a listing are witnesses. */
const ENDS_MS = 600_000;

export interface NovelapiOptions {
  readonly transport: NarouTransport;
  readonly report: ReportProblem;
  readonly clock: Clock;
  /** A walk of the whole site needs novels that change meanwhile, and asks for Ncodes itself. */
  readonly keepsEveryRow?: boolean;
}

function createRequests(upstream: NovelInterface, options: NovelapiOptions) {
  const { transport, report, clock, keepsEveryRow = false } = options;
  let ends: { readonly ncodes: readonly string[]; readonly until: number } = { ncodes: [], until: 0 };

  async function requestPage(query: NovelQuery, requester?: Requester): Promise<SearchPage<NovelRecord>> {
    requireServed(upstream, query);
    const { of } = query;
    // A row without an Ncode is no novel.
    const asked = canonicalQuery({ ...query, of: of && [...new Set<OfCode>(['n', ...of])] });
    const reply = await transport.get(`/${upstream}/api/`, asked, requester);
    return collectProblems(upstream, report, (problems) => {
      const overlong: OverlongText[] = [];
      const latest = japanDateTime(clock.now() + AHEAD_MS);
      const readRecord = novelReader(upstream, query, { problems, overlong, latest });
      const isContradiction = contradictionTest(query);
      const readMatching = (raw: Json) => {
        const record = readRecord(raw);
        return record && isContradiction(record) ? undefined : record;
      };
      const read = keepsEveryRow ? readRecord : readOnce('ncode', readMatching);
      const page = readCountedList(reply, { ...query, emptyMeansNone: false, problems, read });
      return { ...page, ...(overlong.length > 0 && { overlong }) };
    });
  }

  async function requestNovels(
    ncodes: readonly string[],
    given: Partial<NovelQuery>,
    requester?: Requester,
  ): Promise<ReceivedNovels> {
    const query = queryByNcode(upstream, ncodes, given);
    const { items, unreadable, lacking } = await requestPage(query, requester).catch(pageOfShort);
    // Joined by Ncode: the upstream sorts, and not as listed.
    const rows = new Map(items.map((row) => [String(row['ncode']), row]));
    return { rows, isWhole: unreadable === undefined && lacking === undefined };
  }

  async function ask(
    ncodes: readonly string[],
    request: (some: readonly string[]) => Promise<ReceivedNovels>,
    requester?: Requester,
  ): Promise<FoundNovel[]> {
    return askByNcode(ncodes, {
      request,
      isByNcode: upstream === 'novelapi',
      knownEnds: ends.until > clock.monotonic() ? ends.ncodes : [],
      listEnds: async () => {
        const ncodes = await listEnds(upstream, (query) => requestPage(query, requester));
        ends = { ncodes, until: clock.monotonic() + ENDS_MS };
        return ncodes;
      },
    });
  }

  return { requestPage, requestNovels, ask };
}

/**
 * The search among the records of its Ncodes, by its other conditions; those that the upstream alone can decide are
 * requested for the same lists.
 */
async function searchNamed(
  { requestNovels, ask }: ReturnType<typeof createRequests>,
  now: () => number,
  query: NovelQuery,
  requester?: Requester,
): Promise<SearchPage<NovelRecord>> {
  const { ncode = [], of, opt, order, st, lim, ...others } = query;
  const given = Object.entries(others).filter(([, value]) => value !== undefined);
  const theirs = given.filter(([name]) => isOfUpstream(name));
  const ours = Object.fromEntries(given.filter(([name]) => !isOfUpstream(name)));
  const { field } = NOVELAPI_ORDERS[order];
  const read = given.flatMap(([name]) => codesRead(name as SearchCondition));
  const sorted = OF_FIELDS.flatMap((row) => (row.field === field ? [row.code] : []));
  const isByReaders = field === WEEKLY_UNIQUE.field;
  const fetched = { of: of && [...of, ...read, ...sorted], opt: isByReaders ? 'weekly' : opt } as const;
  const matching = new Set<string>();
  const request = async (some: readonly string[]): Promise<ReceivedNovels> => {
    if (theirs.length > 0) {
      const conditions = { of: ['n'], ...Object.fromEntries(theirs) } as const;
      const { rows, isWhole } = await requestNovels(some, conditions, requester);
      if (!isWhole) return { rows: new Map(), isWhole };
      for (const ncode of rows.keys()) matching.add(ncode);
    }
    return requestNovels(some, fetched, requester);
  };
  const { records, unknown } = sortFound(ncode, await ask(ncode, request, requester));
  const novels = [...records.values()] as unknown as readonly CatalogueNovel[];
  const found = theirs.length === 0 ? novels : novels.filter((novel) => matching.has(novel.ncode));
  const page = createNovelScan(found, now).search({ ...ours, order, st, lim });
  const items = page.records.map((novel) => ({ ...records.get(novel.ncode) }));
  if (isByReaders && opt === undefined) for (const item of items) delete item['weekly_unique'];
  return { allCount: page.total, items: items.map(recordSelector(query)), ...unknown };
}

/**
 * Novels for all ages (novelapi) or adult ones (novel18api). Manuals: https://dev.syosetu.com/man/api/ and
 * https://dev.syosetu.com/xman/api/ A search has each novel once, and none that contradicts it, unless every row is kept.
 */
export function createNovelapi(upstream: NovelInterface, options: NovelapiOptions): NovelSource {
  const { keepsEveryRow = false } = options;
  const requests = createRequests(upstream, options);
  const { requestPage, requestNovels, ask } = requests;

  const find: NovelSource['find'] = async (ncodes, of, requester) => {
    const found = await ask(ncodes, (some) => requestNovels(some, { of }, requester), requester);
    const select = recordSelector({ of });
    return {
      value: found.map((novel) =>
        novel.state === 'found' ? { ...novel, record: select(novel.record) } : novel,
      ),
    };
  };

  const search: NovelSource['search'] = async (query, requester) => {
    if (query.ncode !== undefined && !keepsEveryRow) {
      requireServed(upstream, query);
      return searchNamed(requests, () => options.clock.now(), query, requester);
    }
    const page = await requestPage(query, requester);
    return keepsEveryRow ? page : { ...page, items: page.items.map(recordSelector(query)) };
  };

  return { applies: SERVED_CONDITIONS[upstream], search, find };
}

/** The records by Ncode, and the unknown Ncodes. Throws the reason if all are unknown. */
function sortFound(ncodes: readonly string[], found: readonly FoundNovel[]) {
  const records = new Map<string, NovelRecord>();
  const unknown: string[] = [];
  for (const [at, novel] of found.entries()) {
    const ncode = ncodes[at] as string;
    if (novel.state === 'found') records.set(ncode, novel.record);
    if (novel.state !== 'unknown') continue;
    unknown.push(ncode);
    if (unknown.length === found.length) throw novel.reason;
  }
  return { records, unknown: unknown.length > 0 ? { unknown } : {} };
}

function pageOfShort(error: unknown): SearchPage<NovelRecord> {
  if (error instanceof ShortPage) return error.page as SearchPage<NovelRecord>;
  throw error;
}

/** What the upstream lacks (`anykeyword`, `order=ncodeasc`) it would ignore, and return more than requested. */
function requireServed(upstream: NovelInterface, { order, ...query }: NovelQuery): void {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  const served: ReadonlySet<string> = SERVED_CONDITIONS[upstream];
  const lacked = given.filter((name) => CONDITION_NAMES.has(name) && !served.has(name));
  if (!isServedBy(upstream, NOVELAPI_ORDERS[order])) lacked.push(`order=${order}`);
  if (lacked.length > 0) throw notOnUpstream(upstream, lacked);
}
