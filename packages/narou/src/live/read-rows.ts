import type { ReportProblem, SearchPage, SourceProblem } from '../source/index.ts';
import { isRecord } from '@mokuroku/kit';
import type { Json } from '@mokuroku/kit';
import type { OfField } from '../novels/of-fields.ts';
import { FIRST_LAGGING_COUNT, LAST_START } from '../novels/upstream-facts.ts';
import type { UpstreamReply } from './transport.ts';
import { ShortPage, invalidResponse } from './upstream-failure.ts';

/** The unexpected fields and values of one response. */
export interface Problems {
  note(problem: SourceProblem['problem'], about: string, count?: number): void;
}

/** Reads a response and reports each unexpected kind once: 500 records with the same fault are one report. */
export function collectProblems<Read>(
  upstream: SourceProblem['upstream'],
  report: ReportProblem,
  read: (problems: Problems) => Read,
): Read {
  const noted = new Map<string, SourceProblem>();
  const result = read({
    note: (problem, about, count = 1) => {
      const key = `${problem} ${about}`;
      const earlier = noted.get(key);
      if (earlier) earlier.count += count;
      else if (noted.size < 100) noted.set(key, { upstream, problem, about, count });
    },
  });
  for (const problem of noted.values()) report(problem);
  return result;
}

/** An Ncode, user id or count, as text or as a number; empty for anything else, of which `String` may throw. */
export const identifierOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).toUpperCase() : '';

