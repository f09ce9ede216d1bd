import { z } from 'zod';
import { FAULTS, text } from '@mokuroku/kit';
import type { Text } from '@mokuroku/kit';
import { dateSchema, oneOf, parameterFault } from '@mokuroku/kit/http';
import type { Parameter, ParameterFault } from '@mokuroku/kit/http';
import {
  EXAMPLES,
  FIRST_RANKING_DATE,
  MAX_RANKS,
  NOVEL_ALLOWED,
  NOVEL_FAULTS,
  RANKING_TYPES,
  checkRankingDate,
} from '@mokuroku/narou';
import type { DatedRanking, RankingType } from '@mokuroku/narou';
import { NOVEL_OF, RANKING_FILTERS, faultsOfSearch, wholeNumber } from '@mokuroku/narou/queries';
import { titleOfQuestion } from '../forms/describe-conditions.ts';
import { feedCodes, rankingFeed } from '../forms/novel-feed.ts';
import { HYDRATED_RANKING, RANKING } from './cache-policies.ts';
import { rankingsOf } from './catalogue-answer.ts';
import { UPSTREAM_ERRORS, defineEndpoint } from './endpoint.ts';
import type { SharedServices } from './endpoint.ts';
import { hydratedRankings, readNarrowing } from './hydrate-rankings.ts';
import { datesOf, rankingsBetween, requestedRanking } from './ranking-questions.ts';
import type { RankingSpan } from './ranking-questions.ts';
import {
  DATED_HYDRATED_RANKING,
  DATED_RANKING,
  HYDRATED_RANKING_ENTRY,
  NARROWED_META,
  RANKING_ENTRY,
  novelTable,
} from './schemas.ts';

const RANKING_TYPE_IN_PATH = oneOf(RANKING_TYPES, {
  en: 'Ranking period.',
  ja: 'ランキングの期間。',
  example: 'daily',
});

/** A day, which `faultsOfRankings` validates: it knows the period and today. */
const dayParameter = (
  en: string,
  ja: string,
  example: string,
  { en: allowed } = NOVEL_ALLOWED.day(FIRST_RANKING_DATE),
): Parameter<string> => ({
  schema: z.string(),
  allowed,
  en,
  ja,
  example,
  published: { type: 'string', format: 'date' },
});

const RANKING_DATE = dayParameter(
  `Day of the ranking in Japan, from ${FIRST_RANKING_DATE} on: a Monday for weekly (the week's ranking is published on the Tuesday), the first of a month for monthly and quarterly. Default: the newest published one.`,
  `ランキングの日本の日付（${FIRST_RANKING_DATE} から）。weekly は月曜（その週のランキングは火曜に公開）、monthly と quarterly は 1 日。省略時は公開済みの最新。`,
  '2026-10-01',
  NOVEL_ALLOWED.rankingDate(FIRST_RANKING_DATE),
);

const RANKING_LIM = wholeNumber(1, MAX_RANKS, {
  en: 'Number of entries from the first on, of each ranking. Default: all.',
  ja: '1 位からの件数。複数のランキングではそれぞれの件数。省略時はすべて。',
  example: 20,
});

const RANKING_META = {
  // Each of several rankings has its own date.
  date: dateSchema('The ranking served.', '返したランキングの日付。', '2026-10-01').optional(),
  until: dateSchema(
    'From a local catalogue, without `date`, or with dates up to its newest ranking: the date of that ranking.',
    'ローカルカタログの場合: `date` を指定しないとき、または期間がカタログの最新のランキングに達するとき、そのランキングの日付。',
    '2026-10-01',
  ).optional(),
};

/** The published form of the details of ranking_not_published. */
const NOT_PUBLISHED_DETAILS = z.object({
  type: z.string().meta({ en: 'Ranking period.', ja: 'ランキングの期間。', example: 'daily' }),
  date: dateSchema('The requested date.', '指定された日付。', '2030-01-01'),
  newest: dateSchema('The newest possible date.', '最も新しい日付。', '2026-11-20'),
});

