import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type CatalogueNovel,
  different,
  filtersFor,
  FIXED_FILTERS,
  ordersOf,
} from '../../../test/catalogue/reference-filters.ts';
import { ncodeToNumber } from '../novels/ncode.ts';
import { upstreamUnderTest } from '../../../test/catalogue/upstream-under-test.ts';

const { catalogue, rows } = upstreamUnderTest();
const POPULATIONS = {
  novelapi: catalogue.novels() as CatalogueNovel[],
  novel18api: catalogue.adultNovels() as CatalogueNovel[],
};

describe.each(['novelapi', 'novel18api'] as const)('%s against a plain filter', (source) => {
  const several = fc.array(filtersFor(source, POPULATIONS[source]), { maxLength: 3 }).filter(different);
  const window = fc.record({ st: fc.integer({ min: 1, max: 60 }), lim: fc.integer({ min: 1, max: 500 }) });
  const order = fc.constantFrom(...ordersOf(source));

  test.each(FIXED_FILTERS)('$query returns the expected novels', async ({ query, keeps }) => {
    const [count] = await rows(`${source}/api/?lim=1&of=n&${query}`);
    expect(count).toEqual({ allcount: POPULATIONS[source].filter(keeps).length });
  });

  test('any filters, order and window give the same count and the same novels in the same order', async () => {
    await fc.assert(
      fc.asyncProperty(several, order, window, async (chosen, [name, key], { st, lim }) => {
        const query = [...chosen.map((filter) => filter.query), `order=${name}&st=${st}&lim=${lim}&of=n`];
        const [count, ...rowsFound] = await rows(`${source}/api/?${query.join('&')}`);
        const expected = POPULATIONS[source]
          .filter((novel) => chosen.every((filter) => filter.keeps(novel)))
          .toSorted((a, b) => key(a) - key(b) || ncodeToNumber(a.ncode) - ncodeToNumber(b.ncode))
          .map((novel) => novel.ncode);
        expect(count).toEqual({ allcount: expected.length });
        expect(rowsFound.map((row) => row['ncode'])).toEqual(expected.slice(st - 1, st - 1 + lim));
      }),
      { numRuns: 150 },
    );
  });
});

test('a word that is an Ncode finds that novel, whatever the targets; with other words it is a word', async () => {
  const ncode = catalogue.novels()[123]?.ncode ?? '';
  const rowsFound = [{ allcount: 1 }, { ncode }];
  expect(await rows(`novelapi/api/?of=n&keyword=1&word=${ncode.toLowerCase()}`)).toEqual(rowsFound);
  expect(await rows(`novelapi/api/?of=n&word=${encodeURIComponent(`　${ncode} `)}`)).toEqual(rowsFound);
  expect(await rows(`novelapi/api/?of=n&word=${ncode}+竜`)).toEqual([{ allcount: 0 }]);
});

test('a blank word does not filter; the last of several values of one parameter counts', async () => {
  const all = catalogue.novels().length;
  expect((await rows('novelapi/api/?of=n&lim=1&word=%E3%80%80'))[0]).toEqual({ allcount: all });
  expect((await rows('novelapi/api/?of=n&lim=1&type=t&type='))[0]).toEqual({ allcount: all });
});

test('a range and the bounds beside it must all be met', async () => {
  const total = async (query: string) => (await rows(`novelapi/api/?of=n&lim=1&${query}`))[0];
  const narrow = await total('length=20000-90000');
  expect(await total('length=20000-90000&minlen=1&maxlen=9999999')).toEqual(narrow);
  expect(await total('length=1-9999999&minlen=20000&maxlen=90000')).toEqual(narrow);
});
