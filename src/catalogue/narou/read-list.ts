import type { SearchPage } from '../catalogue-source.ts';
import { isRecord } from './field-values.ts';
import type { RawRecord } from './field-values.ts';
import type { Problems } from './problems.ts';
import type { UpstreamReply } from './reply.ts';
import { invalid } from './upstream-failure.ts';

/**
 * A list of records without a count, the form of rankget and rankin. Upstream_invalid where it is no list, or has rows of
 * which none can be read; `about` names the rows that cannot.
 */
export function readPlainList<Item>(
  json: unknown,
  problems: Problems,
  about: string,
  read: (raw: RawRecord) => Item | undefined,
): Item[] {
  if (!Array.isArray(json)) throw invalid(new Error('upstream gave no list'));
  const items: Item[] = [];
  for (const raw of json as unknown[]) {
    const item = isRecord(raw) ? read(raw) : undefined;
    if (item === undefined) problems.note('unreadable_record', about);
    else items.push(item);
  }
  if (items.length === 0 && json.length > 0) throw invalid(new Error('upstream gave no readable entry'));
  return items;
}

// `[{"allcount": N}, record, record ...]`, the form of novelapi, novel18api and userapi.

const countOf = (value: unknown): number | undefined =>
  /^[0-9]{1,15}$/.test(String(value)) ? Number(value) : undefined;

/** Counts from here on may be up to four hours old (manual of novelapi). */
const FIRST_LAGGING_COUNT = 1_000;
/** Of such a count so much can be relied on. */
const RELIABLE_SHARE = 0.9;

/** How many records a page must have by the count of all matches. */
function leastOn({ st, lim }: Page, allCount: number): number {
  const certain = allCount < FIRST_LAGGING_COUNT ? allCount : Math.floor(allCount * RELIABLE_SHARE);
  return Math.min(lim, Math.max(0, certain - st + 1));
}

interface Page {
  st: number;
  lim: number;
}

interface CountedListOptions<Item> extends Page {
  /** Whether `[]` may mean "no matches" as `[{"allcount":0}]` does. */
  emptyMeansNone: boolean;
  problems: Problems;
  /** Undefined for what is no such record. */
  read: (raw: RawRecord) => Item | undefined;
}

/**
 * Takes such a list apart. A list without the count in front is taken as records. Any other form is upstream_invalid,
 * and so is one with fewer records than its count promises: what is missing would be taken for what does not exist.
 */
export function readCountedList<Item>(
  reply: UpstreamReply,
  { problems, read, ...form }: CountedListOptions<Item>,
): SearchPage<Item> {
  if ('errorText' in reply) throw invalid(new Error(`upstream said: ${reply.errorText}`));
  const { json } = reply;
  if (!Array.isArray(json)) throw invalid(new Error('upstream gave no list'));
  if (form.emptyMeansNone && json.length === 0) return { allCount: 0, items: [] };
  const [first, ...rest] = json as unknown[];
  if (!isRecord(first)) throw invalid(new Error('upstream gave an empty list'));
  const isCounted = 'allcount' in first;
  const stated = isCounted ? countOf(first['allcount']) : undefined;
  if (stated === undefined) problems.note('missing_field', 'allcount');
  // What comes beyond those asked for is not read.
  const rows = (isCounted ? rest : [first, ...rest]).slice(0, form.lim);
  const items: Item[] = [];
  for (const raw of rows) {
    const item = isRecord(raw) ? read(raw) : undefined;
    if (item === undefined) problems.note('unreadable_record', typeof raw);
    else items.push(item);
  }
  const least = stated === undefined ? 1 : leastOn(form, stated);
  if (items.length < least)
    throw invalid(new Error(describeShortage(items.length, rows.length, least, form)));
  return { allCount: allCountOf(stated, items.length, form), items };
}

function describeShortage(read: number, rows: number, least: number, { lim }: Page): string {
  if (rows >= least) return `${rows - read} of ${rows} rows have nothing that can be read`;
  const asked = rows > 0 && least === lim ? `; it serves fewer rows a page than the ${lim} asked for` : '';
  return `upstream gave ${rows} rows where there must be ${least}${asked}`;
}

/**
 * Where the upstream gave no count: a page that is not full is the last one, so that the count can be told. One that it
 * gave is at least what is there to be seen.
 */
function allCountOf(stated: number | undefined, length: number, { st, lim }: Page): number | undefined {
  const seen = st - 1 + length;
  if (stated === undefined) return length < lim ? seen : undefined;
  return length === 0 ? stated : Math.max(stated, seen);
}
