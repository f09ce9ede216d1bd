import { ServiceError } from '@mokuroku/kit';
import type { Requester } from '../upstream/index.ts';
import { OF_FIELDS, selectFields } from '../novels/of-fields.ts';
import type { NovelInterface } from '../novels/of-fields.ts';
import { NOVELAPI_ORDERS } from '../novels/orders.ts';
import { codesRead } from '../novels/search-conditions.ts';
import type { SearchCondition } from '../novels/search-conditions.ts';
import type { CatalogueNovel } from '../scan/catalogue-novel.ts';
import { createNovelScan } from '../scan/novel-scan.ts';
import { compareNcodes } from '../novels/ncode.ts';
import type { NovelQuery } from '../novels/novel-query.ts';
import type { FoundNovel, NovelRecord, SearchPage } from '../source/index.ts';
import { invalidResponse, mayBeTooLong } from './upstream-failure.ts';

// Novels by Ncode. An upstream that cuts a list, its URL or its rows, or loses rows, does not say so. So an absence needs
// witnesses: novels that the upstream listed a moment ago, requested in the same list, each of which came back once.

/** Maximum Ncodes of one request, and so of its rows (manual of novelapi). */
const MAX_CODES = 500;
/** Of one list, that leave novels open. An upstream that returns so few of each is not asked for the rest. */
const MAX_REQUESTS = 6;
/** After so many requests for single novels without a proof, the upstream proves nothing today. */
const MAX_UNPROVEN = 3;

/** Rows of one request, by Ncode. `isWhole`: none was lost, unreadable, repeated or not asked for. */
export interface ReceivedNovels {
  readonly rows: ReadonlyMap<string, NovelRecord>;
  readonly isWhole: boolean;
}

type Search = (query: NovelQuery) => Promise<Pick<SearchPage<NovelRecord>, 'items'>>;

/**
 * The order of the requests, and its reverse. The first row of each is a witness: a list with both cannot be cut at
 * either end unnoticed. The adult interface has no order by Ncode.
 */
const ORDERS = { novelapi: ['ncodeasc', 'ncodedesc'], novel18api: ['old', 'new'] } as const;

/** A request for novels by Ncode: fields and conditions. Without `lim` the upstream would return 20 of them. */
export const queryByNcode = (
  upstream: NovelInterface,
  ncode: readonly string[],
  given: Partial<NovelQuery>,
): NovelQuery => ({ ...given, ncode, order: ORDERS[upstream][0], st: 1, lim: Math.max(20, ncode.length) });

/** The first and the last novel in the order of the requests; none if the upstream cannot list them. */
export async function listEnds(upstream: NovelInterface, search: Search): Promise<readonly string[]> {
  const ends: string[] = [];
  try {
    for (const order of ORDERS[upstream]) {
      const { items } = await search({ order, st: 1, lim: 1, of: ['n'] });
      ends.push(...items.map((row) => String(row['ncode'])));
    }
  } catch (error) {
    if (!(error instanceof ServiceError && error.code === 'upstream_invalid')) throw error;
  }
  // The same one twice comes from an upstream that ignores the order.
  return new Set(ends).size === ORDERS[upstream].length ? ends : [];
}

interface AskOptions {
  readonly request: (ncodes: readonly string[]) => Promise<ReceivedNovels>;
  /** The ends listed a moment ago; none if they are not known. */
  readonly knownEnds?: readonly string[];
  readonly listEnds: () => Promise<readonly string[]>;
  /** So many other novels that the upstream listed a moment ago. */
  readonly chooseMore?: (count: number) => readonly string[];
  /** Whether the rows come in the order of the Ncodes. */
  readonly isByNcode?: boolean;
  readonly maxRequests?: number;
}

const NOTHING: ReceivedNovels = { rows: new Map(), isWhole: false };
const DENIED: FoundNovel = { state: 'denied' };
const UNPROVEN: FoundNovel = {
  state: 'unknown',
  reason: invalidResponse('the upstream did not return the witnesses of a list of Ncodes'),
};

/** In the order that the request asks for, with the ends at both ends. */
const withWitnesses = (
  part: readonly string[],
  [first, ...last]: readonly string[],
  more: readonly string[],
) => [...new Set([...(first ? [first] : []), ...[...part, ...more].sort(compareNcodes), ...last])];

/**
 * Between which novels a list without other witnesses was read: the first and the last received one, if the rows are in
 * the order of the list. Another order may be cut anywhere.
 */
