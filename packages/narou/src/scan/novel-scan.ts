import { japanSeconds } from '../novels/japan-date.ts';
import { compareNcodes, findNcode, ncodeToNumber } from '../novels/ncode.ts';
import type { FacetCounts, FacetName, NovelQuery } from '../novels/novel-query.ts';
import type { FieldOfType } from '../novels/of-fields.ts';
import { NOVELAPI_ORDERS } from '../novels/orders.ts';
import type { NovelapiOrder, SortField, UserapiOrder } from '../novels/orders.ts';
import type { Suggestions } from '../novels/record-schemas.ts';
import type { NovelConditions } from '../novels/search-conditions.ts';
import type { UserQuery } from '../novels/search-query.ts';
import type { CatalogueNovel, CatalogueUser } from './catalogue-novel.ts';
import {
  foldText,
  hasEveryWord,
  hasNoWord,
  isWithin,
  novelJudge,
  splitWords,
  workType,
} from './novel-conditions.ts';

/** The result of a search: the number of all matches, and the requested records in order. */
export interface FoundPage<Row> {
  readonly total: number;
  readonly records: readonly Row[];
  /** Of the Ncodes that a search names: those whose records lack a field that decides its other conditions. */
  readonly unknown?: readonly string[];
}

/** Searches one population of novels, general or adult. */
export interface NovelScan {
  search(query: NovelQuery): FoundPage<CatalogueNovel>;
  facets(conditions: NovelConditions, names: readonly FacetName[]): FacetCounts;
  /** At most `lim` of each kind; none for a text without words. The novel of a typed Ncode is the first. */
  suggest(text: string, lim: number): Suggestions;
}

type NumberField = SortField | FieldOfType<'integer' | 'flag' | 'datetime'> | 'fetched_at';

/** The value of a field as a number: of an Ncode its number, of a date Unix seconds; undefined if unknown. */
export function numberOf(novel: CatalogueNovel, field: NumberField): number | undefined {
  if (field === 'ncode') return ncodeToNumber(novel.ncode);
  const value = novel[field];
  return typeof value === 'string' ? japanSeconds(value) : value;
}

/** Sorts after every value; finite, so that two unknown values tie. */
const MAX_KEY = Number.MAX_VALUE;

/**
 * The novels in an order, as a new array. Unknown values are last in every order. Ties are sorted by Ncode, so that
 * pages never overlap.
 */
function sortNovels(novels: readonly CatalogueNovel[], order: NovelapiOrder): CatalogueNovel[] {
  const { field, first } = NOVELAPI_ORDERS[order];
  const sign = first === 'high' ? -1 : 1;
  const keyOf = (value: number | undefined): number => (value === undefined ? MAX_KEY : sign * value);
  return novels
    .map((novel) => ({ novel, key: keyOf(numberOf(novel, field)) }))
    .sort((a, b) => a.key - b.key || compareNcodes(a.novel.ncode, b.novel.ncode))
    .map(({ novel }) => novel);
}

/** A serial with an unknown state is counted neither as ongoing nor as complete. */
const filterType = (novel: Partial<CatalogueNovel>): string | undefined => {
  const type = workType(novel);
  return type === 're' ? undefined : type;
};

function countBy(novels: readonly Partial<CatalogueNovel>[], facet: FacetName): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const novel of novels) {
    const value = facet === 'type' ? filterType(novel) : novel[facet];
    if (value !== undefined) counts[value] = (counts[value] ?? 0) + 1;
  }
  return counts;
}

/** The distinct texts that contain all words when folded, each with its first novel. */
function distinct(novels: readonly CatalogueNovel[], name: 'title' | 'writer', words: readonly string[]) {
  const firstByText = new Map<string, CatalogueNovel>();
  for (const novel of novels) {
    const text = novel[name];
    if (text !== undefined && hasEveryWord([foldText(text)], words) && !firstByText.has(text))
      firstByText.set(text, novel);
  }
  return [...firstByText];
}

/** A pen name, with the author's id if known. */
export const suggestedWriter = (writer: string, userid: number | undefined) =>
  userid === undefined ? { writer } : { writer, userid };

