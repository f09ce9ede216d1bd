import type { CachePolicy } from '../../cache/stored-answer.ts';
import { DAY, HOUR, MINUTE, fresh } from './cache-policies.ts';
import type { Endpoint } from './endpoint.ts';
import { getAdultNovel } from './get-adult-novel.ts';
import { getHydratedRanking } from './get-hydrated-ranking.ts';
import { getNovel } from './get-novel.ts';
import { getRankingHistory } from './get-ranking-history.ts';
import { getRanking } from './get-ranking.ts';
import { getUser } from './get-user.ts';
import { listGenres } from './list-genres.ts';
import { listNocgenres } from './list-nocgenres.ts';
import { searchAdultNovels } from './search-adult-novels.ts';
import { searchNovels } from './search-novels.ts';
import { searchUsers } from './search-users.ts';

export interface CatalogueRoute {
  /** Also the operationId. */
  name: string;
  url: string;
  endpoint: Endpoint;
  cache: CachePolicy;
  /** For answers that will not change any more: a ranking whose day is over. */
  settled?: CachePolicy;
}

// prettier-ignore
export const ROUTES: readonly CatalogueRoute[] = [
  { name: 'searchNovels',       url: '/v1/novels',                        endpoint: searchNovels,       cache: fresh(5 * MINUTE) },
  { name: 'getNovel',           url: '/v1/novels/:ncode',                 endpoint: getNovel,           cache: fresh(5 * MINUTE) },
  { name: 'getRankingHistory',  url: '/v1/novels/:ncode/ranking-history', endpoint: getRankingHistory,  cache: fresh(1 * HOUR) },
  { name: 'getRanking',         url: '/v1/rankings/:type',                endpoint: getRanking,         cache: fresh(5 * MINUTE), settled: fresh(14 * DAY) },
  { name: 'getHydratedRanking', url: '/v1/rankings/:type/hydrated',       endpoint: getHydratedRanking, cache: fresh(5 * MINUTE), settled: fresh(1 * HOUR) },
  { name: 'searchUsers',        url: '/v1/users',                         endpoint: searchUsers,        cache: fresh(1 * HOUR) },
  { name: 'getUser',            url: '/v1/users/:userid',                 endpoint: getUser,            cache: fresh(1 * HOUR) },
  { name: 'searchAdultNovels',  url: '/v1/r18/novels',                    endpoint: searchAdultNovels,  cache: fresh(5 * MINUTE) },
  { name: 'getAdultNovel',      url: '/v1/r18/novels/:ncode',             endpoint: getAdultNovel,      cache: fresh(5 * MINUTE) },
  { name: 'listGenres',         url: '/v1/meta/genres',                   endpoint: listGenres,         cache: fresh(1 * DAY) },
  { name: 'listNocgenres',      url: '/v1/meta/nocgenres',                endpoint: listNocgenres,      cache: fresh(1 * DAY) },
];