function rangeOf(list: readonly string[], { rows, isWhole }: ReceivedNovels): readonly string[] {
  const places = [...rows.keys()].map((ncode) => list.indexOf(ncode));
  const isOrdered = places.every((place, at) => place > (places[at - 1] ?? -1));
  return isWhole && isOrdered && places.length > 1 ? list.slice(places[0], places.at(-1)) : [];
}

/**
 * Asks the upstream for novels by Ncode; the only function that finds one denied. Of a list that does not come whole and
 * with its witnesses, half is requested next. What nothing proves is unknown.
 */
export async function askByNcode(ncodes: readonly string[], options: AskOptions): Promise<FoundNovel[]> {
  const { request, chooseMore = () => [], maxRequests = MAX_REQUESTS } = options;
  const results = new Map<string, FoundNovel>();
  let { knownEnds: ends = [] } = options;
  let size = MAX_CODES;
  let areEndsNew = false;
  let unproven = 0;
  for (let open = ncodes, sent = 0; open.length > 0 && sent < maxRequests;) {
    const part = open.slice(0, size);
    const more = ends.length === 0 ? [] : chooseMore(part.length + 1);
    const hasRoom = part.length + ends.length + more.length <= MAX_CODES;
    const witnesses = hasRoom ? [...ends, ...more] : [];
    const list = withWitnesses(part, hasRoom ? ends : [], more.slice(0, witnesses.length));
    const received = await request(list).catch((error: unknown) => {
      if (part.length === 1 || !mayBeTooLong(error)) throw error;
      return NOTHING;
    });
    const { rows, isWhole } = received;
    // An upstream that sorts in another way cuts elsewhere: between the ends.
    const came = [...rows.keys()];
    const areEndsInPlace = came[0] === ends[0] && came.at(-1) === ends.at(-1);
    const isProof =
      isWhole && witnesses.length > 0 && areEndsInPlace && witnesses.every((each) => rows.has(each));
    const proven = new Set(isProof ? part : options.isByNcode ? rangeOf(list, received) : []);
    for (const ncode of part) {
      const record = rows.get(ncode);
      if (record !== undefined) results.set(ncode, { state: 'found', record });
      else if (proven.has(ncode)) results.set(ncode, DENIED);
    }
    if (part.some((ncode) => !results.has(ncode))) sent++;
    open = open.filter((ncode) => !results.has(ncode));
    if (isProof || open.length === 0) continue;
    if (!areEndsNew && hasRoom) {
      ends = await options.listEnds();
      areEndsNew = true;
      if (ends.length === 0) break;
    } else if (part.length === 1) {
      // Witnesses may have taken its row.
      const [ncode = ''] = part;
      const record = (await request(part)).rows.get(ncode);
      results.set(ncode, record ? { state: 'found', record } : UNPROVEN);
      open = open.slice(1);
      if (!record && ++unproven === MAX_UNPROVEN) break;
    } else size = Math.ceil(part.length / 2) - (hasRoom ? 0 : ends.length);
  }
  return ncodes.map((ncode) => results.get(ncode) ?? UNPROVEN);
}

/** Conditions that records decide in another way than the upstream, or not at all. */
const isOfUpstream = (name: string): boolean =>
  name === 'ispickup' || codesRead(name as SearchCondition).length === 0;

/** Requests to an interface for novels by Ncode; `ask` is `askByNcode` with the witnesses of the interface. */
interface NcodeRequests {
  readonly requestNovels: (
    ncodes: readonly string[],
    given: Partial<NovelQuery>,
    requester?: Requester,
  ) => Promise<ReceivedNovels>;
  readonly ask: (
    ncodes: readonly string[],
    request: AskOptions['request'],
    requester?: Requester,
  ) => Promise<FoundNovel[]>;
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
  return { records, unknown };
}

/**
 * The search among the records of its Ncodes, by its other conditions; those that the upstream alone can decide are
 * requested for the same lists.
 */
export async function searchNamed(
  { requestNovels, ask }: NcodeRequests,
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
  const isByReaders = field === 'weekly_unique';
  const codes = of && (['n', ...of, ...read, ...sorted] as const);
  const fetched = { of: codes, opt: isByReaders ? 'weekly' : opt } as const;
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
  const page = createNovelScan(found, now).search({ ...ours, ncode, order, st, lim });
  const items = page.records.map((novel) => ({ ...records.get(novel.ncode) }));
  if (isByReaders && opt === undefined) for (const item of items) delete item['weekly_unique'];
  const undecided = [...unknown, ...(page.unknown ?? [])];
  return {
    allCount: page.total,
    items: selectFields(items, query),
    ...(undecided.length > 0 && { unknown: undecided }),
  };
}
