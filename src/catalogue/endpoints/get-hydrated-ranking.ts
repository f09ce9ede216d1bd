import { z } from 'zod';
import { NOVEL_OF } from '../novels/search-parameters.ts';
import { UPSTREAM_ERRORS, defineEndpoint } from './endpoint.ts';
import { chooseHydratedRanking } from './hydrated-ranking.ts';
import { feedCodes, novelTable, rankingFeed } from './novel-forms.ts';
import { HYDRATED_RANKING_ENTRY } from './novel-schemas.ts';
import {
  NOT_PUBLISHED_DETAILS,
  RANKING_DATE,
  RANKING_META,
  RANKING_TYPE_IN_PATH,
  faultsOfDate,
} from './ranking-choice.ts';

export const getHydratedRanking = defineEndpoint({
  summary: 'Get a ranking with its novels',
  description:
    'A ranking, each place with the fields of its novel that `of` selects. The points and counts are those of today, not of the day of the ranking. A novel that the catalogue no longer has keeps rank, pt and ncode alone.',
  group: 'Rankings',
  path: { type: RANKING_TYPE_IN_PATH },
  query: { date: RANKING_DATE, of: NOVEL_OF },
  source: 'hydrated',
  data: z.array(HYDRATED_RANKING_ENTRY),
  meta: RANKING_META,
  errors: ['invalid_parameter', 'ranking_not_published', ...UPSTREAM_ERRORS],
  details: { ranking_not_published: NOT_PUBLISHED_DETAILS },
  check: ({ clock }, { path, query }) => faultsOfDate(clock, path.type, query.date),
  ask: (services, { path: { type }, query: { date, of } }, form) =>
    chooseHydratedRanking(services, type, date, form === 'atom' ? feedCodes('novelapi') : of),
  forms: {
    csv: ({ data }, { query: { of } }) =>
      novelTable(data, 'novelapi', of, { before: ['rank', 'pt', 'ncode'] }),
    atom: (answer, { path: { type }, query: { date } }, { isSample }, origin) =>
      rankingFeed(answer, type, date, { isAdult: false, isSample, origin }),
  },
});