const REASONS = {
  malformed: FAULTS.notDate.en,
  wrong_day: NOVEL_FAULTS.noRankingDate.en,
  too_early: NOVEL_FAULTS.beforeFirst(FIRST_RANKING_DATE).en,
};

const MAX_RANKINGS = 31;

const SPAN_PARAMETERS = {
  from: dayParameter(
    `First day of several rankings: with it \`data\` is a list of {date, entries}, at most ${MAX_RANKINGS} of them. Any day; selects the rankings dated between. Not together with date.`,
    `複数のランキングの最初の日。これがあると \`data\` は {date, entries} の一覧（${MAX_RANKINGS} 個まで）になります。どの日でもよく、その間に日付のあるランキングを返します。date とは併用できません。`,
    '2026-10-01',
  ),
  to: dayParameter(
    'Last day of several rankings, included. Default: the newest.',
    '複数のランキングの最後の日（その日を含む）。省略時は最新まで。',
    '2026-10-31',
  ),
};

function faultsOfSpan(
  services: SharedServices,
  type: RankingType,
  { from, to }: RankingSpan,
): ParameterFault[] {
  if (to !== undefined && to < from)
    return [parameterFault('to', SPAN_PARAMETERS.to, to, NOVEL_FAULTS.beforeFrom(from).en)];
  const { dates } = datesOf(services, type, { from, to });
  const last = dates[MAX_RANKINGS - 1];
  if (dates.length <= MAX_RANKINGS || last === undefined) return [];
  const reason = NOVEL_FAULTS.tooManyRankings(dates.length, MAX_RANKINGS).en;
  return [{ ...parameterFault('to', SPAN_PARAMETERS.to, to ?? '', reason), nearest: [last] }];
}

/** `meta.missing`, on several rankings. */
const MISSING_RANKINGS = {
  missing: z
    .array(z.string().meta({ format: 'date' }))
    .optional()
    .meta({
      en: 'Dates of the requested span, up to the newest that is due, whose rankings `data` lacks: they are published late, are not in a local catalogue, or came empty or incomplete from the upstream. Also those that are doubtful until the next day: served ones, and with order=rise the ranking before.',
      ja: '期間（公開予定の来た日付まで）のうち `data` にないランキングの日付。公開が遅れているもの、ローカルカタログにないもの、取得元の応答が空または不完全だったもの。また、翌日まで疑わしいもの（返したもの、order=rise では比べた前回のもの）。',
      example: ['2026-10-02'],
    }),
};

/** A date or a span, and the filters of an endpoint that has some. */
interface RequestedRankings extends Partial<RankingSpan>, Filters {
  date?: string | undefined;
}

type Filters = Parameters<typeof faultsOfSearch>[1]['query'];

function faultsOfRankings(
  services: SharedServices,
  { path: { type }, query }: { path: { type: RankingType }; query: RequestedRankings },
): ParameterFault[] {
  const { from, to } = query;
  const faults: ParameterFault[] = [];
  for (const name of ['date', 'from', 'to'] as const) {
    const given = query[name];
    if (given === undefined) continue;
    // A span begins and ends on any day, as days have rankings.
    const check = checkRankingDate(name === 'date' ? type : 'daily', given, services.clock.now());
    if (check.valid) continue;
    const fault = parameterFault(name, RANKING_PARAMETERS[name], given, REASONS[check.fault]);
    faults.push({ ...fault, nearest: check.nearest });
  }
  const faultOfFrom = (reason: Text) =>
    faults.push(parameterFault('from', SPAN_PARAMETERS.from, from ?? '', reason.en));
  if (from === undefined && to !== undefined) faultOfFrom(NOVEL_FAULTS.missingBesideTo);
  if (from !== undefined && query.date !== undefined) faultOfFrom(NOVEL_FAULTS.notBesideDate);
  if (from !== undefined && faults.length === 0) faults.push(...faultsOfSpan(services, type, { from, to }));
  return [...faults, ...faultsOfSearch(services, { query })];
}

