import { expect, test } from 'vitest';
import { NOVEL18API_ORDERS, NOVELAPI_ORDERS } from './orders.ts';

test('novel18api has all orders of novelapi but six, with the same meaning except weekly', () => {
  const general = Object.keys(NOVELAPI_ORDERS);
  const adult = Object.keys(NOVEL18API_ORDERS);
  expect(general.filter((order) => !adult.includes(order))).toEqual([
    'hyokaasc',
    'impressioncnt',
    'hyokacntasc',
    'generalfirstup',
    'ncodeasc',
    'ncodedesc',
  ]);
  expect(NOVELAPI_ORDERS).toMatchObject({ ...NOVEL18API_ORDERS, weekly: NOVELAPI_ORDERS.weekly });
});

test('each order has its own Japanese text, which names the end that comes first', () => {
  const rows = Object.values(NOVELAPI_ORDERS);
  const isLow = (ja: string) => /低い|少ない|古い|若い/.test(ja);
  expect(rows.filter(({ text, first }) => isLow(text.ja) !== (first === 'low'))).toEqual([]);
  expect(new Set(rows.map(({ text }) => text.ja)).size).toBe(rows.length);
});
