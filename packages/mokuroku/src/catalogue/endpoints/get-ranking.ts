import { z } from 'zod';
import type { DatedRanking, RankingEntry } from '@mokuroku/narou';
import { EXAMPLES } from '@mokuroku/narou';
import { RANKING } from './cache-policies.ts';
import { defineEndpoint } from './endpoint.ts';
import { feedCodes, rankingFeed } from '../forms/novel-feed.ts';
import { hydratedRankings } from './hydrate-rankings.ts';
import { DATED_RANKING, RANKING_ENTRY } from './schemas.ts';
import { requestedRanking } from './ranking-choice.ts';
import {
  RANKING_ENDPOINT,
  RANKING_PARAMETERS,
  rowsByDate,
  faultsOfRankings,
  rankingsBetween,
} from './ranking-span.ts';
import { text } from '@mokuroku/kit';

export const getRanking = defineEndpoint({
  ...RANKING_ENDPOINT,
  name: 'getRanking',
  path: '/v1/rankings/:type',
  summary: text('Get a ranking', 'ランキングを取得する'),
  description: text(
    'The first 300 entries of a period, without novel data. A past ranking never changes. With `from` (and `to`) several rankings, each as `{date, entries}`.',
    '期間の上位 300。作品の情報は付きません。過去のランキングは変わりません。`from`（と `to`）では、複数のランキングを `{date, entries}` で返します。',
  ),
  cache: RANKING,
  client: { method: 'ranking', from: 'rankingsBetween' },
  command: ['ranking', 'type', '--raw'],
  // Another tool gives the same and more.
  tool: false,
  // prettier-ignore
  examples: [
    { name: 'rankingOfDay', path: { type: 'daily' }, query: { date: '2026-01-05' },
      title: text('Get the ranking of a date', 'ある日のランキングを取得する') },
    { name: 'rankingsOfWeek', path: { type: 'daily' }, query: { from: '2026-01-05', to: '2026-01-07' },
      title: text('Get the rankings of several days in one request', '何日分ものランキングを 1 回で取得する') },
  ],
  queryTable: RANKING_PARAMETERS,
  source: 'rank',
  data: z.union([z.array(RANKING_ENTRY), z.array(DATED_RANKING)]).meta({
    en: 'Entries by rank; with `from` several rankings by date.',
    ja: '順位の順。`from` があれば、日付順のランキング。',
    example: [{ rank: 1, pt: 7700, ncode: EXAMPLES.ncode }],
  }),
  check: faultsOfRankings,
  question: (services, { path: { type }, query }, form) => {
    const { date, from, to, lim } = query;
    if (from !== undefined) return rankingsBetween(services, type, { from, to }, lim);
    // A feed needs titles.
    if (form === 'atom') return hydratedRankings(services, type, { date, lim }, feedCodes('novelapi'));
    return requestedRanking(services, type, date, lim);
  },
  forms: {
    csv: ({ data, meta }, { query: { from } }) => ({
      columns: ['date', 'rank', 'pt', 'ncode'],
      rows: rowsByDate(
        from === undefined
          ? [{ date: meta.date ?? '', entries: data as RankingEntry[] }]
          : (data as DatedRanking[]),
      ),
    }),
    atom: (answer, { path: { type }, query }, reading) => rankingFeed(answer, type, query, reading),
  },
});