/** The ranking of a date, or several between two days, as both endpoints of rankings have it. */
export const RANKING_PARAMETERS = { date: RANKING_DATE, ...SPAN_PARAMETERS, lim: RANKING_LIM };
const RANKING_ENDPOINT = {
  group: 'Rankings',
  pathTable: { type: RANKING_TYPE_IN_PATH },
  meta: { ...RANKING_META, ...MISSING_RANKINGS },
  errors: ['invalid_parameter', 'ranking_not_published', ...UPSTREAM_ERRORS],
  check: faultsOfRankings,
  details: { ranking_not_published: NOT_PUBLISHED_DETAILS },
} as const;

/** The entries of all rankings, each with its date. */
function* rowsByDate(rankings: readonly DatedRanking[]): Generator<object> {
  for (const { date, entries } of rankings) for (const entry of entries) yield { date, ...entry };
}

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
  question: (services, { path: { type }, query }, content) => {
    // A feed needs titles.
    if (content === 'feed') return hydratedRankings(services, type, query, feedCodes('novelapi'));
    const { date, from, to, lim } = query;
    if (from !== undefined) return rankingsBetween(services, type, { from, to }, lim);
    return requestedRanking(services, type, date, lim);
  },
  forms: {
    table: ({ data, meta }, { query: { from } }) => ({
      columns: ['date', 'rank', 'pt', 'ncode'],
      rows: rowsByDate(rankingsOf(data, meta, from !== undefined)),
    }),
    feed: (answer, { path: { type }, query }, reading) => rankingFeed(answer, type, query, reading),
  },
});

export const getHydratedRanking = defineEndpoint({
  ...RANKING_ENDPOINT,
  name: 'getHydratedRanking',
  path: '/v1/rankings/:type/hydrated',
  summary: text('Get a ranking with its novels', 'ランキングを作品の情報つきで取得する'),
  description: text(
    "A ranking (with `from` and `to` several, each as `{date, entries}`), each entry with the fields of its novel that `of` selects. The novel's points and counts are current, not those of the ranking's date. An entry whose novel was withdrawn has only rank, pt and ncode; with `unknown`, it is not known whether there is such a novel, or no field of it is readable. The filters are those of a search, by the present fields; ranks remain those of the whole ranking. An entry whose novel was withdrawn or is unknown matches no filter; the unknown ones are named in `meta.unknown`.",
    'ランキング（`from` と `to` ではいくつものランキングを `{date, entries}` で）の各順位に、`of` で選んだ作品の項目が付きます。ポイントや件数は、その日ではなく現在のものです。取得できなくなった作品（削除、非公開、検索除外）は rank、pt、ncode だけになります。`unknown` があれば、その作品が存在するかどうか不明か、どの項目も読み取れません。条件は検索と同じで、現在の項目で絞り込みます。順位はランキング全体のものです。取得できなくなった作品と不明な作品は、どの条件にも合いません。不明な作品は `meta.unknown` に示します。',
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
  question: (services, { path: { type }, query }, content) =>
    hydratedRankings(services, type, query, content === 'feed' ? feedCodes('novelapi') : query.of),
  forms: {
    table: ({ data, meta }, { query: { from, of } }) => {
      const rankings = rankingsOf(data, meta, from !== undefined);
      const hasUnknown = rankings.some(({ entries }) => entries.some((entry) => 'unknown' in entry));
      return novelTable(rowsByDate(rankings), 'novelapi', of, {
        before: [...(from === undefined ? [] : ['date']), 'rank', 'pt', 'ncode'],
        after: hasUnknown ? ['unknown'] : [],
      });
    },
    feed: (answer, { path: { type }, query }, reading) => {
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
