import { ServiceError } from '@mokuroku/kit';
import type { CacheEntry, Question } from '@mokuroku/kit/cache';
import {
  MAX_RANKS,
  NOVEL_ERRORS,
  newestRankingDate,
  rankingDateBefore,
  rankingDatesBetween,
  rankingPublication,
} from '@mokuroku/narou';
import type { RankingType } from '@mokuroku/narou';
import { PAST_RANKING, RANKING, UNCONFIRMED_RANKING } from './cache-policies.ts';
import { BYTES_A_RANK, getMany, questionOf } from './catalogue-answer.ts';
import type { EndpointMeta, PartReader } from './catalogue-answer.ts';
import type { EndpointServices, SharedServices } from './endpoint.ts';

// One ranking, the newest, or several: each is loaded and cached once, and lists of them are made of these.

function notPublished({ clock }: SharedServices, type: RankingType, date: string): ServiceError {
  const newest = newestRankingDate(type, clock.now());
  const message = `There is no ${type} ranking of ${date} (yet). The newest possible one is ${newest}.`;
  return new ServiceError(NOVEL_ERRORS.ranking_not_published, { message, details: { type, date, newest } });
}

/** Whether the error states that there is no such ranking (yet). */
const isNotPublished = (error: unknown) =>
  error instanceof ServiceError && error.code === 'ranking_not_published';

/** The question for the ranking of a date. Throws ranking_not_published for one in the future. */
function rankingOf(services: EndpointServices, type: RankingType, date: string): Question {
  const publication = rankingPublication(type, date, services.clock.now());
  if (publication === 'future') throw notPublished(services, type, date);
  const memoryBytes = MAX_RANKS * BYTES_A_RANK;
  return questionOf(services, { key: `rankings/${type}/${date}`, memoryBytes }, async (requester) => {
    const ranking = await services.source.getRanking(type, date, requester);
    if ('absent' in ranking) throw notPublished(services, type, date);
    const { value: data, standing } = ranking;
    // One that was cut off has no hole.
    const isWhole = data.length >= MAX_RANKS || standing === 'confirmed';
    const policy = !isWhole ? RANKING : standing === 'unconfirmed' ? UNCONFIRMED_RANKING : PAST_RANKING;
    return {
      data,
      total: data.length,
      meta: { source: 'rank', date },
      policy: publication === 'published' ? policy : undefined,
      from: [ranking, { missing: standing === 'doubtful' ? [date] : [] }],
    };
  });
}

/** The ranking before a later one, which was due: that there is none is a fault of the upstream, and no absence. */
export async function dueRanking(
  services: EndpointServices,
  type: RankingType,
  date: string,
  { cache }: Pick<PartReader, 'cache'>,
): Promise<CacheEntry> {
  try {
    return await cache.get(rankingOf(services, type, date), RANKING);
  } catch (error) {
    if (!isNotPublished(error)) throw error;
    throw new ServiceError(NOVEL_ERRORS.upstream_invalid, { cause: error });
  }
}

/** The newest published ranking: the previous one while the newest is being made, or late. */
async function newestRanking(
  services: EndpointServices,
  type: RankingType,
  reader: Pick<PartReader, 'cache'>,
): Promise<CacheEntry> {
  const newest = newestRankingDate(type, services.clock.now());
  const before = rankingDateBefore(type, newest);
  try {
    return await reader.cache.get(rankingOf(services, type, newest), RANKING);
  } catch (error) {
    if (before === null || !isNotPublished(error)) throw error;
    return dueRanking(services, type, before, reader);
  }
}

/** The JSON of the first `lim` entries of a ranking, or of all. */
const topEntries = ({ data }: CacheEntry, lim: number | undefined): string =>
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
  return questionOf(services, { key, memoryBytes }, async (_requester, reader) => {
    const isDated = (date ?? until) !== undefined;
    const entry = await (isDated ? reader.cache.get(whole, RANKING) : newestRanking(services, type, reader));
    return {
      data: lim === undefined ? entry.data : Buffer.from(topEntries(entry, lim)),
      total: entry.total,
      meta: entry.meta as EndpointMeta,
      from: [{ until }],
      madeOf: [entry],
    };
  });
}

// Several rankings at once, between two dates.

/** The requested span; a missing end is open. */
export interface RankingSpan {
  from: string;
  to?: string | undefined;
}

const LAST_DAY = '9999-12-31';

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
    const late = new Set<number>();
    const entries = await getMany(each, RANKING, cache, (error, at) => {
      if (!(error instanceof ServiceError && OF_ONE_RANKING.has(error.code))) return false;
      if (!isNotPublished(error)) services.reportFailure((failure = error));
      else late.add(at);
      return true;
    });
    const rankings = dates.flatMap((date, at) =>
      entries[at]?.status === 200 ? [`{"date":"${date}","entries":${topEntries(entries[at], lim)}}`] : [],
    );
    if (rankings.length === 0 && failure !== undefined) throw failure;
    const missing = dates.filter((_, at) => entries[at]?.status !== 200);
    // Without `to` a span ends where the ranking without a date is.
    const isEarly = late.has(dates.length - 1) && span.to === undefined;
    return {
      data: Buffer.from(`[${rankings.join(',')}]`),
      total: rankings.length,
      meta: { source: 'rank' },
      from: [
        { until: until === dates.at(-1) ? until : undefined },
        { missing: isEarly ? missing.slice(0, -1) : missing },
      ],
      madeOf: entries.filter((entry) => entry !== undefined),
    };
  });
  return { ...question, isComposed: true };
}
