import fc from 'fast-check';
import { TIME_WORDS } from '../../../narou/src/novels/search-conditions.ts';
import { SERVED_CODES, dateOfDay, japanDay } from '@mokuroku/narou';
import type { NovelInterface } from '@mokuroku/narou';
import { ADULT_NOVEL_ROWS, NOVEL_ROWS } from '@mokuroku/narou/queries';
import type { ConditionRow } from '@mokuroku/narou/queries';
import type { CatalogueNovel } from '@mokuroku/narou/scan';
import { OF_CODES } from './search-by-hand.ts';
import type { SearchParameters } from './search-by-hand.ts';
import { TEST_NOW } from './start-test-catalogue.ts';
import type { TestCatalogue } from './start-test-catalogue.ts';

// Searches with any of the conditions of a table, with values that occur in the novels.

const some = <Value>(values: readonly Value[]) => fc.constantFrom(...values);
const lists = (values: readonly (string | number)[], maxLength: number) =>
  fc.array(some(values), { minLength: 1, maxLength }).map((items) => items.join(','));

/** One or two words or beginnings of texts, or an Ncode. */
function words(novels: readonly CatalogueNovel[]): fc.Arbitrary<string> {
  const word = some(novels)
    .chain(({ title = '', writer = '', keyword = '', story = '', ncode }) =>
      some([title.slice(0, 2), writer, keyword.split(' ')[0] ?? '', story.slice(3, 5), ncode]),
    )
    .filter((text) => text.trim() !== '' && !/\p{Cs}/u.test(text));
  return fc
    .array(word, { minLength: 1, maxLength: 2 })
    .chain((items) => some([items.join(' '), items.join('　')]));
}

const keywords = (novels: readonly CatalogueNovel[]): fc.Arbitrary<string> =>
  fc
    .array(some(novels.flatMap(({ keyword = '' }) => keyword.split(' ').filter(Boolean))), {
      minLength: 2,
      maxLength: 3,
    })
    .map((items) => items.join(' '));

const day = fc.integer({ min: 0, max: 900 }).map((back) => dateOfDay(japanDay(TEST_NOW) - back));
const days = fc.tuple(day, day).map((two) => two.sort().join(','));
const seconds = fc
  .integer({ min: 0, max: 400 })
  .map((back) => `${TEST_NOW / 1000 - back * 86_400}-${TEST_NOW / 1000}`);

/** The values of a condition. */
function valuesOf(name: string, row: ConditionRow, novels: readonly CatalogueNovel[]): fc.Arbitrary<string> {
  const field = (row.operator === undefined ? row.reads?.[0] : row.field) as keyof CatalogueNovel;
  const known = () => [...new Set(novels.flatMap((novel) => novel[field] ?? []))];
  switch (row.kind) {
    case 'words':
      return row.operator === undefined ? words(novels) : keywords(novels);
    case 'flag':
      return some(['0', '1']);
    case 'choice':
      return some(row.values);
    case 'codes':
      return lists(row.codes, 4);
    case 'userids':
    case 'xids':
      return lists(known(), 3);
    case 'ncodes':
      return lists(known(), 60);
    case 'number': {
      // A lower bound is in the first half of the values, so that it never exceeds the upper one.
      const sorted = known().sort((a, b) => Number(a) - Number(b));
      const half = sorted.length >> 1;
      return some(name.startsWith('min') ? sorted.slice(0, half) : sorted.slice(half)).map(String);
    }
    case 'range': {
      const ends = fc
        .tuple(some(known()), some(known()))
        .map((two) => two.sort((a, b) => Number(a) - Number(b)));
      return ends.chain(([from, to]) => some([`${from}`, `${from}-`, `-${to}`, `${from}-${to}`]));
    }
    case 'times':
      return fc.oneof(some(TIME_WORDS), days, seconds);
    case 'plainTimes':
      return days;
  }
}

/** The upstream takes one way of saying length or time, not several together. */
const LENGTHS = [['minlen', 'maxlen'], ['mintime', 'maxtime'], ['length'], ['time']];

/**
 * A search by each of the conditions that the source declares, by an order, and for other rows and fields, each with up
 * to three more of these: with all at once nothing would match.
 */
export function randomSearches(
  { catalogue, source }: TestCatalogue,
  site: NovelInterface,
  orders: readonly string[],
): fc.Arbitrary<SearchParameters[]> {
  const isAdult = site === 'novel18api';
  const novels = isAdult ? catalogue.adultNovels() : catalogue.novels();
  const applies: ReadonlySet<string> = source.novels[site].applies;
  const conditions = Object.entries<ConditionRow>(isAdult ? ADULT_NOVEL_ROWS : NOVEL_ROWS)
    .filter(([name]) => name !== 'opt' && applies.has(name))
    .map(([name, row]) => [name, valuesOf(name, row, novels)] as const);
  const parameters: Readonly<Record<string, fc.Arbitrary<string>>> = {
    ...Object.fromEntries(conditions),
    order: some(orders),
    lim: fc.integer({ min: 1, max: 120 }).map(String),
    st: fc.integer({ min: 1, max: novels.length + 100 }).map(String),
    of: fc
      .uniqueArray(some(isAdult ? OF_CODES : SERVED_CODES[site]), { minLength: 1, maxLength: 8 })
      .map((codes) => codes.join('-')),
  };
  const isAllowed = (lengths: readonly string[]) => (name: string) =>
    lengths.includes(name) || !LENGTHS.flat().includes(name);
  const names = Object.keys(parameters);
  const searchBy = (name: string) =>
    some(LENGTHS.filter((lengths) => isAllowed(lengths)(name)))
      .chain((lengths) => fc.subarray(names.filter(isAllowed(lengths)), { maxLength: 3 }))
      .chain((more) =>
        fc.record(Object.fromEntries([name, ...more].map((each) => [each, parameters[each]!]))),
      );
  return fc.tuple(...names.map(searchBy));
}
