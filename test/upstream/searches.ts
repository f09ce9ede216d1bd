import { scanUsers } from '../../packages/narou/src/scan/novel-scan.ts';
import type { CatalogueNovel, CatalogueUser } from '../../packages/narou/src/scan/catalogue-novel.ts';
import type { UserQuery } from '../../packages/narou/src/novels/search-query.ts';
import type { NovelInterface } from '../../packages/narou/src/novels/of-fields.ts';
import { parseNcode } from '../../packages/narou/src/novels/ncode.ts';
import type { NovelapiOrder, UserapiOrder } from '../../packages/narou/src/novels/orders.ts';
import type { NovelConditions, TimeRange } from '../../packages/narou/src/novels/search-conditions.ts';
import { NOVEL18API, NOVELAPI, USERAPI } from './manual.ts';
import type { FilterForm } from './manual.ts';
import { createFilterReader, escapeHtml, readOf, readOrder, readQuery, readWindow } from './protocol.ts';
import type { FilterReader, Interface, InterfaceRequest, Row, Value } from './protocol.ts';

const MANUALS = { novelapi: NOVELAPI, novel18api: NOVEL18API };

const TIME_WORDS = ['thisweek', 'lastweek', 'sevenday', 'thismonth', 'lastmonth'] as const;

/** The parameters that narrow a range. */
const BOUNDS = new Map([
  ['length', ['minlen', 'maxlen']],
  ['time', ['mintime', 'maxtime']],
]);

/** A word (`thisweek`), or two Unix times in seconds. */
const readTimeRange = (read: FilterReader, name: string): TimeRange | undefined =>
  read.checked(name, (text) => {
    const [, from, to] = /^(\d{1,11})-(\d{1,11})$/.exec(text) ?? [];
    if (from === undefined || to === undefined) return TIME_WORDS.find((word) => word === text);
    return { min: Number(from), max: Number(to) };
  });

/** The value of a filter, in its form. */
function readCondition(read: FilterReader, name: string, form: FilterForm): unknown {
  switch (form) {
    case 'text':
      return read.text(name)?.trim();
    case 'flag':
      return read.mark(name);
    case 'numbers':
      return read.numbers(name);
    case 'ncodes':
      return read.texts(name)?.map((ncode) => ncode.toUpperCase());
    case 'xids':
      return read.texts(name)?.map((xid) => xid.toLowerCase());
    case 'type':
      return read.oneOf(name, ['t', 'r', 'er', 're', 'ter']);
    case 'stop':
      return read.oneOf(name, ['1', '2']);
    case 'range':
      return read.range(name, ...(BOUNDS.get(name) ?? []));
    case 'times':
      return readTimeRange(read, name);
    case 'number':
      return read.number(name);
    case 'hiragana':
      return read.checked(name, (text) => (/^[ぁ-ん]$/.test(text) ? text : undefined));
  }
}

const readConditions = (
  request: InterfaceRequest,
  filters: readonly (readonly [string, FilterForm])[],
): Readonly<Record<string, unknown>> => {
  const read = createFilterReader(request);
  return Object.fromEntries(filters.map(([name, form]) => [name, readCondition(read, name, form)]));
};

/** The numbers of a novel interface are bounds, which are read with their range. */
const readNovelConditions = (source: NovelInterface, request: InterfaceRequest): NovelConditions => {
  const hasFirstup = request.switches.firstupFilter === 'works';
  const filters = [...MANUALS[source].filters].filter(
    ([name, form]) => form !== 'number' && (name !== 'firstup' || hasFirstup),
  );
  const conditions: NovelConditions = readConditions(request, filters);
  const { word = '', ncode } = conditions;
  const named = parseNcode(word);
  if (named === null) return conditions;
  // An Ncode as the only word is looked up, whatever the targets (manual of novelapi).
  return { ...conditions, word: undefined, ncode: (ncode ?? [named]).filter((each) => each === named) };
};

/** The keys of the requested records: all, or those that the codes select. */
const readNovelKeys = (source: NovelInterface, request: InterfaceRequest): readonly string[] => {
  const { parameters, switches } = request;
  const { of } = MANUALS[source];
  const requested = readOf(request, of);
  const unique = parameters.get('opt') === 'weekly' ? ['weekly_unique'] : [];
  const fields = requested ?? [...of.values()].flatMap(keysOfWhole);
  return switches.weeklyUniquePosition === 'last' ? [...fields, ...unique] : [...unique, ...fields];
};

/**
 * A key in a record without `of`: with `gensaku`, which no code selects, and `novel_type` for `noveltype` (manual of
 * novelapi, which warns of it).
 */
const keysOfWhole = (key: string): string[] =>
  key === 'keyword' ? ['gensaku', key] : [key === 'noveltype' ? 'novel_type' : key];

/** Undefined for a field that the record lacks: it is not sent. */
const valueOf = (novel: CatalogueNovel, key: string): Value | undefined => {
  if (key === 'gensaku') return '';
  const value = novel[(key === 'novel_type' ? 'noveltype' : key) as keyof CatalogueNovel];
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

/** The rows that are sent for the requested ones. */
const shownRows = (
  { st, lim }: ReturnType<typeof readWindow>,
  { shiftedRows, maxRows }: InterfaceRequest['switches'],
) => ({
  st: st + (st > 1 ? shiftedRows : 0),
  lim: maxRows > 0 ? Math.min(lim, maxRows) : lim,
});

/** A novel interface: `allcount`, then the records, their strings escaped for HTML. */
const novelInterface =
  (source: NovelInterface): Interface =>
  async (request) => {
    const { catalogue, switches } = request;
    const selected = readNovelKeys(source, request);
    const window = readWindow(request);
    const conditions = readQuery(() => readNovelConditions(source, request));
    const order = readOrder(request, MANUALS[source]) as NovelapiOrder;
    if (conditions === null) return [{ allcount: 0 }];
    const index = source === 'novelapi' ? catalogue.novelIndex() : catalogue.adultNovelIndex();
    const { total, records } = await index.search({ ...conditions, ...shownRows(window, switches), order });
    return [
      { allcount: sentAllcount(total, window.st, switches) },
      ...records.map((novel) => rowOf(novel, selected)),
    ];
  };

export const novelapi = novelInterface('novelapi');
export const novel18api = novelInterface('novel18api');

/** The user interface: `allcount`, then the records. `userid` is a number here. */
export const userapi: Interface = (request) => {
  const { catalogue, switches } = request;
  const selected = (readOf(request, USERAPI.of) ?? [...USERAPI.of.values()]) as (keyof CatalogueUser)[];
  const window = readWindow(request);
  const order = readOrder(request, USERAPI) as UserapiOrder;
  const conditions = readQuery((): Partial<UserQuery> => readConditions(request, [...USERAPI.filters]));
  const page =
    conditions && scanUsers(catalogue.users(), { ...conditions, ...shownRows(window, switches), order });
  const valueOf = (user: CatalogueUser, key: keyof CatalogueUser): Value => {
    const value = user[key];
    if (key === 'name1st' && value === '') return switches.noName1st === 'null' ? null : '';
    return typeof value === 'string' ? escapeHtml(value) : value;
  };
  if (!page?.total && switches.emptyUsers === 'list') return [];
  const records = page?.records.map((user): Row =>
    Object.fromEntries(selected.map((key) => [key, valueOf(user, key)])),
  );
  return [{ allcount: page?.total ?? 0 }, ...(records ?? [])];
};
