import type { Json } from '@mokuroku/kit';
import type { Requester } from '../upstream/index.ts';
import type {
  NovelRecord,
  NovelSource,
  OfSelection,
  OverlongText,
  ReportProblem,
  SearchPage,
} from '../source/index.ts';
import type { NovelQuery } from '../novels/novel-query.ts';
import { FIELD_LABELS } from '../novels/genres.ts';
import { OF_FIELDS, findOfField, ofCodesServedBy } from '../novels/of-fields.ts';
import type { NovelInterface, OfCode } from '../novels/of-fields.ts';
import { DEFAULT_LIM } from '../novels/search-parameters.ts';
import { conditionsServedBy } from '../novels/search-conditions.ts';
import { canonicalQuery, lackedByUpstream } from '../novels/search-query.ts';
import { contradictionTest } from '../scan/novel-conditions.ts';
import { findByNcode } from './find-by-ncode.ts';
import { isOverlong, readField, readUnknownField } from './field-values.ts';
import type { FieldKind } from './field-values.ts';
import { collectProblems, readCountedList, readOnce } from './read-list.ts';
import type { Problems } from './read-list.ts';
import type { NarouTransport } from './transport.ts';
import { invalidResponse, notOnUpstream } from './upstream-failure.ts';

/**
 * Novels for all ages (novelapi) or adult ones (novel18api). Manuals: https://dev.syosetu.com/man/api/ and
 * https://dev.syosetu.com/xman/api/ A search has each novel once, and none that contradicts it, unless every row is kept:
 * a walk of the whole site needs novels that change meanwhile.
 */
export function createNovelapi(
  upstream: NovelInterface,
  transport: NarouTransport,
  report: ReportProblem,
  keepsEveryRow = false,
): NovelSource {
  const path = `/${upstream}/api/`;

  async function search(query: NovelQuery, requester?: Requester): Promise<SearchPage<NovelRecord>> {
    requireServed(upstream, query);
    const reply = await transport.get(
      path,
      canonicalQuery({ ...query, of: alwaysNcode(query.of) }),
      requester,
    );
    return collectProblems(upstream, report, (problems) => {
      const overlong: OverlongText[] = [];
      const readRecord = novelReader(upstream, query, { problems, overlong });
      const read = keepsEveryRow ? readRecord : readOnce('ncode', readMatching(readRecord, query));
      const page = readCountedList(reply, { ...query, emptyMeansNone: false, problems, read });
      return { ...page, ...(overlong.length > 0 && { overlong }) };
    });
  }

  /** One request. */
  async function fetchByNcode(
    ncodes: readonly string[],
    of: OfSelection,
    requester?: Requester,
  ): Promise<ReadonlyMap<string, NovelRecord>> {
    // Without `lim` the upstream would return 20 of them.
    const page = { st: 1, lim: Math.max(DEFAULT_LIM, ncodes.length) };
    // Joined by Ncode: the upstream sorts by `order`, not as listed.
    const query = canonicalQuery({ ncode: ncodes, lim: page.lim, of: alwaysNcode(of) });
    const reply = await transport.get(path, query, requester);
    const requested = new Set(ncodes);
    return collectProblems(upstream, report, (problems) => {
      const readRecord = novelReader(upstream, { of }, { problems, overlong: [] });
      const read = readOnce('ncode', (raw): [string, NovelRecord] => [
        requestedNcode(raw, requested),
        readRecord(raw) ?? {},
      ]);
      const rows = readCountedList(reply, { ...page, emptyMeansNone: false, problems, read });
      // It may be any novel that is not among the others.
      if (rows.unreadable) throw invalidResponse(`${rows.unreadable} rows are unreadable`);
      return new Map(rows.items);
    });
  }

  const find: NovelSource['find'] = async (ncodes, of, requester) => ({
    value: await findByNcode(ncodes, (some) => fetchByNcode(some, of, requester)),
  });

  return { applies: conditionsServedBy(upstream), search, find };
}

const ncodeIn = ({ ncode }: Json): string => (typeof ncode === 'string' ? ncode.toUpperCase() : '');

function requestedNcode(raw: Json, requested: ReadonlySet<string>): string {
  const ncode = ncodeIn(raw);
  if (requested.has(ncode)) return ncode;
  throw invalidResponse('the upstream returned a novel that was not requested');
}

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

