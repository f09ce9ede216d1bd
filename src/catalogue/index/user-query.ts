import type { USERAPI_ORDERS } from '../novels/orders.ts';
import type { CatalogueUser } from '../../sample/novels/catalogue-novel.ts';
import type { Range } from './novel-query.ts';
import { hasAnyWord, hasEveryWord, splitWords } from './text-search.ts';

export type UserOrder = keyof typeof USERAPI_ORDERS;

/** A search of users. All filters given must hold. Meaning as in the manual of userapi (August 2025). */
export interface UserQuery {
  /** Words between half- or full-width blanks, each of which must occur in the name or its furigana. */
  readonly word?: string | undefined;
  readonly notword?: string | undefined;
  readonly userid?: number | undefined;
  /** One plain hiragana. */
  readonly name1st?: string | undefined;
  readonly novels?: Range | undefined;
  readonly reviews?: Range | undefined;
  /** Default `new`. */
  readonly order?: UserOrder | undefined;
  /** The first row, counted from 1; default 1. */
  readonly start?: number | undefined;
  /** Rows at most; default 20. */
  readonly limit?: number | undefined;
}

type UserTest = (user: CatalogueUser) => boolean;

/** The tests that a user must pass to be found. */
export function userTests(query: UserQuery): UserTest[] {
  const tests: UserTest[] = [];
  const within = (range: Range | undefined, value: (user: CatalogueUser) => number): void => {
    if (range === undefined) return;
    const { min = -Infinity, max = Infinity } = range;
    tests.push((user) => value(user) >= min && value(user) <= max);
  };
  const textsOf = (user: CatalogueUser): string[] => [user.name, user.yomikata];
  const wanted = splitWords(query.word ?? '');
  const unwanted = splitWords(query.notword ?? '');
  if (query.userid !== undefined) tests.push((user) => user.userid === query.userid);
  if (query.name1st !== undefined) tests.push((user) => user.name1st === query.name1st);
  within(query.novels, (user) => user.novel_cnt);
  within(query.reviews, (user) => user.review_cnt);
  if (wanted.length > 0) tests.push((user) => hasEveryWord(textsOf(user), wanted));
  if (unwanted.length > 0) tests.push((user) => !hasAnyWord(textsOf(user), unwanted));
  return tests;
}

const MEASURES: Readonly<Record<UserOrder, (user: CatalogueUser) => number>> = {
  new: (user) => user.userid,
  novelcnt: (user) => user.novel_cnt,
  reviewcnt: (user) => user.review_cnt,
  novellength: (user) => user.novel_length,
  sumglobalpoint: (user) => user.sum_global_point,
  old: (user) => -user.userid,
};

/** The users in an order, highest first (`old`: lowest id first), as a new array; ties by the lower user id. */
export function sortUsers(users: readonly CatalogueUser[], order: UserOrder): CatalogueUser[] {
  const measure = MEASURES[order];
  return [...users].sort((a, b) => measure(b) - measure(a) || a.userid - b.userid);
}
