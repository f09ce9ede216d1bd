import { z } from 'zod';
import type { OfSelection, RankingEntry } from '../catalogue-source.ts';
import type { RankingType } from '../novels/ranking-date.ts';
import { NOVEL_OF } from '../novels/search-parameters.ts';
import { HYDRATED_RANKING_TIMES, RANKING_TIMES } from './cache-policies.ts';
import { UPSTREAM_ERRORS, defineEndpoint, sameAs } from './endpoint.ts';
import type { CatalogueQuestion, EndpointServices } from './endpoint.ts';
import { novelListQuestion } from './novel-list.ts';
import { HYDRATED_RANKING_ENTRY } from './novel-schemas.ts';
import { RANKING_TYPE_IN_PATH } from './path-parameters.ts';
import {
  NOT_PUBLISHED_DETAILS,
  RANKING_DATE,
  RANKING_META,
  chooseRanking,
  faultsOfDate,
  rankingOf,
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
  ask: (services, { path: { type }, query }) => {
    // The entry has the Ncode already.
    const of = query.of?.filter((code) => code !== 'n');
    if (query.date !== undefined) return hydratedRankingOf(services, type, query.date, of);
    const newest = chooseRanking(services, type, undefined);
    return {
      key: hydratedKey(newest.key, of),
      load: async (_asker, others) => {
        const { meta } = await others.get(newest, RANKING_TIMES);
        const named = hydratedRankingOf(services, type, String(meta['date']), of);
        return sameAs(await others.get(named, HYDRATED_RANKING_TIMES));
      },
    };
  },
});

const hydratedKey = (ranking: string, of: OfSelection) => `${ranking}/hydrated?of=${of?.join('-') ?? '*'}`;

/** Made of the raw ranking, which others have perhaps asked for, and its novels in one batch. */
function hydratedRankingOf(
  services: EndpointServices,
  type: RankingType,
  date: string,
  of: OfSelection,
): CatalogueQuestion {
  const { question, settled } = rankingOf(services, type, date);
  return novelListQuestion(services, {
    of,
    settled,
    keyFor: (codes) => hydratedKey(question.key, codes),
    before: ['rank', 'pt', 'ncode'],
    load: async (asker, others) => {
      const raw = await others.get(question, RANKING_TIMES);
      const entries = JSON.parse(raw.data.toString()) as RankingEntry[];
      const ncodes = entries.map((entry) => entry.ncode);
      const novels = await services.source.findNovels(ncodes, of, asker);
      const data = entries.map((entry) => ({ ...entry, ...novels.get(entry.ncode) }));
      return { data, meta: { source: 'hydrated', date }, madeOf: [raw] };
    },
  });
}
