import { parseNcode } from '../novels/ncode.ts';
import type { CatalogueNovel } from '../../sample/novels/catalogue-novel.ts';
import type { NovelKind, NovelQuery, NovelTest, Range, TextTarget } from './novel-query.ts';
import { hasAnyWord, hasEveryWord, splitWords } from './text-search.ts';

const TEXT_OF: Readonly<Record<TextTarget, (novel: CatalogueNovel) => string>> = {
  title: (novel) => novel.title,
  ex: (novel) => novel.story,
  keyword: (novel) => novel.keyword,
  wname: (novel) => novel.writer,
};
const ALL_TARGETS = Object.keys(TEXT_OF) as TextTarget[];

const KIND_TESTS: Readonly<Record<NovelKind, NovelTest>> = {
  t: (novel) => novel.novel_type === 2,
  r: (novel) => novel.novel_type === 1 && novel.end === 1,
  er: (novel) => novel.novel_type === 1 && novel.end === 0,
  re: (novel) => novel.novel_type === 1,
  ter: (novel) => novel.end === 0,
};

const PICKUP_DAYS = 60;
const PICKUP_LENGTH = 100_000;
const DAY_MS = 86_400_000;

/**
 * Whether a novel is one for `ispickup`: an episode within 60 days, and short, complete or of at least 100,000
 * characters (manual of novel18api; that of novelapi leaves the rule open).
 */
export function isPickup(novel: CatalogueNovel, now: number): boolean {
  const recent = now - novel.lastupAt <= PICKUP_DAYS * DAY_MS;
  return recent && (novel.end === 0 || novel.length >= PICKUP_LENGTH);
}

const textTests = (query: NovelQuery): NovelTest[] => {
  const targets = query.targets === undefined || query.targets.length === 0 ? ALL_TARGETS : query.targets;
  const textsOf = (novel: CatalogueNovel): string[] => targets.map((target) => TEXT_OF[target](novel));
  const wanted = splitWords(query.word ?? '');
  const unwanted = splitWords(query.notword ?? '');
  const tests: NovelTest[] = [];
  // A single word that looks like an Ncode is looked up as one, whatever the targets.
  const ncode = wanted.length === 1 ? parseNcode(wanted[0] ?? '') : null;
  if (ncode !== null) tests.push((novel) => novel.ncode === ncode);
  else if (wanted.length > 0) tests.push((novel) => hasEveryWord(textsOf(novel), wanted));
  if (unwanted.length > 0) tests.push((novel) => !hasAnyWord(textsOf(novel), unwanted));
  return tests;
};

type Value = (novel: CatalogueNovel) => number | string;

const listTests = (query: NovelQuery): NovelTest[] => {
  const tests: NovelTest[] = [];
  const among = (list: readonly (number | string)[] | undefined, value: Value, wanted: boolean): void => {
    if (list === undefined) return;
    const set = new Set(list);
    tests.push((novel) => set.has(value(novel)) === wanted);
  };
  among(query.ncodes, (novel) => novel.ncode, true);
  among(query.userids, (novel) => novel.userid, true);
  among(query.xids, (novel) => novel.xid, true);
  among(query.genres, (novel) => novel.genre, true);
  among(query.notGenres, (novel) => novel.genre, false);
  among(query.biggenres, (novel) => novel.biggenre, true);
  among(query.notBiggenres, (novel) => novel.biggenre, false);
  among(query.nocgenres, (novel) => novel.nocgenre, true);
  among(query.notNocgenres, (novel) => novel.nocgenre, false);
  among(query.buntai, (novel) => novel.buntai, true);
  return tests;
};

const rangeTests = (query: NovelQuery): NovelTest[] => {
  const tests: NovelTest[] = [];
  const within = (range: Range | undefined, value: (novel: CatalogueNovel) => number): void => {
    if (range === undefined) return;
    const { min = -Infinity, max = Infinity } = range;
    tests.push((novel) => value(novel) >= min && value(novel) <= max);
  };
  within(query.length, (novel) => novel.length);
  within(query.time, (novel) => novel.time);
  within(query.kaiwaritu, (novel) => novel.kaiwaritu);
  within(query.sasie, (novel) => novel.sasie_cnt);
  within(query.lastup, (novel) => novel.lastupAt);
  within(query.lastupdate, (novel) => novel.novelupdatedAt);
  within(query.firstup, (novel) => novel.firstupAt);
  return tests;
};

/** The tests that a novel must pass to be found; `now` (milliseconds UTC) is for `pickup`. Cheap ones first. */
export function novelTests(query: NovelQuery, now: number): NovelTest[] {
  const tests = [...listTests(query), ...rangeTests(query)];
  for (const flag of query.withFlags ?? []) tests.push((novel) => novel[flag] === 1);
  for (const flag of query.withoutFlags ?? []) tests.push((novel) => novel[flag] === 0);
  if (query.otherWorld === true) tests.push((novel) => novel.istensei === 1 || novel.istenni === 1);
  if (query.kind !== undefined) tests.push(KIND_TESTS[query.kind]);
  if (query.stop !== undefined) tests.push((novel) => (novel.isstop === 1) === (query.stop === '2'));
  if (query.pickup === true) tests.push((novel) => isPickup(novel, now));
  return [...tests, ...textTests(query)];
}
