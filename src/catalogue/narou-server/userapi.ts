import { isOrder, USERAPI_ORDERS, type UserapiOrder } from '../novels/orders.ts';
import type { UserQuery } from '../novels/novel-query.ts';
import type { CatalogueUser } from '../index/catalogue-novel.ts';
import type { Found } from '../index/novel-index.ts';
import { escapeHtml } from './html-escape.ts';
import type { Interface, InterfaceRequest } from './interfaces.ts';
import {
  createFilterReader,
  type FilterReader,
  NothingMatches,
  type Parameters,
  UpstreamError,
} from './parameters.ts';
import type { PhpRecord, PhpValue } from './php-json.ts';
import type { NarouServerSwitches } from './switches.ts';
import { readWindow } from './window.ts';

// Codes of `of` and the keys they select, in the order of the manual (August 2025).
const FIELDS: readonly (readonly [string, keyof CatalogueUser])[] = [
  ['u', 'userid'],
  ['n', 'name'],
  ['y', 'yomikata'],
  ['1', 'name1st'],
  ['nc', 'novel_cnt'],
  ['rc', 'review_cnt'],
  ['nl', 'novel_length'],
  ['sg', 'sum_global_point'],
];

const readOrder = (parameters: Parameters, switches: NarouServerSwitches): UserapiOrder => {
  const text = parameters.get('order') ?? 'new';
  if (isOrder(USERAPI_ORDERS, text)) return text;
  if (switches.unknownOrder === 'error') throw new UpstreamError('Error: Invalid order.');
  return 'new';
};

const readName1st = (read: FilterReader): string | undefined => {
  const name1st = read.text('name1st');
  if (name1st === undefined || /^[ぁ-ん]$/.test(name1st)) return name1st;
  read.refuse('name1st');
  return undefined;
};

const readUserQuery = (
  parameters: Parameters,
  switches: NarouServerSwitches,
): Omit<UserQuery, 'st' | 'lim'> => {
  const read = createFilterReader(parameters, switches);
  return {
    word: read.text('word'),
    notword: read.text('notword'),
    userid: read.number('userid'),
    name1st: readName1st(read),
    minnovel: read.number('minnovel'),
    maxnovel: read.number('maxnovel'),
    minreview: read.number('minreview'),
    maxreview: read.number('maxreview'),
    order: readOrder(parameters, switches),
  };
};

const find = ({ parameters, catalogue, switches }: InterfaceRequest): Found<CatalogueUser> => {
  const window = readWindow(parameters, switches);
  try {
    return catalogue.userIndex().search({ ...readUserQuery(parameters, switches), ...window });
  } catch (error) {
    if (error instanceof NothingMatches) return { total: 0, records: [] };
    throw error;
  }
};

const selectKeys = (parameters: Parameters, switches: NarouServerSwitches): (keyof CatalogueUser)[] => {
  const all = FIELDS.map(([, key]) => key);
  const codes = parameters.get('of')?.split('-');
  if (codes === undefined) return all;
  const known = FIELDS.filter(([code]) => codes.includes(code));
  if (known.length === 0 && switches.ofAllUnknown === 'all') return all;
  if (known.length === 0 && switches.ofAllUnknown === 'error') throw new UpstreamError('Error: Invalid of.');
  const place = ([code]: readonly [string, string]): number => codes.indexOf(code);
  return (switches.keyOrder === 'requested' ? known.toSorted((a, b) => place(a) - place(b)) : known).map(
    ([, key]) => key,
  );
};

const valueOf = (user: CatalogueUser, key: keyof CatalogueUser, switches: NarouServerSwitches): PhpValue => {
  const value = user[key];
  if (key === 'name1st' && value === '') return switches.noName1st === 'null' ? null : '';
  return typeof value === 'string' ? escapeHtml(value) : value;
};

/** The user interface: `allcount`, then the records. `userid` is a number here. */
export const userapi: Interface = (request) => {
  const { parameters, switches } = request;
  const selected = selectKeys(parameters, switches);
  const { total: allcount, records: rows } = find(request);
  if (allcount === 0 && switches.emptyUsers === 'list') return [];
  const sent = rows.map((user): PhpRecord =>
    Object.fromEntries(selected.map((key) => [key, valueOf(user, key, switches)])),
  );
  return [{ allcount }, ...sent];
};
