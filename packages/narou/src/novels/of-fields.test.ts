import { expect, test } from 'vitest';
import { findOfField, OF_FIELDS, ofCodesServedBy } from './of-fields.ts';

// The contract's table, in its own order.
const CONTRACT =
  't title n ncode u userid w writer s story bg biggenre g genre k keyword gf general_firstup ' +
  'gl general_lastup nt noveltype e end ga general_all_no l length ti time i isstop ir isr15 ibl isbl ' +
  'igl isgl izk iszankoku its istensei iti istenni gp global_point dp daily_point wp weekly_point ' +
  'mp monthly_point qp quarter_point yp yearly_point f fav_novel_cnt imp impression_cnt r review_cnt ' +
  'a all_point ah all_hyoka_cnt sa sasie_cnt ka kaiwaritu nu novelupdated_at ua updated_at';

test('novelapi knows exactly the 37 codes of the contract, with its field names', () => {
  const pairs = ofCodesServedBy('novelapi').flatMap((code) => [code, findOfField(code)?.field]);
  expect(pairs.join(' ')).toBe(CONTRACT);
  expect(pairs).toHaveLength(2 * 37);
});

test('novel18api lacks u, bg, g and ir and adds ng', () => {
  const general = ofCodesServedBy('novelapi');
  const adult = ofCodesServedBy('novel18api');
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
