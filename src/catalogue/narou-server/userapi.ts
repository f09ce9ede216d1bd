import type { CatalogueUser } from '../index/catalogue-novel.ts';
import { USERAPI_ORDERS } from '../novels/orders.ts';
import { createFilterReader, escapeHtml, readOf, readOrder, readQuery, readWindow } from './protocol.ts';
import type { Interface, InterfaceRequest, Row, Value } from './protocol.ts';

/** The keys that the codes of `of` select, in the order of the manual (August 2025). */
const FIELDS: ReadonlyMap<string, keyof CatalogueUser> = new Map([
  ['u', 'userid'],
  ['n', 'name'],
  ['y', 'yomikata'],
  ['1', 'name1st'],
  ['nc', 'novel_cnt'],
  ['rc', 'review_cnt'],
  ['nl', 'novel_length'],
  ['sg', 'sum_global_point'],
]);
const ALL_KEYS = [...FIELDS.values()];

const readUserConditions = (request: InterfaceRequest) => {
  const read = createFilterReader(request);
  return {
    word: read.text('word'),
    notword: read.text('notword'),
    userid: read.number('userid'),
    name1st: read.checked('name1st', (text) => (/^[ぁ-ん]$/.test(text) ? text : undefined)),
    minnovel: read.number('minnovel'),
    maxnovel: read.number('maxnovel'),
    minreview: read.number('minreview'),
    maxreview: read.number('maxreview'),
  };
};

const readUserKeys = (request: InterfaceRequest): readonly (keyof CatalogueUser)[] => {
  const codes = readOf(request, (code) => FIELDS.has(code));
  const requested = codes?.flatMap((code) => FIELDS.get(code) ?? []);
  if (requested === undefined || request.switches.keyOrder === 'requested') return requested ?? ALL_KEYS;
  return ALL_KEYS.filter((key) => requested.includes(key));
};

/** The user interface: `allcount`, then the records. `userid` is a number here. */
export const userapi: Interface = (request) => {
  const { catalogue, switches } = request;
  const selected = readUserKeys(request);
  const window = readWindow(request);
  const order = readOrder(request, USERAPI_ORDERS);
  const conditions = readQuery(() => readUserConditions(request));
  const page = conditions && catalogue.userIndex().search({ ...conditions, ...window, order });
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
