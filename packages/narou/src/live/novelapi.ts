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
import { FIELD_LABELS } from '../novels/genres.ts';
import { japanDateTime } from '../novels/japan-date.ts';
import { NCODE_PATTERN } from '../novels/ncode.ts';
import { OF_FIELDS, SERVED_CODES, isServedBy, selectFields } from '../novels/of-fields.ts';
import type { NovelInterface, OfCode, OfField } from '../novels/of-fields.ts';
import { NOVELAPI_ORDERS } from '../novels/orders.ts';
import { CONDITION_NAMES, SERVED_CONDITIONS } from '../novels/search-conditions.ts';
import { canonicalQuery } from '../novels/search-query.ts';
import { novelJudge, withoutExcluded } from '../scan/novel-conditions.ts';
import { askByNcode, listEnds, queryByNcode, searchNamed } from './ask-by-ncode.ts';
import type { ReceivedNovels } from './ask-by-ncode.ts';
import {
  WITNESS_MS,
  collectProblems,
  eachOnce,
  pageOfShort,
  readCountedList,
  readField,
  readText,
  withRest,
  withWitness,
} from './read-rows.ts';
import type { Problems } from './read-rows.ts';
import type { NarouTransport } from './transport.ts';
import { notOnUpstream } from './upstream-failure.ts';

/** Maximum characters of one text, else its field is omitted. The site allows 1,000 for the longest. */
const MAX_LETTERS = 20_000;
/** Clocks differ. A time further ahead of ours is none. */
const AHEAD_MS = 86_400_000;

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
    // A row without an Ncode is no novel.
    const asked = canonicalQuery({ ...query, of: query.of && [...new Set<OfCode>(['n', ...query.of])] });
    const reply = await transport.get(`/${upstream}/api/`, asked, requester);
    return collectProblems(upstream, report, (problems) => {
      const overlong: OverlongText[] = [];
      const latest = japanDateTime(clock.now() + AHEAD_MS);
      const page = readCountedList(reply, {
        ...query,
        problems,
        read: novelReader(upstream, query, { problems, overlong, latest }),
        select: keepsEveryRow ? undefined : (novels) => withoutExcluded(eachOnce(novels, 'ncode'), query),
      });
      return { ...page, ...(overlong.length > 0 && { overlong }) };
    });
  }

  async function requestNovels(
    ncodes: readonly string[],
    given: Partial<NovelQuery>,
    requester?: Requester,
  ): Promise<ReceivedNovels> {
    const page = requestPage(queryByNcode(upstream, ncodes, given), requester);
    const { items, unreadable, lacking } = await page.catch(pageOfShort<NovelRecord>);
    // Joined by Ncode: the upstream sorts, and not as listed.
    const records = selectFields(items, given);
    const rows = new Map(records.map((record, at) => [String(items[at]?.['ncode']), record]));
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
        ends = { ncodes, until: clock.monotonic() + WITNESS_MS };
        return ncodes;
      },
    });
  }

  return { requestPage, requestNovels, ask };
}

/**
 * Novels for all ages (novelapi) or adult ones (novel18api). Manuals: https://dev.syosetu.com/man/api/ and
 * https://dev.syosetu.com/xman/api/ A search has each novel once, and none that contradicts it, unless every row is kept.
 */
export function createNovelapi(upstream: NovelInterface, options: NovelapiOptions): NovelSource {
  const { keepsEveryRow = false } = options;
  const requests = createRequests(upstream, options);
  const { requestPage, requestNovels, ask } = requests;

  const find: NovelSource['find'] = async (ncodes, of, requester) => ({
    value: await ask(ncodes, (some) => requestNovels(some, { of }, requester), requester),
  });

  const search: NovelSource['search'] = async (query, requester) => {
    requireServed(upstream, query);
    if (query.ncode !== undefined && !keepsEveryRow)
      return searchNamed(requests, () => options.clock.now(), query, requester);
    if (keepsEveryRow) return requestPage(query, requester);
    const received = await requestPage(query, requester).catch((failure: unknown) =>
      withRest(failure, query, 'ncode', (rest) => requestPage({ ...query, ...rest }, requester)),
    );
    const any: NovelQuery = { order: 'new', st: 1, lim: 1, of: ['n'] };
    const judge = novelJudge(query, options.clock.now());
    const page = await withWitness(
      received,
      () => requestPage(any, requester),
      (novel) => judge(novel) === true,
    );
    return { ...page, items: selectFields(page.items, query) };
  };

  return { applies: SERVED_CONDITIONS[upstream], search, find };
}

