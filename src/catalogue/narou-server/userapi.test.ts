import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { upstreamUnderTest } from '../../../test/catalogue/upstream-under-test.ts';
import type { CatalogueUser } from '../index/catalogue-novel.ts';
import { firstKana } from '../../sample/novels/users.ts';

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

interface Filter {
  readonly query: string;
  readonly keeps: (user: CatalogueUser) => boolean;
}

const text = fc.constantFrom('堂', 'ん', 'ネ', 'そら', 'タ', '&', '404', '　');
const small = fc.integer({ min: 0, max: 12 });
const filters: readonly fc.Arbitrary<Filter>[] = [
  text.map((word) => ({
    query: `word=${encodeURIComponent(word)}`,
    keeps: ({ name, yomikata }) => word === '　' || name.includes(word) || yomikata.includes(word),
  })),
  text.map((word) => ({
    query: `notword=${encodeURIComponent(word)}`,
    keeps: ({ name, yomikata }) => word === '　' || !(name.includes(word) || yomikata.includes(word)),
  })),
  fc.constantFrom(...users).map(({ userid }) => ({
    query: `userid=${userid}`,
    keeps: (user) => user.userid === userid,
  })),
  fc.constantFrom('あ', 'き', 'は', 'う', 'ん', 'を').map((name1st) => ({
    query: `name1st=${encodeURIComponent(name1st)}`,
    keeps: (user) => user.name1st === name1st,
  })),
  small.map((count) => ({ query: `minnovel=${count}`, keeps: (user) => user.novel_cnt >= count })),
  small.map((count) => ({ query: `maxnovel=${count}`, keeps: (user) => user.novel_cnt <= count })),
  small.map((count) => ({ query: `minreview=${count}`, keeps: (user) => user.review_cnt >= count })),
  small.map((count) => ({ query: `maxreview=${count}`, keeps: (user) => user.review_cnt <= count })),
];
const orders: Readonly<Record<string, (user: CatalogueUser) => number>> = {
  '': (user) => -user.userid,
  new: (user) => -user.userid,
  novelcnt: (user) => -user.novel_cnt,
  reviewcnt: (user) => -user.review_cnt,
  novellength: (user) => -user.novel_length,
  sumglobalpoint: (user) => -user.sum_global_point,
  old: (user) => user.userid,
};

test('any filters, order and window return the same users as a plain filter', async () => {
  const several = fc.tuple(...filters.map((filter) => fc.option(filter, { nil: null, freq: 1 })));
  const window = fc.record({ st: fc.integer({ min: 1, max: 40 }), lim: fc.integer({ min: 1, max: 500 }) });
  await fc.assert(
    fc.asyncProperty(
      several,
      fc.constantFrom(...Object.entries(orders)),
      window,
      async (drawn, [name, key], at) => {
        const chosen = drawn.filter((filter) => filter !== null);
        const query = chosen.map((filter) => `&${filter.query}`).join('');
        const [count, ...rowsFound] = await rows(
          `userapi/api/?of=u&order=${name}&st=${at.st}&lim=${at.lim}${query}`,
        );
        const expected = users
          .filter((user) => chosen.every((filter) => filter.keeps(user)))
          .toSorted((a, b) => key(a) - key(b) || a.userid - b.userid)
          .map((user) => ({ userid: user.userid }));
        expect(count).toEqual({ allcount: expected.length });
        expect(rowsFound).toEqual(expected.slice(at.st - 1, at.st - 1 + at.lim));
      },
    ),
    { numRuns: 120 },
  );
});
