import fc from 'fast-check';
import { japanInstant } from '../../src/catalogue/novels/japan-date.ts';
import { ncodeToNumber } from '../../src/catalogue/novels/ncode.ts';
import type { CatalogueNovel as AnyNovel } from '../../src/catalogue/index/catalogue-novel.ts';
import { japan, NOON } from './upstream-under-test.ts';

// A linear search of novels, written from the manuals alone: the reference for the query engine. The clock stands at
// NOON, a Saturday.

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

const small = fc.integer({ min: 0, max: 90 });
const subset = <Item>(items: readonly Item[]) =>
  fc.subarray([...items], { minLength: 1, maxLength: Math.min(4, items.length) });
const flagOf = (name: string, wanted: 0 | 1, field: keyof CatalogueNovel): Filter => ({
  query: `${name}=1`,
  keeps: (novel) => novel[field] === wanted,
});

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
const list = (
  name: string,
  values: readonly (string | number)[],
  field: keyof CatalogueNovel,
  wanted: boolean,
): fc.Arbitrary<Filter> =>
  subset(values).map((chosen) => ({
    query: `${name}=${chosen.join('-').toLowerCase()}`,
    keeps: (novel) => (chosen as readonly unknown[]).includes(novel[field]) === wanted,
  }));
const span = (name: string, field: 'length' | 'time' | 'kaiwaritu' | 'sasie_cnt', scale: number) =>
  fc.tuple(small, small, fc.constantFrom('a-b', 'a-', '-b', 'n')).map(([a, b, shape]): Filter => {
    const [low, high] = [Math.min(a, b) * scale, Math.max(a, b) * scale];
    const texts = { 'a-b': `${low}-${high}`, 'a-': `${low}-`, '-b': `-${high}`, n: String(low) };
    const tests = {
      'a-b': (value: number) => value >= low && value <= high,
      'a-': (value: number) => value >= low,
      '-b': (value: number) => value <= high,
      n: (value: number) => value === low,
    };
    return {
      query: `${name}=${texts[shape as 'n']}`,
      keeps: (novel) => tests[shape as 'n'](novel[field]),
    };
  });

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

const common: readonly fc.Arbitrary<Filter>[] = [
  word,
  notword,
  target,
  span('length', 'length', 1000),
  span('time', 'time', 10),
  span('kaiwaritu', 'kaiwaritu', 1),
  span('sasie', 'sasie_cnt', 1),
  list('buntai', [1, 2, 4, 6], 'buntai', true),
  fc.constantFrom(...FIXED_FILTERS),
  fc.constantFrom(
    ...(['bl', 'gl', 'zankoku', 'tensei', 'tenni'] as const).flatMap((name) => [
      flagOf(`is${name}`, 1, `is${name}`),
      flagOf(`not${name}`, 0, `is${name}`),
    ]),
  ),
];
/** Filters of an interface, drawn from the catalogue's values. */
export function filtersFor(
  source: 'novelapi' | 'novel18api',
  novels: readonly CatalogueNovel[],
): fc.Arbitrary<Filter> {
  const valuesOf = (field: 'genre' | 'userid' | 'ncode' | 'xid'): (string | number)[] => [
    ...new Set(novels.slice(40, 100).map((novel) => novel[field])),
  ];
  const ncodes = list('ncode', valuesOf('ncode'), 'ncode', true);
  if (source === 'novel18api') {
    return fc.oneof(
      ...common,
      ncodes,
      list('nocgenre', [1, 2, 3, 4], 'nocgenre', true),
      list('notnocgenre', [1, 2], 'nocgenre', false),
      list('xid', valuesOf('xid'), 'xid', true),
    );
  }
  return fc.oneof(
    ...common,
    ncodes,
    fc.constantFrom(flagOf('isr15', 1, 'isr15'), flagOf('notr15', 0, 'isr15')),
    list('userid', valuesOf('userid'), 'userid', true),
    list('genre', valuesOf('genre'), 'genre', true),
    list('notgenre', valuesOf('genre'), 'genre', false),
    list('biggenre', [0, 1, 2, 3, 4, 98, 99], 'biggenre', true),
    list('notbiggenre', [1, 2, 3], 'biggenre', false),
  );
}

export type Key = (novel: CatalogueNovel) => number;
/** Orders that only novelapi has. */
export const GENERAL_ORDERS: Readonly<Record<string, Key>> = {
  hyokaasc: (novel) => novel.global_point,
  impressioncnt: (novel) => -novel.impression_cnt,
  hyokacntasc: (novel) => novel.all_hyoka_cnt,
  generalfirstup: (novel) => -firstupOf(novel),
  ncodeasc: () => 0,
  ncodedesc: (novel) => -ncodeToNumber(novel.ncode),
};
/** The sort key of each order, ascending. */
export const ORDERS: Readonly<Record<string, Key>> = {
  '': (novel) => -lastupOf(novel),
  new: (novel) => -lastupOf(novel),
  old: (novel) => lastupOf(novel),
  favnovelcnt: (novel) => -novel.fav_novel_cnt,
  reviewcnt: (novel) => -novel.review_cnt,
  hyoka: (novel) => -novel.global_point,
  hyokacnt: (novel) => -novel.all_hyoka_cnt,
  dailypoint: (novel) => -novel.daily_point,
  weeklypoint: (novel) => -novel.weekly_point,
  monthlypoint: (novel) => -novel.monthly_point,
  quarterpoint: (novel) => -novel.quarter_point,
  yearlypoint: (novel) => -novel.yearly_point,
  weekly: (novel) => -novel.weekly_unique,
  lengthdesc: (novel) => -novel.length,
  lengthasc: (novel) => novel.length,
};

/** Two filters on one parameter would overwrite each other, so only different ones are combined. */
const namesOf = (filter: Filter): string[] => filter.query.split('&').map((pair) => pair.split('=')[0] ?? '');
export const different = (filters: readonly Filter[]): boolean => {
  const names = filters.flatMap(namesOf);
  const touchesTargets = filters.filter((filter) =>
    /(^|&)(word|notword|title|ex|keyword|wname)=/.test(filter.query),
  );
  return new Set(names).size === names.length && touchesTargets.length <= 1;
};
