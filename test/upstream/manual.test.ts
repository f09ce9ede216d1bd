import { describe, expect, it, test } from 'vitest';
import { OF_FIELDS, SERVED_CODES, isServedBy } from '../../packages/narou/src/novels/of-fields.ts';
import { NOVELAPI_ORDERS, USERAPI_ORDERS } from '../../packages/narou/src/novels/orders.ts';
import type { NovelapiOrder } from '../../packages/narou/src/novels/orders.ts';
import {
  ADULT_NOVEL_ROWS,
  NOVEL_ROWS,
  SERVED_CONDITIONS,
} from '../../packages/narou/src/novels/search-conditions.ts';
import type { ConditionRow } from '../../packages/narou/src/novels/search-conditions.ts';
import { USER_SEARCH_PARAMETERS } from '../../packages/narou/src/novels/search-parameters.ts';
import { text } from '@mokuroku/kit';
import { NOVEL18API, NOVELAPI, OTHER_PARAMETERS, USERAPI } from './manual.ts';

// The rows of novels/ say by which interface they are served, and manual.ts what an interface serves.

const FORMS: Readonly<Record<string, string>> = {
  words: 'text',
  codes: 'numbers',
  userids: 'numbers',
  plainTimes: 'times',
};

describe.each([
  ['novelapi', NOVELAPI],
  ['novel18api', NOVEL18API],
] as const)('%s', (upstream, manual) => {
  it('has the filters whose rows say so, with values of the same form', () => {
    const rows: Record<string, ConditionRow> = { ...NOVEL_ROWS, ...ADULT_NOVEL_ROWS };
    const served = [...SERVED_CONDITIONS[upstream]].filter((name) => !OTHER_PARAMETERS.includes(name));
    const forms = served.map((name) => {
      const kind = rows[name]?.kind ?? '';
      return [name, kind === 'choice' ? name : (FORMS[kind] ?? kind)];
    });
    expect(Object.fromEntries(forms)).toEqual(Object.fromEntries(manual.filters));
  });

  it('has the orders whose rows say so', () => {
    const orders = Object.keys(NOVELAPI_ORDERS) as NovelapiOrder[];
    const served = orders.filter((order) => isServedBy(upstream, NOVELAPI_ORDERS[order]));
    expect(new Set(served)).toEqual(new Set(manual.orders));
  });

  it('has the codes of `of` whose rows say so', () => {
    const served = new Set<string>(SERVED_CODES[upstream]);
    const fields = OF_FIELDS.filter(({ code }) => served.has(code)).map(({ code, field }) => [code, field]);
    expect([...manual.of]).toEqual(fields);
  });
});

test('userapi has the filters and orders of the user search', () => {
  const ours = Object.keys(USER_SEARCH_PARAMETERS).filter((name) => !OTHER_PARAMETERS.includes(name));
  expect(new Set(USERAPI.filters.keys())).toEqual(new Set(ours));
  expect(USERAPI.orders).toEqual(Object.keys(USERAPI_ORDERS));
});

test('a row that does not say who serves it does not compile', () => {
  // @ts-expect-error `servedBy` is missing.
  const row: ConditionRow = { kind: 'flag', text: text('', '') };
  expect(row).not.toHaveProperty('servedBy');
});
