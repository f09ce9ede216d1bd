import { z } from 'zod';
import { dateSchema, oneOf, parameterFault } from '@mokuroku/kit/http';
import type { CacheEntry, CacheReader, Question } from '@mokuroku/kit/cache';
import type { Clock } from '@mokuroku/kit/process';
import { ServiceError, FAULTS } from '@mokuroku/kit';
import {
  NOVEL_ALLOWED,
  NOVEL_FAULTS,
  FIRST_RANKING_DATE,
  MAX_RANKS,
  RANKING_TYPES,
  checkRankingDate,
  newestRankingDate,
  rankingDateBefore,
  rankingPublication,
  NOVEL_ERRORS,
} from '@mokuroku/narou';
import type { Parameter, ParameterFault } from '@mokuroku/kit/http';
import { wholeNumber } from '@mokuroku/narou/queries';
import type { RankingType } from '@mokuroku/narou';
import { PAST_RANKING, RANKING, UNCONFIRMED_RANKING } from './cache-policies.ts';
import type { EndpointServices } from './endpoint.ts';
import { questionOf, BYTES_A_RANK } from './catalogue-answer.ts';
import type { EndpointMeta } from './catalogue-answer.ts';

export const RANKING_TYPE_IN_PATH = oneOf(RANKING_TYPES, {
  en: 'Ranking period.',
  ja: 'ランキングの期間。',
  example: 'daily',
});

/** Validated by `faultsOfDate`, which knows the period and today. */
export const RANKING_DATE: Parameter<string> = {
  schema: z.string(),
  allowed: NOVEL_ALLOWED.rankingDate(FIRST_RANKING_DATE).en,
  en: `Day of the ranking in Japan, from ${FIRST_RANKING_DATE} on: a Monday for weekly (the week's ranking is published on the Tuesday), the first of a month for monthly and quarterly. Default: the newest published one.`,
  ja: `ランキングの日本の日付（${FIRST_RANKING_DATE} から）。weekly は月曜（その週のランキングは火曜に公開）、monthly と quarterly は 1 日。省略時は公開済みの最新。`,
  example: '2026-10-01',
  published: { type: 'string', format: 'date' },
};

export const RANKING_LIM = wholeNumber(1, MAX_RANKS, {
  en: 'Number of entries from the first on, of each ranking. Default: all.',
  ja: '1 位からの件数。複数のランキングではそれぞれの件数。省略時はすべて。',
  example: 20,
});

export const RANKING_META = {
  // Each of several rankings has its own date.
  date: dateSchema('The ranking served.', '返したランキングの日付。', '2026-10-01').optional(),
  until: dateSchema(
    'From a local catalogue, without `date`, or with dates up to its newest ranking: the date of that ranking.',
    'ローカルカタログの場合: `date` を指定しないとき、または期間がカタログの最新のランキングに達するとき、そのランキングの日付。',
    '2026-10-01',
  ).optional(),
};

/** The published form of the details of ranking_not_published. */
export const NOT_PUBLISHED_DETAILS = z.object({
  type: z.string().meta({ en: 'Ranking period.', ja: 'ランキングの期間。', example: 'daily' }),
  date: dateSchema('The requested date.', '指定された日付。', '2030-01-01'),
  newest: dateSchema('The newest possible date.', '最も新しい日付。', '2026-11-20'),
});

const REASONS = {
  malformed: FAULTS.notDate.en,
  wrong_day: NOVEL_FAULTS.noRankingDate.en,
  too_early: NOVEL_FAULTS.beforeFirst(FIRST_RANKING_DATE).en,
};

export function faultsOfDate(clock: Clock, type: RankingType, date: string | undefined): ParameterFault[] {
  if (date === undefined) return [];
  const check = checkRankingDate(type, date, clock.now());
  if (check.valid) return [];
  return [{ ...parameterFault('date', RANKING_DATE, date, REASONS[check.fault]), nearest: check.nearest }];
}

