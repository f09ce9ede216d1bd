import { ServiceError } from '../../errors.ts';
import type { CatalogueSource } from '../catalogue-source.ts';
import { fromRtype } from '../novels/ranking-date.ts';
import type { CatalogueQuestion } from './question.ts';

export const RANKING_HISTORY_COLUMNS = ['rtype', 'rank', 'pt', 'type', 'date'] as const;

/** The question for the rankings in which a novel stood, whether it is asked alone or with others. */
export function rankingHistoryOf(source: CatalogueSource, ncode: string): CatalogueQuestion {
  return {
    key: `novels/${ncode}/ranking-history`,
    load: async (asker) => {
      const history = await source.getRankingHistory(ncode, asker);
      if (history === null) throw new ServiceError('not_found', { message: `There is no novel ${ncode}.` });
      const data = history.map((entry) => ({ ...entry, ...fromRtype(entry.rtype) }));
      return { data, meta: { source: 'rankin' } };
    },
  };
}
