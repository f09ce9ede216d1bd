import type { Endpoint } from '@mokuroku/kit/http';
import type { CatalogueEndpoint, SharedServices } from './endpoint.ts';
import { getAdultNovel, getNovel } from './get-novel.ts';
import { getHydratedRanking, getRanking } from './get-ranking.ts';
import { listChanges } from './list-changes.ts';
import { listGenres, listNocgenres } from './list-genres.ts';
import { getRankingHistory, listRankingHistories } from './ranking-histories.ts';
import { searchAdultNovels, searchNovels, suggest } from './search-novels.ts';
import { getUser, searchUsers } from './users.ts';

const ENDPOINTS: readonly CatalogueEndpoint[] = [
  searchNovels,
  getNovel,
  getRankingHistory,
  listRankingHistories,
  getRanking,
  getHydratedRanking,
  listChanges,
  suggest,
  searchUsers,
  getUser,
  searchAdultNovels,
  getAdultNovel,
  listGenres,
  listNocgenres,
];

/** The endpoints of the catalogue over a source, in the order of the documents. */
export const catalogueEndpoints = (services: SharedServices, withAdult: boolean): Endpoint[] =>
  ENDPOINTS.filter(({ isAdult }) => withAdult || !isAdult).map(({ create }) => create(services));