/** The Ncode is always requested: it makes a row a novel even if all its other fields are unknown. */
const alwaysNcode = (of: OfSelection): OfSelection => of && [...new Set<OfCode>(['n', ...of])];

/** Collects the issues of read records. */
interface RecordIssues {
  readonly problems: Problems;
  readonly overlong: OverlongText[];
}

/** False if it cannot be read. */
function setField(
  record: NovelRecord,
  knownField: KnownField,
  raw: Json,
  name: string,
  { problems, overlong }: RecordIssues,
): boolean {
  const { field, kind, labels } = knownField;
  const text = raw[name];
  if (isOverlong(text)) {
    const ncode = String(raw['ncode']).slice(0, 10).toUpperCase();
    overlong.push({ ncode, field, length: text.length });
    problems.note('overlong_text', `${field} of ${ncode}`);
    return false;
  }
  const value = readField(raw[name], kind, field, problems);
  if (value === undefined) return false;
  record[field] = field === 'ncode' ? (value as string).toUpperCase() : value;
  if (labels === undefined) return true;
  const label = labels.get(value as number);
  if (label === undefined) problems.note('unknown_code', `${field} ${value as number}`);
  // A code without a label has an empty one: the field is always a string.
  record[`${field}_label`] = label ?? '';
  return true;
}

/** A row that contradicts the search is no record of it. */
function readMatching(read: NovelReader, query: NovelQuery): NovelReader {
  const isContradiction = contradictionTest(query);
  return (raw) => {
    const record = read(raw);
    // `of` may lack the Ncode, which was requested in any case; conditions call the type as stored records do.
    const ncode = ncodeIn(raw);
    const known = { ...record, ...(ncode !== '' && { ncode }), novel_type: record?.['noveltype'] as number };
    return isContradiction(known) ? undefined : record;
  };
}

/** Converts one raw record to its published form; undefined if it has no field of a novel. */
type NovelReader = (raw: Json) => NovelRecord | undefined;

const novelReader = (
  upstream: NovelInterface,
  { of, opt }: Pick<NovelQuery, 'of' | 'opt'>,
  issues: RecordIssues,
): NovelReader => (of === undefined ? wholeReader(upstream, opt, issues) : selectingReader(of, opt, issues));

const servedFields = (upstream: NovelInterface): string[] =>
  ofCodesServedBy(upstream).map((code) => findOfField(code)?.field ?? code);

const FIELDS: Readonly<Record<NovelInterface, readonly string[]>> = {
  novelapi: servedFields('novelapi'),
  novel18api: servedFields('novel18api'),
};

/** All fields, in the upstream's order, known to this service or not. */
function wholeReader(upstream: NovelInterface, opt: NovelQuery['opt'], issues: RecordIssues): NovelReader {
  const expected = opt === 'weekly' ? [...FIELDS[upstream], WEEKLY_UNIQUE.field] : FIELDS[upstream];
  return (raw) => {
    const record: NovelRecord = {};
    let isNovel = false;
    for (const name in raw) {
      const knownField = KNOWN_FIELDS.get(name);
      if (knownField !== undefined) {
        isNovel = setField(record, knownField, raw, name, issues) || isNovel;
      } else if (name !== '__proto__' && !isOverlong(raw[name])) {
        record[name] = readUnknownField(raw[name]);
      }
    }
    if (!isNovel) return undefined;
    for (const field of expected) if (!(field in record)) issues.problems.note('missing_field', field);
    return record;
  };
}

/** Reads only the fields of these codes, and `weekly_unique` with `opt=weekly`. */
function selectingReader(of: readonly OfCode[], opt: NovelQuery['opt'], issues: RecordIssues): NovelReader {
  const selected = of
    .map((code) => KNOWN_FIELDS.get(findOfField(code)?.field ?? ''))
    .filter((knownField) => knownField !== undefined);
  if (opt === 'weekly') selected.push(WEEKLY_UNIQUE);
  return (raw) => {
    const record: NovelRecord = {};
    for (const knownField of selected) {
      const { field } = knownField;
      const name = field === 'noveltype' && raw[field] === undefined ? 'novel_type' : field;
      // A null is reported as a value of the wrong type.
      if (raw[name] === undefined) issues.problems.note('missing_field', field);
      else setField(record, knownField, raw, name, issues);
    }
    return Object.keys(raw).some((name) => KNOWN_FIELDS.has(name)) ? record : undefined;
  };
}
