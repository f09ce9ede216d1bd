import fc from 'fast-check';
import { japanInstant } from '../../src/catalogue/novels/japan-date.ts';
import { ncodeToNumber } from '../../src/catalogue/novels/ncode.ts';
import { NOVEL18API_ORDERS, NOVELAPI_ORDERS } from '../../src/catalogue/novels/orders.ts';
import type { NovelapiOrder } from '../../src/catalogue/novels/orders.ts';
import { ADULT_NOVEL_ROWS, FIELD_ROWS, NOVEL_ROWS } from '../../src/catalogue/novels/search-conditions.ts';
import type { CatalogueNovel as AnyNovel } from '../../src/catalogue/index/catalogue-novel.ts';
import { japan, NOON } from './upstream-under-test.ts';

// A linear search of novels, written from the manuals and the tables of conditions and orders: the
// reference for the query engine.
// The clock stands at NOON, a Saturday.

/** A record with every compared field. */
export type CatalogueNovel = Required<AnyNovel>;

/** A filter as a query string, and its predicate. */
export interface Filter {
  readonly query: string;
  readonly keeps: (novel: CatalogueNovel) => boolean;
}

const has = (text: string) => (novel: CatalogueNovel) =>
  [novel.title, novel.story, novel.keyword, novel.writer].some((field) => field.includes(text));
const day = 86_400_000;
const lastupOf = (novel: CatalogueNovel) => japanInstant(novel.general_lastup);
const firstupOf = (novel: CatalogueNovel) => japanInstant(novel.general_firstup);
const WORDS = ['竜', '図書', 'スキル', '猫', '旅', '&', '<', "'", '404', 'R15', '𠮷', '灯台守', 'ーム'];

const subset = <Item>(items: readonly Item[]) =>
  fc.subarray([...items], { minLength: 1, maxLength: Math.min(4, items.length) });
const word: fc.Arbitrary<Filter> = fc
  .tuple(subset(WORDS), fc.constantFrom(' ', '　', '  　 '))
  .map(([words, blank]) => ({
    query: `word=${encodeURIComponent(words.join(blank))}`,
    keeps: (novel) => words.every((each) => has(each)(novel)),
  }));
const notword: fc.Arbitrary<Filter> = subset(['魔法', '恋', 'の', '竜']).map((words) => ({
  query: `notword=${encodeURIComponent(words.join('　'))}`,
  keeps: (novel) => !words.some((each) => has(each)(novel)),
}));
const target: fc.Arbitrary<Filter> = fc
  .tuple(fc.constantFrom('の', '猫', '灯'), subset(['title', 'ex', 'keyword', 'wname'] as const))
  .map(([text, targets]) => ({
    query: `word=${encodeURIComponent(text)}&${targets.map((each) => `${each}=1`).join('&')}`,
    keeps: (novel) => {
      const fields = { title: novel.title, ex: novel.story, keyword: novel.keyword, wname: novel.writer };
      return targets.some((each) => fields[each].includes(text));
    },
  }));
type Row = (typeof FIELD_ROWS)[number];
const unixTime = (date: string) => String(japanInstant(date) / 1000);

/** Filters of a row over one field, drawn from the values of the catalogue. */
function filtersOf(row: Row, novels: readonly CatalogueNovel[]): fc.Arbitrary<Filter> {
  const { name, field, operator } = row;
  const keeping = (text: string, keeps: (value: string | number) => boolean): Filter => ({
    query: `${name}=${text}`,
    keeps: ({ [field]: value }) => keeps(value),
  });
  if (operator === 'equal') return fc.constant(keeping('1', (value) => value === row.value));
  const values = [...new Set(novels.slice(40, 100).map(({ [field]: value }) => value))];
  if (operator === 'oneOf' || operator === 'noneOf') {
    return subset(values).map((chosen) =>
      keeping(chosen.join('-').toLowerCase(), (value) => chosen.includes(value) === (operator === 'oneOf')),
    );
  }
  const isTime = operator === 'betweenTimes';
  const write = (value: string | number) => (isTime ? unixTime(String(value)) : String(value));
  const drawn = fc.constantFrom(...values);
  return fc
    .tuple(drawn, drawn, fc.constantFrom('a-b', ...(isTime ? [] : ['a-', '-b', 'n'])))
    .map(([a, b, shape]) => {
      const [low, high] = a < b ? [a, b] : [b, a];
      if (shape === 'a-') return keeping(`${write(low)}-`, (value) => value >= low);
      if (shape === '-b') return keeping(`-${write(high)}`, (value) => value <= high);
      if (shape === 'n') return keeping(write(low), (value) => value === low);
      return keeping(`${write(low)}-${write(high)}`, (value) => value >= low && value <= high);
    });
}