function keywordTotals(novels: readonly CatalogueNovel[]) {
  const totals = new Map<string, { novels: number; points: number }>();
  for (const novel of novels) {
    for (const keyword of new Set(splitWords(novel.keyword ?? ''))) {
      const { novels: count, points } = totals.get(keyword) ?? { novels: 0, points: 0 };
      totals.set(keyword, { novels: count + 1, points: points + (novel.weekly_point ?? 0) });
    }
  }
  return [...totals].sort(([a, one], [b, other]) => other.points - one.points || (a < b ? -1 : 1));
}

/**
 * Scans every record for every question. Serves a few thousand records, and is the reference for tests of the engine.
 * `now` returns milliseconds UTC.
 */
export function createNovelScan(novels: readonly CatalogueNovel[], now: () => number): NovelScan {
  const sorted = new Map<NovelapiOrder, readonly CatalogueNovel[]>();
  const inOrder = (order: NovelapiOrder): readonly CatalogueNovel[] => {
    const sortedNovels = sorted.get(order) ?? sortNovels(novels, order);
    sorted.set(order, sortedNovels);
    return sortedNovels;
  };
  return {
    search: (query) => {
      const judge = novelJudge(query, now());
      const matches = inOrder(query.order).filter(judge);
      const undecided = query.ncode === undefined ? [] : novels.filter((novel) => judge(novel) === undefined);
      return {
        total: matches.length,
        records: matches.slice(query.st - 1, query.st - 1 + query.lim),
        unknown: undecided.map(({ ncode }) => ncode),
      };
    },
    facets: (conditions, names) => {
      const matches = novels.filter(novelJudge(conditions, now()));
      return Object.fromEntries(names.map((name) => [name, countBy(matches, name)]));
    },
    suggest: (text, lim) => {
      const words = splitWords(foldText(text));
      if (words.length === 0) return { titles: [], writers: [], keywords: [] };
      const best = inOrder('weeklypoint');
      const ncode = findNcode(text);
      const named = best.filter((novel) => novel.ncode === ncode);
      const titles = named.map((novel) => [novel.title ?? '', novel] as const);
      titles.push(...distinct(best, 'title', words).filter(([title]) => title !== named[0]?.title));
      const writers = distinct(best, 'writer', words).slice(0, lim);
      const keywords = keywordTotals(best).filter(([keyword]) => hasEveryWord([foldText(keyword)], words));
      return {
        titles: titles.slice(0, lim).map(([title, { ncode: found }]) => ({ title, ncode: found })),
        writers: writers.map(([writer, { userid }]) => suggestedWriter(writer, userid)),
        keywords: keywords.slice(0, lim).map(([keyword, { novels: count }]) => ({ keyword, novels: count })),
      };
    },
  };
}

const MEASURES: Readonly<Record<UserapiOrder, (user: CatalogueUser) => number>> = {
  new: (user) => user.userid,
  novelcnt: (user) => user.novel_cnt,
  reviewcnt: (user) => user.review_cnt,
  novellength: (user) => user.novel_length,
  sumglobalpoint: (user) => user.sum_global_point,
  old: (user) => -user.userid,
};

/** The sorted users, highest first (`old`: lowest id first); ties are sorted by user id. */
function sortUsers(users: readonly CatalogueUser[], order: UserapiOrder): CatalogueUser[] {
  const measure = MEASURES[order];
  return [...users].sort((a, b) => measure(b) - measure(a) || a.userid - b.userid);
}

function userTest(query: UserQuery): (user: CatalogueUser) => boolean {
  const wantedWords = splitWords(query.word ?? '');
  const unwanted = splitWords(query.notword ?? '');
  return (user) => {
    const texts = [user.name, user.yomikata];
    return (
      (query.userid === undefined || user.userid === query.userid) &&
      (query.name1st === undefined || user.name1st === query.name1st) &&
      isWithin(user.novel_cnt, { min: query.minnovel, max: query.maxnovel }) &&
      isWithin(user.review_cnt, { min: query.minreview, max: query.maxreview }) &&
      hasEveryWord(texts, wantedWords) &&
      hasNoWord(texts, unwanted)
    );
  };
}

export function scanUsers(users: readonly CatalogueUser[], query: UserQuery): FoundPage<CatalogueUser> {
  const matches = sortUsers(users, query.order ?? 'new').filter(userTest(query));
  return { total: matches.length, records: matches.slice(query.st - 1, query.st - 1 + query.lim) };
}