/** What the upstream lacks (`anykeyword`, `order=ncodeasc`) it would ignore, and return more than requested. */
function requireServed(upstream: NovelInterface, { order, ...query }: NovelQuery): void {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  const served: ReadonlySet<string> = SERVED_CONDITIONS[upstream];
  const lacked = given.filter((name) => CONDITION_NAMES.has(name) && !served.has(name));
  if (!isServedBy(upstream, NOVELAPI_ORDERS[order])) lacked.push(`order=${order}`);
  if (lacked.length > 0) throw notOnUpstream(upstream, lacked);
}

type KnownField = Pick<OfField, 'field' | 'type'>;

/** By the name that the upstream uses. */
const KNOWN_FIELDS = new Map<string, KnownField>([
  ...OF_FIELDS.map((row) => [row.field, row] as const),
  // Without `of` the upstream says `novel_type`, with it `noveltype` (manual of novelapi).
  ['novel_type', { field: 'noveltype', type: 'integer' }],
  // Added by `opt=weekly`, beside the codes of `of`.
  ['weekly_unique', { field: 'weekly_unique', type: 'integer' }],
]);

/** Collects the issues of read records. */
interface RecordIssues {
  readonly problems: Problems;
  readonly overlong: OverlongText[];
  /** The latest time that a record may state (`YYYY-MM-DD HH:MM:SS`). */
  readonly latest: string;
}

function setField(
  record: NovelRecord,
  { field, type }: KnownField,
  raw: unknown,
  { problems, latest }: RecordIssues,
): void {
  const value = readField(raw, type, field, problems);
  if (value === undefined) return;
  // Of an update of the upstream's own (`updated_at`) nothing follows.
  if (type === 'datetime' && field !== 'updated_at' && (value as string) > latest) {
    problems.note('mistyped_field', field);
    return;
  }
  record[field] = field === 'ncode' ? (value as string).toUpperCase() : value;
  const labels = FIELD_LABELS[field];
  if (labels === undefined) return;
  const label = labels.get(value as number);
  if (label === undefined) problems.note('unknown_code', `${field} ${value as number}`);
  // A code without a label has an empty one: the field is always a string.
  record[`${field}_label`] = label ?? '';
}

/**
 * Converts raw records to their published form; undefined without an Ncode. Reads the fields of `of`; without it all,
 * known to this service or not, in the upstream's order.
 */
function novelReader(
  upstream: NovelInterface,
  { of, opt }: Pick<NovelQuery, 'of' | 'opt'>,
  issues: RecordIssues,
) {
  const { problems, overlong } = issues;
  const codes = of ? ['n', ...of] : SERVED_CODES[upstream];
  const expected = new Set<string>(
    OF_FIELDS.flatMap(({ code, field }) => (codes.includes(code) ? [field] : [])),
  );
  if (opt === 'weekly') expected.add('weekly_unique');
  return (raw: Json): NovelRecord | undefined => {
    if (typeof raw['ncode'] !== 'string' || !NCODE_PATTERN.test(raw['ncode'])) return undefined;
    const ncode = raw['ncode'].toUpperCase();
    const record: NovelRecord = {};
    for (const name in raw) {
      const value = raw[name];
      const isOverlong = typeof value === 'string' && value.length > MAX_LETTERS;
      const knownField = KNOWN_FIELDS.get(name);
      if (knownField === undefined) {
        if (of === undefined && name !== '__proto__' && !isOverlong)
          record[name] = typeof value === 'string' ? readText(value) : value;
      } else if (of === undefined || expected.has(knownField.field)) {
        const { field } = knownField;
        if (isOverlong) {
          overlong.push({ ncode, field, length: value.length });
          problems.note('overlong_text', `${field} of ${ncode}`);
        } else setField(record, knownField, value, issues);
      }
    }
    for (const field of expected)
      if (raw[field] === undefined && !(field in record)) problems.note('missing_field', field);
    return record;
  };
}