function notPublished(type: RankingType, date: string, newest: string): ServiceError {
  const message = `There is no ${type} ranking of ${date} (yet). The newest possible one is ${newest}.`;
  return new ServiceError(NOVEL_ERRORS.ranking_not_published, { message, details: { type, date, newest } });
}

/** Whether the error states that there is no such ranking (yet). */
export const isNotPublished = (error: unknown) =>
  error instanceof ServiceError && error.code === 'ranking_not_published';

/** The question for the ranking of a date. Throws ranking_not_published for one in the future. */
export function rankingOf(services: EndpointServices, type: RankingType, date: string): Question {
  const now = services.clock.now();
  const newest = newestRankingDate(type, now);
  const publication = rankingPublication(type, date, now);
  if (publication === 'future') throw notPublished(type, date, newest);
  const memoryBytes = MAX_RANKS * BYTES_A_RANK;
  return questionOf(services, { key: `rankings/${type}/${date}`, memoryBytes }, async (requester) => {
    const ranking = await services.source.getRanking(type, date, requester);
    if ('absent' in ranking) throw notPublished(type, date, newest);
    const { value: data, standing } = ranking;
    // One that was cut off has no hole.
    const isWhole = data.length >= MAX_RANKS || standing === 'confirmed';
    const policy = !isWhole ? RANKING : standing === 'unconfirmed' ? UNCONFIRMED_RANKING : PAST_RANKING;
    const missing = standing === 'doubtful' && { missing: [date] };
    return {
      data,
      total: data.length,
      meta: { source: 'rank', date, ...missing },
      policy: publication === 'published' ? policy : undefined,
      from: [ranking],
    };
  });
}

/** The newest published ranking: the previous one while the newest is being made, or late. */
async function newestRanking(
  services: EndpointServices,
  type: RankingType,
  cache: CacheReader,
): Promise<CacheEntry> {
  const newest = newestRankingDate(type, services.clock.now());
  const before = rankingDateBefore(type, newest);
  for (const date of before === null ? [newest] : [newest, before]) {
    try {
      return await cache.get(rankingOf(services, type, date), RANKING);
    } catch (error) {
      if (!isNotPublished(error)) throw error;
    }
  }
  if (before === null) throw notPublished(type, newest, newest);
  const cause = new Error(`neither the ${type} ranking of ${newest} nor that of ${before}, which was due`);
  throw new ServiceError(NOVEL_ERRORS.upstream_invalid, { cause });
}

/** The JSON of the first `lim` entries of a ranking, or of all. */
export const topEntries = ({ data }: CacheEntry, lim: number | undefined): string =>
  lim === undefined
    ? data.toString()
    : JSON.stringify((JSON.parse(data.toString()) as unknown[]).slice(0, lim));

/**
 * The question for a ranking, or its first `lim` entries, made of the whole ranking of a date, which the cache has once.
 * The newest ranking has an entry of its own, because it is not the newest as long as it is cached.
 */
export function requestedRanking(
  services: EndpointServices,
  type: RankingType,
  date: string | undefined,
  lim?: number,
): Question {
  const until = date === undefined ? services.source.newestRanking?.(type) : undefined;
  const day = date ?? until ?? newestRankingDate(type, services.clock.now());
  const whole = rankingOf(services, type, day);
  if (date !== undefined && lim === undefined) return whole;
  const key = `${whole.key}/${date === undefined ? 'newest' : 'dated'}/first-${lim ?? 'all'}`;
  const memoryBytes = MAX_RANKS * BYTES_A_RANK;
  return questionOf(services, { key, memoryBytes }, async (_requester, { cache }) => {
    const isDated = (date ?? until) !== undefined;
    const entry = isDated ? await cache.get(whole, RANKING) : await newestRanking(services, type, cache);
    return {
      data: lim === undefined ? entry.data : Buffer.from(topEntries(entry, lim)),
      total: entry.total,
      meta: entry.meta as EndpointMeta,
      from: [{ until }],
      madeOf: [entry],
    };
  });
}
