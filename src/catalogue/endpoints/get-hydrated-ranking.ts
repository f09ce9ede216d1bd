import { z } from 'zod';
import type { Question } from '../../cache/answer.ts';
import type { NovelRecord, OfSelection, RankingEntry } from '../catalogue-source.ts';
import type { RankingType } from '../novels/ranking-date.ts';
import { NOVEL_OF } from '../novels/search-parameters.ts';
import { HYDRATED_RANKING, PAST_HYDRATED_RANKING, RANKING } from './cache-policies.ts';
import { UPSTREAM_ERRORS, defineEndpoint } from './endpoint.ts';
import type { EndpointServices } from './endpoint.ts';
import { feedCodes, novelTable, rankingFeed } from './novel-forms.ts';
import { novelListQuestion } from './novel-list.ts';
import { HYDRATED_RANKING_ENTRY } from './novel-schemas.ts';
import { questionOf, sameAs } from './question.ts';
import {
  NOT_PUBLISHED_DETAILS,
  RANKING_DATE,
  RANKING_META,
  RANKING_TYPE_IN_PATH,
  chooseRanking,
  faultsOfDate,
  rankingOf,
} from './ranking-choice.ts';

/** The question for the ranking that a request means, joined with its novels. */
export function chooseHydratedRanking(
  services: EndpointServices,
  type: RankingType,
  date: string | undefined,
  selected: OfSelection,
): Question {
  // The entry has the Ncode already.
  const of = selected?.filter((code) => code !== 'n');
  if (date !== undefined) return hydratedRankingOf(services, type, date, of);
  const newest = chooseRanking(services, type, undefined);
  return questionOf(services, hydratedKey(newest.key, of), async (_asker, others) => {
    const { meta } = await others.get(newest, RANKING);
    const named = hydratedRankingOf(services, type, String(meta['date']), of);
    return sameAs(await others.get(named, HYDRATED_RANKING));
  });
}

const hydratedKey = (ranking: string, of: OfSelection) => `${ranking}/hydrated?of=${of?.join('-') ?? '*'}`;

/** Made of the raw ranking, which others have perhaps asked for, and its novels in one batch. */
function hydratedRankingOf(
  services: EndpointServices,
  type: RankingType,
  date: string,
  of: OfSelection,
): Question {
  const { source, clock, fieldSets, rankedNovels } = services;
  const { question, settled } = rankingOf(services, type, date);
  return novelListQuestion(services, {
    of,
    policy: settled ? PAST_HYDRATED_RANKING : undefined,
    keyFor: (codes) => hydratedKey(question.key, codes),
    before: ['rank', 'pt', 'ncode'],
    load: async (asker, others) => {
      const raw = await others.get(question, RANKING);
      const entries = JSON.parse(raw.data.toString()) as RankingEntry[];
      const ncodes = entries.map((entry) => entry.ncode);
      const join = (novels: ReadonlyMap<string, NovelRecord>) =>
        entries.map((entry) => ({ ...entry, ...novels.get(entry.ncode) }));
      const meta = { source: 'hydrated', date } as const;
      const policy = settled ? PAST_HYDRATED_RANKING : HYDRATED_RANKING;
      const isKnown = fieldSets.hasWider(hydratedKey(question.key, undefined), of);
      const known = isKnown && rankedNovels.find(ncodes, of, policy, clock.now());
      if (known) return { data: join(known.novels), meta, madeOf: [raw, known.part], isDerived: true };
      const novels = await source.novels.novelapi.find(ncodes, of, asker);
      // What is at hand is not asked for, and tells its own age.
      if (source.atHand === undefined) rankedNovels.note(ncodes, of, novels, clock.now());
      return { data: join(novels), meta, madeOf: [raw] };
    },
  });
}

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
