import { expect, test } from 'vitest';
import { findOfField, OF_FIELDS, SERVED_CODES } from './of-fields.ts';
import { NOVEL18API_ORDERS, NOVELAPI_ORDERS } from './orders.ts';
import { progressOf } from './progress.ts';

// The contract's table, in its own order.
const CONTRACT =
  't title n ncode u userid w writer s story bg biggenre g genre k keyword gf general_firstup ' +
  'gl general_lastup nt noveltype e end ga general_all_no l length ti time i isstop ir isr15 ibl isbl ' +
  'igl isgl izk iszankoku its istensei iti istenni gp global_point dp daily_point wp weekly_point ' +
  'mp monthly_point qp quarter_point yp yearly_point f fav_novel_cnt imp impression_cnt r review_cnt ' +
  'a all_point ah all_hyoka_cnt sa sasie_cnt ka kaiwaritu nu novelupdated_at ua updated_at';

test('novelapi knows exactly the 37 codes of the contract, with its field names', () => {
  const pairs = SERVED_CODES.novelapi.flatMap((code) => [code, findOfField(code)?.field]);
  expect(pairs.join(' '), 'add a new code of the upstream above').toBe(CONTRACT);
  expect(pairs).toHaveLength(2 * 37);
});

test('novel18api lacks u, bg, g and ir and adds ng', () => {
  const general = SERVED_CODES.novelapi;
  const adult = SERVED_CODES.novel18api;
  expect(general.filter((code) => !adult.includes(code))).toEqual(['u', 'bg', 'g', 'ir']);
  expect(adult.filter((code) => !general.includes(code))).toEqual(['ng']);
});

test('an unknown code is not found, whatever its name', () => {
  for (const code of ['', 'T', 'isr', 'constructor', '__proto__']) expect(findOfField(code)).toBeUndefined();
});

test("every example has its field's type", () => {
  for (const { field, type, example } of OF_FIELDS) {
    if (type === 'datetime') expect(example, field).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    else if (type === 'flag') expect([0, 1], field).toContain(example);
    else expect(typeof example, field).toBe(type === 'integer' ? 'number' : 'string');
  }
});

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

test("a novel's progress is read from three fields, one of them inverted", () => {
  expect(progressOf({ noveltype: 2, end: 0 })).toBe('short');
  expect(progressOf({ noveltype: 1, end: 0 })).toBe('complete');
  expect(progressOf({ noveltype: 1, end: 1, isstop: 0 })).toBe('ongoing');
  expect(progressOf({ noveltype: 1, end: 1, isstop: 1 })).toBe('stopped');
  expect(progressOf({ noveltype: 1 })).toBeUndefined();
  expect(progressOf({ noveltype: 1, end: 1 }), 'without isstop').toBe('ongoing');
});
