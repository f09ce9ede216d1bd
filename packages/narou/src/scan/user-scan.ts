import type { UserQuery } from '../novels/search-query.ts';
import type { UserapiOrder } from '../novels/orders.ts';
import type { CatalogueUser } from './catalogue-novel.ts';
import type { UserIndex } from './catalogue.ts';
import { hasEveryWord, hasNoWord, isWithin, splitWords } from './novel-conditions.ts';

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

/** Searches users by a scan of all. */
export function createUserScan(users: readonly CatalogueUser[]): UserIndex {
  return {
    search: (query) => {
      const matches = sortUsers(users, query.order ?? 'new').filter(userTest(query));
      return { total: matches.length, records: matches.slice(query.st - 1, query.st - 1 + query.lim) };
    },
  };
}