/** `0000-00-00 00:00:00` states no time, nor does the beginning of 1970: the site opened in 2004. */
const DATE_TIME = /^2\d{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01]) (?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d$/;

/** A number written as text. */
const isDigits = (value: unknown) => typeof value === 'string' && /^[0-9]{1,15}$/.test(value);

const ENTITY = /&(?:#x([0-9a-f]{1,6})|#([0-9]{1,7})|(amp|lt|gt|quot|apos));/gi;
const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** An entity that the upstream does not produce (`&hearts;`) stays. */
function decodeEntity(entity: string, hex?: string, decimal?: string, name?: string): string {
  if (name !== undefined) return NAMED[name.toLowerCase()] ?? entity;
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
  const isValid = code > 0 && code <= 0x10_ffff && !(code >= 0xd800 && code <= 0xdfff);
  return isValid ? String.fromCodePoint(code) : entity;
}

/** Controls but tab and line feed, and what strict parsers refuse: halves of characters, non-characters. */
const UNPRINTABLE = /(?![\t\n])\p{Cc}|\p{Cs}|[\ufffe\uffff]/gu;

/** What the bytes of another encoding are read as. A harvest keeps the stored text in place of such a one. */
const UNDECODED = /[\u0080-\u0084\u0086-\u009f]/g;

/**
 * A text as its author wrote it, without what no reader can show. Undoes the HTML escaping of the upstream's strings
 * exactly once: `&amp;lt;` becomes `&lt;`, which is what the author wrote.
 */
export const readText = (text: string): string =>
  text.replace(ENTITY, decodeEntity).replace(UNDECODED, '\ufffd').replace(UNPRINTABLE, '');

/**
 * A field in its published type. A number written as text, a text that is a number and a flag that is a boolean are
 * converted and reported; anything else is reported and omitted (undefined): half an author's id is no id.
 */
export function readField(value: unknown, type: OfField['type'], name: string, problems: Problems): unknown {
  if (type === 'string') {
    if (typeof value === 'string') return readText(value);
    problems.note('mistyped_field', name);
    // JSON.parse makes Infinity of a number that is too long.
    return Number.isFinite(value) ? String(value) : undefined;
  }
  if (type === 'datetime') {
    if (typeof value === 'string' && DATE_TIME.test(value)) return value;
    problems.note('mistyped_field', name);
    return undefined;
  }
  // No count is false.
  const isConverted = type === 'flag' && typeof value === 'boolean' ? true : isDigits(value);
  const number = isConverted ? Number(value) : value;
  const isOfKind =
    type === 'flag' ? number === 0 || number === 1 : Number.isSafeInteger(number) && Number(number) >= 0;
  if (!isOfKind || number !== value) problems.note('mistyped_field', name);
  return isOfKind ? number : undefined;
}

/** Each record once: a later one with the same value of a field is no further record. */
export function eachOnce<Row extends object>(records: readonly Row[], name: keyof Row): Row[] {
  const seen = new Set<unknown>();
  return records.filter(({ [name]: value }) => {
    const isFirst = !seen.has(value);
    seen.add(value);
    return isFirst;
  });
}

/** Records of a list, and the number of its unreadable rows, which are dropped. */
interface ReadRows<Item> {
  readonly items: Item[];
  readonly unreadable: number;
}

/**
 * The rows of a list. `about` names those that are no such record, or that `select` drops: more than one in ten make the
 * list unreadable.
 */
export function readRows<Item>(
  rows: unknown,
  problems: Problems,
  about: string,
  read: (raw: Json) => Item | undefined,
  select?: (records: Item[]) => Item[],
): ReadRows<Item> {
  if (!Array.isArray(rows)) throw invalidResponse('the upstream returned no list');
  const records = rows.filter(isRecord).flatMap((row) => read(row) ?? []);
  const items = select ? select(records) : records;
  const unreadable = rows.length - items.length;
  const isServed = unreadable <= Math.max(1, rows.length / 10) && (items.length > 0 || rows.length === 0);
  if (!isServed) throw invalidResponse(`${unreadable} of ${rows.length} rows are unreadable`);
  if (unreadable > 0) problems.note('unreadable_record', about, unreadable);
  return { items, unreadable };
}

// `[{"allcount": N}, record, record ...]`, the form of novelapi, novel18api and userapi.

/** The reliable part of a count that may lag. */
const RELIABLE_SHARE = 0.9;

interface ListPage {
  st: number;
  lim: number;
}

interface CountedListOptions<Item> extends ListPage {
  /** Whether `[]` may mean "no matches" like `[{"allcount":0}]`. Default: no. */
  emptyMeansNone?: boolean;
  problems: Problems;
  /** Undefined for anything that is no such record. */
  read: (raw: Json) => Item | undefined;
  /** The records that the request asked for, each once. Default: all. */
  select?: ((records: Item[]) => Item[]) | undefined;
}

/**
 * Splits such a list into count and records. A list without a leading count is taken as records. Any other form is
 * upstream_invalid, as are fewer records than the count promises: missing ones would be taken for non-existing.
 */
export function readCountedList<Item>(
  reply: UpstreamReply,
  { problems, read, select, ...form }: CountedListOptions<Item>,
): SearchPage<Item> {
  if ('errorText' in reply) throw invalidResponse(`upstream said: ${reply.errorText}`);
  const { json } = reply;
  if (!Array.isArray(json)) throw invalidResponse('the upstream returned no list');
  if (form.emptyMeansNone && json.length === 0) return { allCount: 0, items: [] };
  const [first, ...rest] = json as unknown[];
  if (!isRecord(first)) throw invalidResponse('the upstream returned an empty list');
  const isCounted = 'allcount' in first;
  const count = identifierOf(first['allcount']);
  const stated = isCounted && /^[0-9]{1,15}$/.test(count) ? Number(count) : undefined;
  if (stated === undefined) problems.note('missing_field', 'allcount');
  // Records beyond the requested ones are not read.
  const rows = (isCounted ? rest : [first, ...rest]).slice(0, form.lim);
  const { items, unreadable } = readRows(rows, problems, 'record', read, select);
  const { allCount, minRows } = countsOf(stated, rows.length, items.length, form);
  const page = { allCount, items, ...(unreadable > 0 && { unreadable }) };
  const lacking = minRows - rows.length;
  if (lacking <= 0) return page;
  const shortage = `the upstream returned ${rows.length} rows instead of ${minRows}`;
  throw rows.length === 0 ? invalidResponse(shortage) : new ShortPage(shortage, { ...page, lacking });
}

/** So long what the upstream listed is a witness. */
export const WITNESS_MS = 600_000;

/**
 * A search without matches, if the upstream finds anything at all: one that does not, knows nothing. Neither does one
 * that finds a match then. Its count shows that it knows of matches before the page.
 */
export async function withWitness<Item>(
  page: SearchPage<Item>,
  findAny: () => Promise<SearchPage<Item>>,
  isMatch: (item: Item) => boolean,
): Promise<SearchPage<Item>> {
  if (page.items.length > 0 || (page.allCount ?? 0) > 0) return page;
  const any = await findAny();
  if (any.items.length === 0) throw invalidResponse('the upstream finds nothing at all');
  if (any.items.some(isMatch))
    throw invalidResponse('the upstream lists a match of a search without matches');
  return page;
}

/** The rows of a short page, for a reader who concludes nothing from the missing ones. */
export function pageOfShort<Item>(error: unknown): SearchPage<Item> {
  if (error instanceof ShortPage) return error.page as SearchPage<Item>;
  throw error;
}

/** Of a page. An upstream that returns smaller ones is not asked for the rest. */
const MAX_PARTS = 10;

/**
 * The whole of a short page: an upstream that returns fewer rows at once than its manual says is asked for those behind
 * them. Throws the failure if they are not the missing ones, or begin where the manual has no row begin.
 */
export async function withRest<Item extends object>(
  failure: unknown,
  { st, lim }: ListPage,
  name: keyof Item,
  request: (rest: ListPage) => Promise<SearchPage<Item>>,
): Promise<SearchPage<Item>> {
  const page = pageOfShort<Item>(failure);
  let { items, unreadable = 0 } = page;
  let received = items.length + unreadable;
  // What a later part counts may be less: it does not make the page whole.
  const promised = received + (page.lacking ?? 0);
  for (let parts = 1; received < promised; parts++) {
    if (received * MAX_PARTS < lim * parts || st + received > LAST_START) throw failure;
    const rest = await request({ st: st + received, lim: lim - received }).catch(pageOfShort<Item>);
    items = [...items, ...rest.items];
    if (rest.items.length === 0 || eachOnce(items, name).length < items.length) throw failure;
    unreadable += rest.unreadable ?? 0;
    received = items.length + unreadable;
  }
  const allCount = page.allCount && Math.max(page.allCount, st - 1 + items.length);
  return { allCount, items, ...(unreadable > 0 && { unreadable }) };
}

/** The number of all matches, and the minimum number of rows of a page that has `length` of them, `served` readable. */
function countsOf(stated: number | undefined, length: number, served: number, { st, lim }: ListPage) {
  const before = st - 1;
  // A page that is not full is the last one, which gives the count.
  if (stated === undefined) return { allCount: length < lim ? before + length : undefined, minRows: 1 };
  const certain = stated < FIRST_LAGGING_COUNT ? stated : Math.floor(stated * RELIABLE_SHARE);
  return {
    // At least the number of matches seen: a repeated row is none.
    allCount: length === 0 ? stated : Math.max(stated, before + served),
    minRows: Math.min(lim, Math.max(0, certain - before)),
  };
}
