import { describe, expect, test } from 'vitest';
import { upstreamUnderTest } from '../../test/upstream-under-test.ts';
import { firstKana } from '../sample/users.ts';

const { catalogue, rows } = upstreamUnderTest();
const users = catalogue.users();

describe('records', () => {
  test('have eight fields: userid is a number, name1st null if absent', async () => {
    const [count, ...rowsFound] = await rows('userapi/api/?lim=500');
    expect(count).toEqual({ allcount: users.length });
    expect(Object.keys(rowsFound[0] ?? {}).join(' ')).toBe(
      'userid name yomikata name1st novel_cnt review_cnt novel_length sum_global_point',
    );
    expect(rowsFound.map((row) => typeof row['userid'])).toEqual(rowsFound.map(() => 'number'));
    expect(rowsFound.filter((row) => row['name1st'] === null).length).toBeGreaterThan(10);
  });

  test('of selects fields, unknown codes are ignored', async () => {
    const [, first] = await rows('userapi/api/?lim=1&of=sg-1-u-zz');
    expect(Object.keys(first ?? {})).toEqual(['userid', 'name1st', 'sum_global_point']);
  });

  test('names are escaped for HTML', async () => {
    const [, first] = await rows('userapi/api/?lim=1&of=n&word=Lantern');
    expect(first).toEqual({ name: 'Owl &amp; Lantern' });
  });
});

test.each([
  ['バショウ', 'は'],
  ['パセリ', 'は'],
  ['ヴィオラ', 'う'],
  ['ぎんなん', 'き'],
  ['ァコモジ', 'ぁ'],
  ['ンガ', 'ん'],
  ['ヂ', 'ち'],
  ['ーノバシ', ''],
  ['鼠', ''],
  ['owl', ''],
  ['', ''],
])('the first kana of the furigana %j is %j', (yomikata, expected) => {
  expect(firstKana(yomikata)).toBe(expected);
});
