import { expect, test } from 'vitest';
import { NOVEL18API_ORDERS, NOVELAPI_ORDERS, USERAPI_ORDERS } from './orders.ts';

test('novelapi has 20 orders, novel18api all of them but six, userapi 6', () => {
  const general = Object.keys(NOVELAPI_ORDERS);
  const adult = Object.keys(NOVEL18API_ORDERS);
  expect([general.length, adult.length, Object.keys(USERAPI_ORDERS).length]).toEqual([20, 14, 6]);
  expect(general.filter((order) => !adult.includes(order))).toEqual([
    'hyokaasc',
    'impressioncnt',
    'hyokacntasc',
    'generalfirstup',
    'ncodeasc',
    'ncodedesc',
  ]);
});
