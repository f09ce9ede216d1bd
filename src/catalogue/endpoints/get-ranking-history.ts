import { z } from 'zod';
import { NCODE_IN_PATH } from './path-parameters.ts';
import { UPSTREAM_ERRORS, defineEndpoint } from './endpoint.ts';
import { RANKING_HISTORY_ENTRY } from './novel-schemas.ts';
import { RANKING_HISTORY_COLUMNS, rankingHistoryOf } from './ranking-history.ts';

export const getRankingHistory = defineEndpoint({
  summary: 'Get the rankings in which a novel stood',
  description:
    'Every stored ranking (300 places each) in which the novel stood, by date. Empty for a novel that never did.',
  group: 'Novels',
  path: { ncode: NCODE_IN_PATH },
  query: {},
  source: 'rankin',
  data: z.array(RANKING_HISTORY_ENTRY),
  errors: ['invalid_parameter', 'not_found', ...UPSTREAM_ERRORS],
  ask: (services, { path: { ncode } }) => rankingHistoryOf(services, ncode),
  forms: {
    csv: ({ data }) => ({ columns: RANKING_HISTORY_COLUMNS, rows: data as object[] }),
  },
});
