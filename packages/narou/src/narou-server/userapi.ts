import type { CatalogueUser } from '../scan/catalogue-novel.ts';
import type { UserapiOrder } from '../novels/orders.ts';
import { USERAPI } from './manual.ts';
import { createFilterReader, escapeHtml, readOf, readOrder, readQuery, readWindow } from './protocol.ts';
import type { Interface, InterfaceRequest, Row, Value } from './protocol.ts';

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

/** The user interface: `allcount`, then the records. `userid` is a number here. */
export const userapi: Interface = (request) => {
  const { catalogue, switches } = request;
  const selected = (readOf(request, USERAPI.of) ?? [...USERAPI.of.values()]) as (keyof CatalogueUser)[];
  const window = readWindow(request);
  const order = readOrder(request, USERAPI) as UserapiOrder;
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
