import { expect, it } from 'vitest';
import { SORT_RULES } from '../catalogue/novels/orders.ts';
import { ORDERS_JA } from './orders-ja.ts';

it('each order has its own text, which names the end that comes first', () => {
  const texts = Object.entries(SORT_RULES).map(([order, { first }]) => ({
    order,
    first,
    text: ORDERS_JA[order] ?? '',
  }));
  expect(texts.filter(({ text, first }) => /低い|少ない|古い|若い/.test(text) !== (first === 'low'))).toEqual(
    [],
  );
  expect(new Set(texts.map(({ text }) => text)).size).toBe(texts.length);
});
