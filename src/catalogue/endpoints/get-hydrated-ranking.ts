import { z } from 'zod';
import { NOVEL_OF } from '../novels/search-parameters.ts';
import { UPSTREAM_ERRORS, defineEndpoint } from './endpoint.ts';
import { HYDRATED_RANKING_ENTRY } from './novel-schemas.ts';
import { RANKING_TYPE_IN_PATH } from './path-parameters.ts';
import {
  NOT_PUBLISHED_DETAILS,
  RANKING_DATE,
  RANKING_META,
  chooseRanking,
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
  ask: (services, { path, query }) => {
    const { key, find } = chooseRanking(services, path.type, query.date);
    // The entry has the Ncode already.
    const of = query.of?.filter((code) => code !== 'n');
    return {
      key: `${key}/hydrated?of=${of?.join('-') ?? '*'}`,
      load: async (asker) => {
        const { entries, date, settled } = await find(asker);
        const novels = await services.source.findNovels(
          entries.map((entry) => entry.ncode),
          of,
          asker,
        );
        const data = entries.map((entry) => ({ ...entry, ...novels.get(entry.ncode) }));
        return { data, meta: { source: 'hydrated', date }, settled };
      },
    };
  },
});
