import type { CatalogueNovel } from '../index/catalogue-novel.ts';
import {
  ADULT_NOVEL_ROWS,
  BOUNDS,
  IGNORED_ON_ADULT,
  NOVEL_ROWS,
  TIME_WORDS,
} from '../novels/search-conditions.ts';
import type { ConditionRow, NovelConditions, TimeRange } from '../novels/search-conditions.ts';
import { findOfField, ofCodesServedBy } from '../novels/of-fields.ts';
import type { NovelInterface } from '../novels/of-fields.ts';
import { recordFields } from '../novels/select-fields.ts';
import { NOVEL18API_ORDERS, NOVELAPI_ORDERS } from '../novels/orders.ts';
import type { NovelapiOrder } from '../novels/orders.ts';
import {
  createFilterReader,
  escapeHtml,
  readOf,
  readOrder,
  readQuery,
  readWindow,
  UpstreamError,
} from './protocol.ts';
import type { FilterReader, Interface, InterfaceRequest, Row, Value } from './protocol.ts';

const ORDERS = { novelapi: NOVELAPI_ORDERS, novel18api: NOVEL18API_ORDERS };

/** A word (`thisweek`), or two Unix times in seconds. */
const readTimeRange = (read: FilterReader, name: string): TimeRange | undefined =>
  read.checked(name, (text) => {
    const [, from, to] = /^(\d{1,11})-(\d{1,11})$/.exec(text) ?? [];
    if (from === undefined || to === undefined) return TIME_WORDS.find((word) => word === text);
    return { min: Number(from), max: Number(to) };
  });

/** The value of a filter, in the form of its kind. */
function readCondition(read: FilterReader, name: string, row: ConditionRow): unknown {
  switch (row.kind) {
    case 'words':
      return read.text(name);
    case 'flag':
      return read.mark(name);
    case 'codes':
    case 'userids':
      return read.numbers(name);
    case 'ncodes':
      return read.texts(name)?.map((ncode) => ncode.toUpperCase());
    case 'xids':
      return read.texts(name)?.map((xid) => xid.toLowerCase());
    case 'choice':
      return read.oneOf(name, row.values);
    case 'range':
      return read.range(name, ...(name === 'length' || name === 'time' ? BOUNDS[name] : []));
    case 'times':
    case 'plainTimes':
      return readTimeRange(read, name);
    case 'number':
      return undefined; // A bound, read with its range.
  }
}

/** The filters. Unknown ones are ignored, or rejected if a switch says so. */
const readNovelConditions = (source: NovelInterface, request: InterfaceRequest): NovelConditions => {
  const { parameters, switches } = request;
  const isAdult = source === 'novel18api';
  const foreign = isAdult && IGNORED_ON_ADULT.find((name) => parameters.has(name));
  if (foreign && switches.adultForeignFilters === 'error') {
    throw new UpstreamError(`Error: Invalid parameter ${foreign}.`);
  }
  const read = createFilterReader(request);
  const rows = Object.entries<ConditionRow>(isAdult ? ADULT_NOVEL_ROWS : NOVEL_ROWS).filter(
    ([name]) => name !== 'opt' && (name !== 'firstup' || switches.firstupFilter === 'works'),
  );
  return Object.fromEntries(rows.map(([name, row]) => [name, readCondition(read, name, row)]));
};

/** The keys of full records, as of recorded answers (novelapi: February 2026, 38 keys). */
const fullKeys = (source: NovelInterface): readonly string[] =>
  recordFields(source, undefined).filter((name) => !name.endsWith('_label'));

const fieldOfCode = (code: string): string => findOfField(code)?.field ?? code;

/** The keys of the requested records: all, or those that the codes select. */
const readNovelKeys = (source: NovelInterface, request: InterfaceRequest): readonly string[] => {
  const { parameters, switches } = request;
  const servedCodes = new Set<string>(ofCodesServedBy(source));
  const codes = readOf(request, (code) => servedCodes.has(code));
  const requested = codes?.map(fieldOfCode);
  const canonical = fullKeys(source);
  // `noveltype` is `novel_type` unless `of` selects it (manual of novelapi, which warns of it).
  const all = canonical.map((key) => (key === 'noveltype' ? 'novel_type' : key));
  const selected =
    switches.keyOrder === 'requested'
      ? requested
      : requested && canonical.filter((key) => requested.includes(key));
  const unique = parameters.get('opt') === 'weekly' ? ['weekly_unique'] : [];
  const fields = selected ?? all;
  return switches.weeklyUniquePosition === 'last' ? [...fields, ...unique] : [...unique, ...fields];
};

/** Undefined for a field that the record lacks: it is not sent. */
const valueOf = (novel: CatalogueNovel, key: string): Value | undefined => {
  if (key === 'gensaku') return '';
  const value = novel[(key === 'noveltype' ? 'novel_type' : key) as keyof CatalogueNovel];
  return typeof value === 'string' ? escapeHtml(value) : value;
};

const rowOf = (novel: CatalogueNovel, keys: readonly string[]): Row => {
  const row: Record<string, Value> = {};
  for (const key of keys) {
    const value = valueOf(novel, key);
    if (value !== undefined) row[key] = value;
  }
  return row;
};

/** `allcount` as sent: from 1000 on, the upstream's may be up to four hours old and differ between its servers. */
const sentAllcount = (total: number, st: number, { staleAllcount }: InterfaceRequest['switches']): number =>
  staleAllcount && total >= 1000 ? total - 3 - (st % 7) : total;

/** A novel interface: `allcount`, then the records, their strings escaped for HTML. */
const novelInterface =
  (source: NovelInterface): Interface =>
  async (request) => {
    const { catalogue, switches } = request;
    const selected = readNovelKeys(source, request);
    const window = readWindow(request);
    const conditions = readQuery(() => readNovelConditions(source, request));
    const order = readOrder<NovelapiOrder>(request, ORDERS[source]);
    if (conditions === null) return [{ allcount: 0 }];
    const index = source === 'novelapi' ? catalogue.novelIndex() : catalogue.adultNovelIndex();
    const shift = window.st > 1 ? switches.shiftedRows : 0;
    const lim = switches.maxRows > 0 ? Math.min(window.lim, switches.maxRows) : window.lim;
    const shown = { st: window.st + shift, lim };
    const { total, records } = await index.search({ ...conditions, ...shown, order });
    return [
      { allcount: sentAllcount(total, window.st, switches) },
      ...records.map((novel) => rowOf(novel, selected)),
    ];
  };

export const novelapi = novelInterface('novelapi');
export const novel18api = novelInterface('novel18api');
