import type { Endpoint } from '@mokuroku/kit/http';
import {
  CHANGES,
  DAY,
  HOUR,
  HYDRATED_RANKING,
  MINUTE,
  RANKING,
  RANKING_HISTORY,
  fresh,
} from './cache-policies.ts';
import type { CatalogueRoute, SharedServices, MakeEndpoint } from './endpoint.ts';
import { getHydratedRanking } from './get-hydrated-ranking.ts';
import { getAdultNovel, getNovel } from './get-novel.ts';
import { getRanking } from './get-ranking.ts';
import { listChanges } from './list-changes.ts';
import { listGenres, listNocgenres } from './list-genres.ts';
import { getRankingHistory, listRankingHistories } from './ranking-histories.ts';
import { searchAdultNovels, searchNovels, suggest } from './search-novels.ts';
import { getUser, searchUsers } from './users.ts';

// prettier-ignore
const ROUTES: readonly (CatalogueRoute & { make: MakeEndpoint; isAdult?: true })[] = [
  { name: 'searchNovels',       path: '/v1/novels',                          make: searchNovels,       cache: fresh(5 * MINUTE) },
  { name: 'getNovel',           path: '/v1/novels/:ncode',                   make: getNovel,           cache: fresh(5 * MINUTE) },
  { name: 'getRankingHistory',  path: '/v1/novels/:ncode/ranking-history',   make: getRankingHistory,  cache: RANKING_HISTORY },
  { name: 'listRankingHistories', path: '/v1/ranking-histories',             make: listRankingHistories, cache: fresh(1 * MINUTE) },
  { name: 'getRanking',         path: '/v1/rankings/:type',                  make: getRanking,         cache: RANKING },
  { name: 'getHydratedRanking', path: '/v1/rankings/:type/hydrated',         make: getHydratedRanking, cache: HYDRATED_RANKING },
  { name: 'listChanges',        path: '/v1/changes',                         make: listChanges,        cache: CHANGES },
  { name: 'suggest',            path: '/v1/suggest',                         make: suggest,            cache: fresh(5 * MINUTE) },
  { name: 'searchUsers',        path: '/v1/users',                           make: searchUsers,        cache: fresh(1 * HOUR) },
  { name: 'getUser',            path: '/v1/users/:userid',                   make: getUser,            cache: fresh(1 * HOUR) },
  { name: 'searchAdultNovels',  path: '/v1/r18/novels',                      make: searchAdultNovels,  cache: fresh(5 * MINUTE), isAdult: true },
  { name: 'getAdultNovel',      path: '/v1/r18/novels/:ncode',               make: getAdultNovel,      cache: fresh(5 * MINUTE), isAdult: true },
  { name: 'listGenres',         path: '/v1/meta/genres',                     make: listGenres,         cache: fresh(1 * DAY) },
  { name: 'listNocgenres',      path: '/v1/meta/nocgenres',                  make: listNocgenres,      cache: fresh(1 * DAY), isAdult: true },
];

/** The endpoints of the catalogue over a source. */
export const catalogueEndpoints = (services: SharedServices, withAdult: boolean): Endpoint[] =>
  ROUTES.filter(({ isAdult }) => withAdult || !isAdult).map(({ make, ...route }) => make(route, services));
