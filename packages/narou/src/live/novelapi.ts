import type { Json } from '@mokuroku/kit';
import type { Requester } from '../upstream/index.ts';
import type {
  FoundNovel,
  NovelRecord,
  NovelSource,
  OfSelection,
  OverlongText,
  ReportProblem,
  SearchPage,
} from '../source/index.ts';
import type { NovelQuery } from '../novels/novel-query.ts';
import type { Clock } from '@mokuroku/kit/process';
import { FIELD_LABELS } from '../novels/genres.ts';
import { japanDateTime } from '../novels/japan-date.ts';
import { parseNcode } from '../novels/ncode.ts';
import { OF_FIELDS, findOfField, ofCodesServedBy, selectedFields } from '../novels/of-fields.ts';
import type { NovelInterface, OfCode } from '../novels/of-fields.ts';
import { NOVELAPI_ORDERS } from '../novels/orders.ts';
import { codesRead, conditionsServedBy } from '../novels/search-conditions.ts';
import type { SearchCondition } from '../novels/search-conditions.ts';
import { canonicalQuery, lackedByUpstream } from '../novels/search-query.ts';
import type { CatalogueNovel } from '../scan/catalogue-novel.ts';
import { contradictionTest } from '../scan/novel-conditions.ts';
import { createNovelScan } from '../scan/novel-scan.ts';
import { askByNcode, listEnds, queryByNcode } from './ask-by-ncode.ts';
import type { ReceivedNovels } from './ask-by-ncode.ts';
import { isOverlong, readField, readUnknownField } from './field-values.ts';
import type { FieldKind } from './field-values.ts';
import { collectProblems, readCountedList, readOnce } from './read-list.ts';
import type { Problems } from './read-list.ts';
import type { NarouTransport } from './transport.ts';
import { ShortPage, notOnUpstream } from './upstream-failure.ts';

/** Conditions that records decide in another way than the upstream, or not at all. */
const isOfUpstream = (name: string): boolean =>
  name === 'ispickup' || codesRead(name as SearchCondition).length === 0;

const isNamed = (query: NovelQuery): query is NovelQuery & { ncode: readonly string[] } =>
  query.ncode !== undefined;

/** So long the ends of a listing are witnesses. */
const ENDS_MS = 600_000;

export interface NovelapiOptions {
  readonly transport: NarouTransport;
  readonly report: ReportProblem;
  readonly clock: Clock;
  /** A walk of the whole site needs novels that change meanwhile, and asks for Ncodes itself. */
  readonly keepsEveryRow?: boolean;
}

/** Requests for a page, and for novels by Ncode. */
function createRequests(upstream: NovelInterface, options: NovelapiOptions) {
  const { transport, report, clock, keepsEveryRow = false } = options;
  let ends: { readonly ncodes: readonly string[]; readonly until: number } = { ncodes: [], until: 0 };

  async function requestPage(query: NovelQuery, requester?: Requester): Promise<SearchPage<NovelRecord>> {
    requireServed(upstream, query);
    const codes = canonicalQuery({ ...query, of: alwaysNcode(query.of) });
    const reply = await transport.get(`/${upstream}/api/`, codes, requester);
    return collectProblems(upstream, report, (problems) => {
      const overlong: OverlongText[] = [];
      const latest = japanDateTime(clock.now() + AHEAD_MS);
      const readRecord = novelReader(upstream, query, { problems, overlong, latest });
      const read = keepsEveryRow ? readRecord : readOnce('ncode', readMatching(readRecord, query));
      const page = readCountedList(reply, { ...query, emptyMeansNone: false, problems, read });
      return { ...page, ...(overlong.length > 0 && { overlong }) };
    });
  }

  /** One request. */
  async function requestNovels(
    ncodes: readonly string[],
    { of, opt }: Pick<NovelQuery, 'of' | 'opt'>,
    requester?: Requester,
  ): Promise<ReceivedNovels> {
    const query = queryByNcode(upstream, ncodes, { of: alwaysNcode(of), opt });
    const { items, unreadable, lacking } = await requestPage(query, requester).catch(pageOfShort);
    // Joined by Ncode: the upstream sorts, and not as listed.
    const rows = new Map(items.map((row) => [String(row['ncode']), row]));
    return { rows, isWhole: unreadable === undefined && lacking === undefined };
  }

  async function ask(
    ncodes: readonly string[],
    fields: Pick<NovelQuery, 'of' | 'opt'>,
    requester?: Requester,
  ): Promise<FoundNovel[]> {
    return askByNcode(ncodes, {
      request: (some) => requestNovels(some, fields, requester),
      isByNcode: upstream === 'novelapi',
      knownEnds: ends.until > clock.monotonic() ? ends.ncodes : [],
      listEnds: async () => {
        const ncodes = await listEnds(upstream, (query) => requestPage(query, requester));
        ends = { ncodes, until: clock.monotonic() + ENDS_MS };
        return ncodes;
      },
    });
  }

  return { requestPage, ask };
}

