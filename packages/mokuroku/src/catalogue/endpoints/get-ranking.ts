import { z } from 'zod';
import { text } from '@mokuroku/kit';
import { integerSchema } from '@mokuroku/kit/http';
import { EXAMPLES } from '@mokuroku/narou';
import type { DatedRanking, RankingEntry } from '@mokuroku/narou';
import { NOVEL_OF, RANKING_FILTERS, faultsOfSearch } from '@mokuroku/narou/queries';
import { titleOfQuestion } from '../forms/describe-conditions.ts';
import { feedCodes, rankingFeed } from '../forms/novel-feed.ts';
import { HYDRATED_RANKING, RANKING } from './cache-policies.ts';
import { defineEndpoint } from './endpoint.ts';
import { hydratedRankings, readNarrowing } from './hydrate-rankings.ts';
import { requestedRanking } from './ranking-choice.ts';
import {
  RANKING_ENDPOINT,
  RANKING_PARAMETERS,
  faultsOfRankings,
  rankingsBetween,
  rowsByDate,
} from './ranking-span.ts';
import {
  DATED_HYDRATED_RANKING,
  DATED_RANKING,
  HYDRATED_RANKING_ENTRY,
  RANKING_ENTRY,
  UNKNOWN_NCODES,
  novelTable,
} from './schemas.ts';

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

/** `meta` with filters. */
const NARROWED_META = {
  ranked: integerSchema(
    'With filters: number of entries of the ranking, or of all rankings of the span, before them.',
    '絞り込んだ場合: 絞り込む前のランキング（期間ではすべて）の件数。',
    300,
  ).optional(),
  matches: integerSchema(
    'With filters: number of entries that match them, before `lim`.',
    '絞り込んだ場合: 条件に合う件数（`lim` で切る前）。',
    19,
  ).optional(),
  unknown: UNKNOWN_NCODES.unknown.meta({
    en: 'With filters: Ncodes of entries that could not be judged, because it is not known whether there is such a novel. `data` lacks them.',
    ja: '絞り込んだ場合: 作品が存在するかどうか不明なため、条件に合うか判定できなかった Nコード。`data` には含まれません。',
    example: ['N9999ZZ'],
  }),
};

export const getHydratedRanking = defineEndpoint({
  ...RANKING_ENDPOINT,
  name: 'getHydratedRanking',
  path: '/v1/rankings/:type/hydrated',
  summary: text('Get a ranking with its novels', 'ランキングを作品の情報つきで取得する'),
  description: text(
    "A ranking (with `from` and `to` several, each as `{date, entries}`), each entry with the fields of its novel that `of` selects. The novel's points and counts are current, not those of the ranking's date. An entry whose novel was withdrawn has only rank, pt and ncode; with `unknown`, it is not known whether there is such a novel. The filters are those of a search, by the present fields; ranks remain those of the whole ranking. An entry whose novel was withdrawn or is unknown matches no filter; the unknown ones are named in `meta.unknown`.",
    'ランキング（`from` と `to` ではいくつものランキングを `{date, entries}` で）の各順位に、`of` で選んだ作品の項目が付きます。ポイントや件数は、その日ではなく現在のものです。取得できなくなった作品（削除、非公開、検索除外）は rank、pt、ncode だけになります。`unknown` があれば、その作品が存在するかどうかは不明です。条件は検索と同じで、現在の項目で絞り込みます。順位はランキング全体のものです。取得できなくなった作品と不明な作品は、どの条件にも合いません。不明な作品は `meta.unknown` に示します。',
  ),
  cache: HYDRATED_RANKING,
  client: { method: 'hydratedRanking', from: 'hydratedRankingsBetween' },
  command: ['ranking', 'type'],
  tool: { defaults: { of: 't-w-g-nt-e-ga-l' }, describedBy: 'searchNovels' },
  // prettier-ignore
  examples: [
    { name: 'rankingWithNovels', path: { type: 'weekly' }, query: { date: '2026-01-05', of: 't-w' },
      title: text('Show a ranking with titles and authors', 'ランキングを題名と作者つきで表示する') },
    { name: 'rankingsWithNovels', path: { type: 'weekly' }, query: { from: '2026-10-01', to: '2026-10-31', of: 't-w' },
      title: text('Get the rankings of several weeks with their novels', '何週分ものランキングを作品の情報とともに取得する') },
    { name: 'rankingAsCsv', path: { type: 'weekly' }, query: { date: '2026-01-05', of: 't-w', format: 'csv' },
      title: text('Get a ranking as CSV', 'ランキングを CSV で取得する') },
  ],
  queryTable: { ...RANKING_PARAMETERS, of: NOVEL_OF, ...RANKING_FILTERS },
  source: 'hydrated',
  data: z.union([z.array(HYDRATED_RANKING_ENTRY), z.array(DATED_HYDRATED_RANKING)]).meta({
    en: 'Entries by rank with their novels; with `from` several rankings by date.',
    ja: '順位ごとの作品。`from` では日付ごとのランキング。',
    example: [{ rank: 1, pt: 7700, ncode: EXAMPLES.ncode, title: EXAMPLES.title }],
  }),
  meta: { ...RANKING_ENDPOINT.meta, ...NARROWED_META },
  check: (services, values) => [...faultsOfRankings(services, values), ...faultsOfSearch(services, values)],
  question: (services, { path: { type }, query }, form) =>
    hydratedRankings(services, type, query, form === 'atom' ? feedCodes('novelapi') : query.of),
  forms: {
    csv: ({ data }, { query: { from, of } }) => {
      const dated = from === undefined ? [] : ['date'];
      const rows = from === undefined ? (data as object[]) : rowsByDate(data as DatedRanking[]);
      const after = rows.some((row) => 'unknown' in row) ? ['unknown'] : [];
      return novelTable(rows, 'novelapi', of, { before: [...dated, 'rank', 'pt', 'ncode'], after });
    },
    atom: (answer, { path: { type }, query }, reading) => {
      const feed = rankingFeed(answer, type, query, reading);
      const { key } = readNarrowing(query);
      if (key === '') return feed;
      return {
        ...feed,
        id: `${feed.id}?${key}`,
        title: titleOfQuestion(feed.title, new URLSearchParams(key), reading.language),
      };
    },
  },
});
