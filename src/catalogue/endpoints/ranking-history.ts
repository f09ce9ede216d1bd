import type { Question } from '../../cache/answer.ts';
import { ServiceError } from '../../errors.ts';
import { fromRtype } from '../novels/ranking-date.ts';
import type { EndpointServices } from './endpoint.ts';
import { questionOf } from './question.ts';

export const RANKING_HISTORY_COLUMNS = ['rtype', 'rank', 'pt', 'type', 'date'] as const;

/** The question for the rankings in which a novel stood, whether it is asked alone or with others. */
export function rankingHistoryOf(services: EndpointServices, ncode: string): Question {
  return questionOf(services, `novels/${ncode}/ranking-history`, async (asker) => {
    const history = await services.source.getRankingHistory(ncode, asker);
    if (history === null) throw new ServiceError('not_found', { message: `There is no novel ${ncode}.` });
    const data = history.map((entry) => ({ ...entry, ...fromRtype(entry.rtype) }));
    return { data, meta: { source: 'rankin' } };
  });
}