/** Filters other than lists, ranges and words. */
export const FIXED_FILTERS: readonly Filter[] = [
  { query: 'type=t', keeps: (novel) => novel.novel_type === 2 },
  { query: 'type=r', keeps: (novel) => novel.novel_type === 1 && novel.end === 1 },
  { query: 'type=er', keeps: (novel) => novel.novel_type === 1 && novel.end === 0 },
  { query: 'type=re', keeps: (novel) => novel.novel_type === 1 },
  { query: 'type=ter', keeps: (novel) => novel.novel_type === 2 || novel.end === 0 },
  { query: 'stop=1', keeps: (novel) => novel.isstop === 0 },
  { query: 'stop=2', keeps: (novel) => novel.isstop === 1 },
  { query: 'istt=1', keeps: (novel) => novel.istensei + novel.istenni > 0 },
  { query: 'isbl=0', keeps: () => true },
  { query: 'minlen=20000&maxlen=90000', keeps: (novel) => novel.length >= 20_000 && novel.length <= 90_000 },
  { query: 'mintime=30', keeps: (novel) => novel.time >= 30 },
  // The Saturday's week began on Sunday, the 15th.
  { query: 'lastup=thisweek', keeps: (novel) => lastupOf(novel) >= japan('2026-11-15T00:00:00') },
  {
    query: 'lastup=lastweek',
    keeps: (novel) =>
      lastupOf(novel) >= japan('2026-11-08T00:00:00') && lastupOf(novel) < japan('2026-11-15T00:00:00'),
  },
  {
    query: 'lastupdate=thismonth',
    keeps: (novel) => japanInstant(novel.novelupdated_at) >= japan('2026-11-01T00:00:00'),
  },
  {
    query: 'lastup=lastmonth',
    keeps: (novel) =>
      lastupOf(novel) >= japan('2026-10-01T00:00:00') && lastupOf(novel) < japan('2026-11-01T00:00:00'),
  },
  { query: 'lastup=sevenday', keeps: (novel) => lastupOf(novel) >= japan('2026-11-14T00:00:00') },
  {
    query: `lastup=${(NOON - 90 * day) / 1000}-${(NOON - 30 * day) / 1000}`,
    keeps: (novel) => lastupOf(novel) >= NOON - 90 * day && lastupOf(novel) <= NOON - 30 * day,
  },
  {
    query: `firstup=${(NOON - 900 * day) / 1000}-${NOON / 1000}`,
    keeps: (novel) => firstupOf(novel) >= NOON - 900 * day,
  },
  {
    query: 'ispickup=1',
    keeps: (novel) =>
      lastupOf(novel) >= japan('2026-09-22T12:00:00') && (novel.end === 0 || novel.length >= 100_000),
  },
];

/** Filters of an interface, drawn from the catalogue's values. */
export function filtersFor(
  source: 'novelapi' | 'novel18api',
  novels: readonly CatalogueNovel[],
): fc.Arbitrary<Filter> {
  const rows = FIELD_ROWS.filter(
    ({ name }) => name in (source === 'novelapi' ? NOVEL_ROWS : ADULT_NOVEL_ROWS),
  );
  const filters = rows.map((row) => filtersOf(row, novels));
  return fc.oneof(word, notword, target, fc.constantFrom(...FIXED_FILTERS), ...filters);
}

type Key = (novel: CatalogueNovel) => number;
/** The sort key of each order of an interface, ascending; '' is no order. */
export function ordersOf(source: 'novelapi' | 'novel18api'): [string, Key][] {
  const names = Object.keys(source === 'novelapi' ? NOVELAPI_ORDERS : NOVEL18API_ORDERS) as NovelapiOrder[];
  return ['' as const, ...names].map((name) => {
    const { field, first } = NOVELAPI_ORDERS[name === '' ? 'new' : name];
    const sign = first === 'high' ? -1 : 1;
    return [
      name,
      ({ ncode, [field]: value }) => {
        if (field === 'ncode') return sign * ncodeToNumber(ncode);
        return sign * (typeof value === 'string' ? japanInstant(value) : value);
      },
    ];
  });
}

/** Two filters on one parameter would overwrite each other, so only different ones are combined. */
const namesOf = (filter: Filter): string[] => filter.query.split('&').map((pair) => pair.split('=')[0] ?? '');
export const different = (filters: readonly Filter[]): boolean => {
  const names = filters.flatMap(namesOf);
  const touchesTargets = filters.filter((filter) =>
    /(^|&)(word|notword|title|ex|keyword|wname)=/.test(filter.query),
  );
  return new Set(names).size === names.length && touchesTargets.length <= 1;
};
