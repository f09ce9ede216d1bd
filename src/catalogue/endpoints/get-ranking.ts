import { z } from 'zod';
import type { DatedRanking, RankingEntry } from '../novels/ranking-date.ts';
import { EXAMPLES } from '../novels/examples.ts';
import { RANKING } from './cache-policies.ts';
import { UPSTREAM_ERRORS, defineEndpoint } from './endpoint.ts';
import { requestedHydratedRanking } from './get-hydrated-ranking.ts';
import { feedCodes, rankingFeed, spanFeed } from './novel-forms.ts';
import { DATED_RANKING, RANKING_ENTRY } from './novel-schemas.ts';
import {
  NOT_PUBLISHED_DETAILS,
  RANKING_DATE,
  RANKING_LIM,
  RANKING_META,
  RANKING_TYPE_IN_PATH,
  faultsOfDate,
  rankingOf,
  requestedRanking,
} from './ranking-choice.ts';
import { MISSING_RANKINGS, SPAN_PARAMETERS, faultsOfSpan, rankingsBetween } from './ranking-span.ts';
import { text } from '../../process/text.ts';

export const getRanking = defineEndpoint({
  summary: text('Get a ranking', 'ランキングを取得する'),
  description: text(
    'The first 300 entries of a period, without novel data. A past ranking never changes. With `from` (and `to`) several rankings, each as `{date, entries}`.',
    '期間の上位 300。作品の情報は付きません。過去のランキングは変わりません。`from`（と `to`）では、複数のランキングを `{date, entries}` で返します。',
  ),
  group: 'Rankings',
  path: { type: RANKING_TYPE_IN_PATH },
  query: { date: RANKING_DATE, ...SPAN_PARAMETERS, lim: RANKING_LIM },
  source: 'rank',
  data: z.union([z.array(RANKING_ENTRY), z.array(DATED_RANKING)]).meta({
    en: 'Entries by rank; with `from` several rankings by date.',
    ja: '順位の順。`from` があれば、日付順のランキング。',
    example: [{ rank: 1, pt: 7700, ncode: EXAMPLES.ncode }],
  }),
  meta: { ...RANKING_META, ...MISSING_RANKINGS },
  errors: ['invalid_parameter', 'ranking_not_published', ...UPSTREAM_ERRORS],
  details: { ranking_not_published: NOT_PUBLISHED_DETAILS },
  check: (services, { path, query }) => [
    ...faultsOfDate(services.clock, path.type, query.date),
    ...faultsOfSpan(services, path.type, query),
  ],
  question: (services, { path: { type }, query: { date, from, to, lim } }, form) => {
    if (from !== undefined) return rankingsBetween(services, type, { from, to }, lim);
    const request = { type, date, lim };
    if (form !== 'atom') {
      return requestedRanking(services, request, (day) => rankingOf(services, type, day).question, RANKING);
    }
    // A feed needs titles.
    return requestedHydratedRanking(services, request, feedCodes('novelapi'));
  },
  forms: {
    csv: ({ data, meta }, { query: { from } }) => ({
      columns: ['date', 'rank', 'pt', 'ncode'],
      rows: (from === undefined
        ? [{ date: meta.date ?? '', entries: data as RankingEntry[] }]
        : (data as DatedRanking[])
      ).flatMap(({ date, entries }) => entries.map((entry) => ({ date, ...entry }))),
    }),
    atom: (answer, { path: { type }, query: { date, from } }, { isSample }, origin) => {
      const reading = { isAdult: false, isSample: isSample(), origin };
      return from === undefined ? rankingFeed(answer, type, date, reading) : spanFeed(answer, type, reading);
    },
  },
});