/** The search among the records of its Ncodes, by the conditions of these names. */
async function searchNamed(
  ask: ReturnType<typeof createRequests>['ask'],
  now: () => number,
  query: NovelQuery & { ncode: readonly string[] },
  given: readonly string[],
  requester?: Requester,
): Promise<SearchPage<NovelRecord>> {
  const { ncode, of, opt, order } = query;
  const { field } = NOVELAPI_ORDERS[order];
  const read = given.flatMap((name) => codesRead(name as SearchCondition));
  const sorted = OF_FIELDS.flatMap((row) => (row.field === field ? [row.code] : []));
  const isByReaders = field === WEEKLY_UNIQUE.field;
  const fetched = { of: of && [...of, ...read, ...sorted], opt: isByReaders ? 'weekly' : opt } as const;
  const found = await ask(ncode, fetched, requester);
  const { records, unknown } = sortFound(ncode, found);
  const novels = [...records.values()].map(asStored);
  const page = createNovelScan(novels, now).search({ ...query, ncode: undefined });
  const items = page.records.map((novel) => ({ ...records.get(novel.ncode) }));
  if (isByReaders && opt === undefined) for (const item of items) delete item['weekly_unique'];
  return { allCount: page.total, items: items.map(selector(query)), ...unknown };
}

/**
 * Novels for all ages (novelapi) or adult ones (novel18api). Manuals: https://dev.syosetu.com/man/api/ and
 * https://dev.syosetu.com/xman/api/ A search has each novel once, and none that contradicts it, unless every row is kept.
 */
