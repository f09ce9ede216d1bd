import { z } from 'zod';
import { ServiceError, FAULTS } from '@mokuroku/kit';
import {
  NOVEL_ALLOWED,
  NOVEL_FAULTS,
  FIRST_RANKING_DATE,
  MAX_RANKS,
  dayOfDate,
  rankingDatesBetween,
} from '@mokuroku/narou';
import type { Question } from '@mokuroku/kit/cache';
import { parameterFault } from '@mokuroku/kit/http';
import type { Parameter, ParameterFault } from '@mokuroku/kit/http';
import type { DatedRanking, RankingType } from '@mokuroku/narou';
import { MINUTE, RANKING, fresh } from './cache-policies.ts';
import { UPSTREAM_ERRORS } from './endpoint.ts';
import type { EndpointServices, SharedServices } from './endpoint.ts';
import { getMany, questionOf, BYTES_A_RANK } from './catalogue-answer.ts';
import {
  NOT_PUBLISHED_DETAILS,
  RANKING_DATE,
  RANKING_LIM,
  RANKING_META,
  RANKING_TYPE_IN_PATH,
  faultsOfDate,
  isNotPublished,
  rankingOf,
  topEntries,
} from './ranking-choice.ts';

// Several rankings at once, between two dates.

export const MAX_RANKINGS = 31;

const dayParameter = (en: string, ja: string, example: string): Parameter<string> => ({
  schema: z.string(),
  allowed: NOVEL_ALLOWED.day(FIRST_RANKING_DATE).en,
  en,
  ja,
  example,
  published: { type: 'string', format: 'date' },
});

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

/** The requested span; a missing end is open. */
interface RankingSpan {
  from: string;
  to?: string | undefined;
}

const LAST_DAY = '9999-12-31';

function faultOfDay(name: 'from' | 'to', given: string | undefined): ParameterFault | undefined {
  if (given === undefined) return undefined;
  const fault = (reason: string) => parameterFault(name, SPAN_PARAMETERS[name], given, reason);
  if (dayOfDate(given) === null) return fault(FAULTS.notDate.en);
  return given < FIRST_RANKING_DATE ? fault(NOVEL_FAULTS.beforeFirst(FIRST_RANKING_DATE).en) : undefined;
}

/**
 * The dates of a span, up to the newest ranking of the source. If it begins later, all dates: then the source says why
 * it has none.
 */
export function datesOf(
  { clock, source }: SharedServices,
  type: RankingType,
  { from, to = LAST_DAY }: RankingSpan,
) {
  const dates = rankingDatesBetween(type, from, to, clock.now());
  const until = source.newestRanking?.(type);
  const available = dates.filter((date) => until === undefined || date <= until);
  return { dates: available.length > 0 ? available : dates, until };
}

function faultsOfSpan(
  services: SharedServices,
  type: RankingType,
  { from, to, date }: Partial<RankingSpan> & { date?: string },
): ParameterFault[] {
  if (from === undefined && to === undefined) return [];
  if (from === undefined)
    return [parameterFault('from', SPAN_PARAMETERS.from, '', NOVEL_FAULTS.missingBesideTo.en)];
  const faults = [faultOfDay('from', from), faultOfDay('to', to)].filter((fault) => fault !== undefined);
  if (date !== undefined)
    faults.push(parameterFault('from', SPAN_PARAMETERS.from, from, NOVEL_FAULTS.notBesideDate.en));
  if (faults.length > 0) return faults;
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
      en: 'Dates of the requested span whose rankings `data` lacks, because they are not published yet, are not in a local catalogue, or came empty or incomplete from the upstream. Also served ones that are doubtful until the next day.',
      ja: '期間のうち `data` にないランキングの日付。未公開のもの、ローカルカタログにないもの、取得元の応答が空または不完全だったもの。また、返したが翌日まで疑わしいもの。',
      example: ['2026-10-02'],
    }),
};

/** The ranking of a date, or several between two days, as both endpoints of rankings have it. */
export const RANKING_PARAMETERS = { date: RANKING_DATE, ...SPAN_PARAMETERS, lim: RANKING_LIM };
export const RANKING_ENDPOINT = {
  group: 'Rankings',
  pathTable: { type: RANKING_TYPE_IN_PATH },
  meta: { ...RANKING_META, ...MISSING_RANKINGS },
  errors: ['invalid_parameter', 'ranking_not_published', ...UPSTREAM_ERRORS],
  details: { ranking_not_published: NOT_PUBLISHED_DETAILS },
} as const;

export const faultsOfRankings = (
  services: SharedServices,
  { path: { type }, query }: { path: { type: RankingType }; query: Partial<RankingSpan> & { date?: string } },
): ParameterFault[] => [
  ...faultsOfDate(services.clock, type, query.date),
  ...faultsOfSpan(services, type, query),
];

/** The entries of several rankings, each with its date. */
export const rowsByDate = (rankings: readonly DatedRanking[]): object[] =>
  rankings.flatMap(({ date, entries }) => entries.map((entry) => ({ date, ...entry })));

/** Errors of one ranking, beside which others of a span are served. */
const OF_ONE_RANKING: ReadonlySet<string> = new Set([
  'ranking_not_published',
  'upstream_invalid',
  'not_available_here',
]);

/**
 * The question for the rankings between two dates, or for the top `lim` of each. `meta.missing` names those that it
 * lacks; if it lacks all, it fails like one of them, but for unpublished ones.
 */
export function rankingsBetween(
  services: EndpointServices,
  type: RankingType,
  span: RankingSpan,
  lim: number | undefined,
): Question {
  const { dates, until } = datesOf(services, type, span);
  const key = `rankings/${type}/${dates[0] ?? 'none'}/${dates.at(-1) ?? 'none'}/first-${lim ?? 'all'}/${span.to === undefined ? 'open' : 'closed'}`;
  const memoryBytes = dates.length * MAX_RANKS * BYTES_A_RANK;
  const question = questionOf(services, { key, memoryBytes }, async (_requester, { cache }) => {
    const each = dates.map((date) => rankingOf(services, type, date));
    let failure: ServiceError | undefined;
    const late = new Set<string | undefined>();
    const entries = await getMany(each, RANKING, cache, (error, at) => {
      if (!(error instanceof ServiceError && OF_ONE_RANKING.has(error.code))) return false;
      if (!isNotPublished(error)) services.reportFailure((failure = error));
      else late.add(dates[at]);
      return true;
    });
    const served = dates.flatMap((date, at) =>
      entries[at]?.status === 200 ? [{ date, entry: entries[at] }] : [],
    );
    if (served.length === 0 && failure !== undefined) throw failure;
    const isWhole = new Set(served.flatMap(({ date, entry }) => (entry.meta['missing'] ? [] : [date])));
    // Without `to` a span ends where the ranking without a date is.
    const isEarly = late.has(dates.at(-1)) && span.to === undefined;
    const missing = (isEarly ? dates.slice(0, -1) : dates).filter((date) => !isWhole.has(date));
    const rankings = served.map(
      ({ date, entry }) => `{"date":"${date}","entries":${topEntries(entry, lim)}}`,
    );
    return {
      data: Buffer.from(`[${rankings.join(',')}]`),
      total: rankings.length,
      meta: { source: 'rank', ...(missing.length > 0 && { missing }) },
      policy: isWhole.size < dates.length ? fresh(MINUTE) : undefined,
      from: [{ until: until === dates.at(-1) ? until : undefined }],
      madeOf: entries.filter((entry) => entry !== undefined),
    };
  });
  return { ...question, isComposed: true };
}
