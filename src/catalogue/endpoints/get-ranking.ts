import { z } from 'zod';
import { UPSTREAM_ERRORS, defineEndpoint } from './endpoint.ts';
import { RANKING_ENTRY } from './novel-schemas.ts';
import { RANKING_TYPE_IN_PATH } from './path-parameters.ts';
import {
  NOT_PUBLISHED_DETAILS,
  RANKING_DATE,
  RANKING_META,
  chooseRanking,
  faultsOfDate,
} from './ranking-choice.ts';

export const getRanking = defineEndpoint({
  summary: 'Get a ranking',
  description: 'The first 300 places of a period, without novel data. A past ranking never changes.',
  group: 'Rankings',
  path: { type: RANKING_TYPE_IN_PATH },
  query: { date: RANKING_DATE },
  source: 'rank',
  data: z.array(RANKING_ENTRY),
  meta: RANKING_META,
  errors: ['invalid_parameter', 'ranking_not_published', ...UPSTREAM_ERRORS],
  details: { ranking_not_published: NOT_PUBLISHED_DETAILS },
  check: ({ clock }, { path, query }) => faultsOfDate(clock, path.type, query.date),
  ask: (services, { path, query }) => chooseRanking(services, path.type, query.date),
});