export function createNovelapi(upstream: NovelInterface, options: NovelapiOptions): NovelSource {
  const { keepsEveryRow = false } = options;
  const { requestPage, ask } = createRequests(upstream, options);

  const find: NovelSource['find'] = async (ncodes, of, requester) => {
    const found = await ask(ncodes, { of }, requester);
    const select = selector({ of });
    return {
      value: found.map((novel) =>
        novel.state === 'found' ? { ...novel, record: select(novel.record) } : novel,
      ),
    };
  };

  /** A search of which the upstream alone knows what matches. Novels that it does not return are asked for. */
  async function searchUpstream(
    query: NovelQuery & { ncode: readonly string[] },
    requester?: Requester,
  ): Promise<SearchPage<NovelRecord>> {
    const page = await requestPage(query, requester);
    const returned = new Set(page.items.map((row) => row['ncode']));
    const missing = query.ncode.filter((ncode) => !returned.has(ncode));
    const { unknown } = sortFound(missing, await ask(missing, { of: ['n'] }, requester));
    return { ...page, items: page.items.map(selector(query)), ...unknown };
  }

  const search: NovelSource['search'] = async (query, requester) => {
    if (keepsEveryRow) return requestPage(query, requester);
    if (!isNamed(query)) {
      const page = await requestPage(query, requester);
      return { ...page, items: page.items.map(selector(query)) };
    }
    requireServed(upstream, query);
    const { order: _order, st: _st, lim: _lim, of: _of, opt: _opt, ...conditions } = query;
    const given = Object.entries(conditions).flatMap(([name, value]) => (value === undefined ? [] : [name]));
    return given.some(isOfUpstream)
      ? searchUpstream(query, requester)
      : searchNamed(ask, () => options.clock.now(), query, given, requester);
  };

  return { applies: conditionsServedBy(upstream), search, find };
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

/** What came of a page that is too short. */
function pageOfShort(error: unknown): SearchPage<NovelRecord> {
  if (error instanceof ShortPage) return error.page as SearchPage<NovelRecord>;
  throw error;
}

/** Conditions call the type as stored records do. */
const asStored = (record: NovelRecord) =>
  ({ ...record, novel_type: record['noveltype'], fetched_at: 0 }) as unknown as CatalogueNovel;

const ncodeIn = ({ ncode }: Json): string => (typeof ncode === 'string' ? ncode.toUpperCase() : '');

/** The upstream would ignore what it lacks, and return more than requested. */
function requireServed(upstream: NovelInterface, query: NovelQuery): void {
  const lacked = lackedByUpstream(upstream, query);
  if (lacked.length > 0) throw notOnUpstream(upstream, lacked);
}

interface KnownField {
  /** The published name. */
  field: string;
  kind: FieldKind;
  /** Published beside a code as `<field>_label`. */
  labels: ReadonlyMap<number, string> | undefined;
}

/** By the name that the upstream uses. */
const KNOWN_FIELDS = new Map<string, KnownField>(
  OF_FIELDS.map(({ field, type }) => {
    const kind = type === 'string' ? 'text' : type;
    return [field, { field, kind, labels: FIELD_LABELS[field] }];
  }),
);
// Without `of` the upstream says `novel_type`, with it `noveltype` (manual of novelapi).
KNOWN_FIELDS.set('novel_type', { field: 'noveltype', kind: 'integer', labels: undefined });

/** The field that `opt=weekly` adds to a record, beside the codes of `of`. */
const WEEKLY_UNIQUE: KnownField = { field: 'weekly_unique', kind: 'integer', labels: undefined };
KNOWN_FIELDS.set(WEEKLY_UNIQUE.field, WEEKLY_UNIQUE);

/** The Ncode is always requested: a row without one is no novel. */
const alwaysNcode = (of: OfSelection): OfSelection => of && [...new Set<OfCode>(['n', ...of])];

/** Selects the fields of a search among the read ones. */
function selector({ of, opt }: Pick<NovelQuery, 'of' | 'opt'>): (record: NovelRecord) => NovelRecord {
  if (of === undefined) return (record) => record;
  const names = [...of.flatMap(selectedFields), ...(opt === 'weekly' ? [WEEKLY_UNIQUE.field] : [])];
  return (record) =>
    Object.fromEntries(names.flatMap((name) => (name in record ? [[name, record[name]]] : [])));
}

/** Clocks differ. A time further ahead of ours is none. */
const AHEAD_MS = 86_400_000;

/** Collects the issues of read records. */
interface RecordIssues {
  readonly problems: Problems;
  readonly overlong: OverlongText[];
  /** The latest time that a record may state (`YYYY-MM-DD HH:MM:SS`). */
  readonly latest: string;
}

/** Sets a field that can be read. */
function setField(
  record: NovelRecord,
  knownField: KnownField,
  raw: Json,
  name: string,
  { problems, overlong, latest }: RecordIssues,
): void {
  const { field, kind, labels } = knownField;
  const text = raw[name];
  if (isOverlong(text)) {
    const ncode = String(raw['ncode']).slice(0, 10).toUpperCase();
    overlong.push({ ncode, field, length: text.length });
    problems.note('overlong_text', `${field} of ${ncode}`);
    return;
  }
  const value = readField(raw[name], kind, field, problems);
  if (value === undefined) return;
  // Of an update of the upstream's own (`updated_at`) nothing follows.
  if (kind === 'datetime' && field !== 'updated_at' && (value as string) > latest) {
    problems.note('mistyped_field', field);
    return;
  }
  record[field] = field === 'ncode' ? (value as string).toUpperCase() : value;
  if (labels === undefined) return;
  const label = labels.get(value as number);
  if (label === undefined) problems.note('unknown_code', `${field} ${value as number}`);
  // A code without a label has an empty one: the field is always a string.
  record[`${field}_label`] = label ?? '';
  return;
}

/** A row that contradicts the search is no record of it. */
function readMatching(read: NovelReader, query: NovelQuery): NovelReader {
  const isContradiction = contradictionTest(query);
  return (raw) => {
    const record = read(raw);
    return record && isContradiction(asStored(record)) ? undefined : record;
  };
}

/** Converts one raw record to its published form; undefined without an Ncode. */
type NovelReader = (raw: Json) => NovelRecord | undefined;

/** Reads the fields of `of`; without it all, known to this service or not, in the upstream's order. */
function novelReader(
  upstream: NovelInterface,
  { of, opt }: Pick<NovelQuery, 'of' | 'opt'>,
  issues: RecordIssues,
): NovelReader {
  const codes = of === undefined ? ofCodesServedBy(upstream) : ['n', ...of];
  const expected = new Set(codes.map((code) => findOfField(code)?.field ?? code));
  if (opt === 'weekly') expected.add(WEEKLY_UNIQUE.field);
  return (raw) => {
    if (parseNcode(ncodeIn(raw)) === null) return undefined;
    const record: NovelRecord = {};
    for (const name in raw) {
      const knownField = KNOWN_FIELDS.get(name);
      if (knownField !== undefined) {
        if (of === undefined || expected.has(knownField.field))
          setField(record, knownField, raw, name, issues);
      } else if (of === undefined && name !== '__proto__' && !isOverlong(raw[name])) {
        record[name] = readUnknownField(raw[name]);
      }
    }
    for (const field of expected)
      if (raw[field] === undefined && !(field in record)) issues.problems.note('missing_field', field);
    return record;
  };
}
