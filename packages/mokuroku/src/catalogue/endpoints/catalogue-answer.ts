import type {
  CachePolicy,
  LoadContext,
  LoadedData,
  CacheEntry,
  CacheReader,
  Question,
} from '@mokuroku/kit/cache';
import type { Envelope } from '@mokuroku/kit/http';
import { mapUnordered } from '@mokuroku/kit/map-unordered';
import type { Requester } from '@mokuroku/narou/upstream';
import type { OfSelection, Provenance, SearchPage } from '@mokuroku/narou/source';
import { FIRST_LAGGING_COUNT } from '@mokuroku/narou';
import type { DatedRanking, RankingEntry } from '@mokuroku/narou';
import { MINUTE, fresh } from './cache-policies.ts';

/** `meta.source`: the upstream interface of the data; `static` for the service's own tables. */
export const SOURCES = ['novelapi', 'novel18api', 'rank', 'rankin', 'hydrated', 'userapi', 'static'] as const;
export type MetaSource = (typeof SOURCES)[number];

/** What all parts of a response together state of their data. */
interface ProvenanceMeta {
  asOf?: string;
  until?: string;
  unreadable?: number;
  missing?: readonly string[];
}

/** The members of `meta` that are read here; `schemas.ts` describes all. */
export interface EndpointMeta extends ProvenanceMeta, Record<string, unknown> {
  source: MetaSource;
  upstreamAllCount?: number;
  date?: string;
  unknown?: readonly string[];
}

/** Data and their metadata. */
export interface CatalogueAnswer extends LoadedData {
  meta: EndpointMeta;
  /** What the source gave; cache entries are in `madeOf`. */
  from: readonly Provenance[];
}

/** What composes a response of cache entries. */
export type PartReader = Pick<LoadContext, 'cache' | 'nextTurn'>;

/** Queries the source for a client, or composes other entries. */
type LoadForClient = (requester: Requester, reader: PartReader) => Promise<CatalogueAnswer>;

/** The rankings of an answer: one, or those of a span. */
export const rankingsOf = (data: unknown, meta: EndpointMeta, isSpan: boolean): readonly DatedRanking[] =>
  isSpan ? (data as DatedRanking[]) : [{ date: meta.date ?? '', entries: data as RankingEntry[] }];

/** Maximum concurrent upstream requests for one client request. */
export const AT_ONCE = 4;

/**
 * The cache entries of many questions of one kind, in order. An error for which `isMissing` is true counts as an
 * absence. Any other error fails the whole request; the entries so far stay cached, so that a retry resumes there.
 */
export async function getMany(
  questions: readonly Question[],
  policy: CachePolicy,
  cache: CacheReader,
  isMissing: (error: unknown, index: number) => boolean,
): Promise<(CacheEntry | undefined)[]> {
  const entries = Array.from<CacheEntry | undefined>({ length: questions.length });
  const each = mapUnordered(questions, { atOnce: AT_ONCE }, async (question, index) => {
    try {
      return { index, entry: await cache.get(question, policy) };
    } catch (error) {
      if (!isMissing(error, index)) throw error;
      return { index, entry: cache.find(question) };
    }
  });
  for await (const { index, entry } of each) entries[index] = entry;
  return entries;
}

/** Memory of a load, in bytes: the records, their JSON as a text and as bytes. Measured on the sample, and rounded up. */
export const BYTES_A_USER = 1_000;
export const BYTES_A_RANK = 200;
/** The JSON of some 800 entries, and once more in a list; a novel that ranks every day for years has more. */
export const BYTES_A_HISTORY = 120_000;
export const BYTES_A_CHANGE = 2_000;
/** Of a novel's record, and of its entry in a ranking. Synopses are the greater part of both. */
export const bytesANovel = (of: OfSelection): { record: number; entry: number } =>
  of === undefined || of.includes('s') ? { record: 6_000, entry: 1_300 } : { record: 2_000, entry: 300 };

/** Creates the question of a request, for a client. `memoryBytes`: of the load, with its result. */
export function questionOf(
  { client }: { client: string },
  { key, memoryBytes }: Required<Pick<Question, 'key' | 'memoryBytes'>>,
  load: LoadForClient,
): Question {
  return {
    key,
    client,
    memoryBytes,
    load: async function loadForClient({ signal, background, ...reader }) {
      const { from, ...answer } = await load({ client, background, signal }, reader);
      const parts = (answer.madeOf ?? []).map(({ meta }) => meta as EndpointMeta);
      const meta = { ...answer.meta, ...provenanceMeta(from, parts) };
      // Only the age of the data is no reason to send them again.
      const { asOf: age, ...validatedMeta } = meta;
      const asOf = age === undefined ? undefined : Date.parse(age);
      // Another look may find all.
      const isLacking = [meta.unreadable, meta.unknown, meta.missing].some((lacks) => lacks !== undefined);
      const policy = isLacking ? fresh(MINUTE) : answer.policy;
      return { total: meta.upstreamAllCount, ...answer, meta, validatedMeta, asOf, policy };
    },
  };
}

/**
 * `meta.asOf`, when the oldest of the data were fetched, `meta.until`, the last day that all of them know,
 * `meta.unreadable`, the number of rows left out, and `meta.missing`, the rankings that some of them lack. `parts` has
 * those of the cache entries that a response is made of.
 */
export function provenanceMeta(
  from: readonly Provenance[],
  parts: readonly ProvenanceMeta[] = [],
): ProvenanceMeta {
  const times = from.flatMap(({ fetchedAt = Infinity }) =>
    fetchedAt === Infinity ? [] : [new Date(fetchedAt * 1_000).toISOString()],
  );
  const [asOf] = [...times, ...parts.flatMap((part) => part.asOf ?? [])].sort();
  const all = [...from, ...parts];
  const [until] = all.flatMap((part) => part.until ?? []).sort();
  const unreadable = all.reduce((sum, part) => sum + (part.unreadable ?? 0), 0);
  const missing = [...new Set(all.flatMap((part) => part.missing ?? []))].sort();
  return {
    ...(asOf !== undefined && { asOf }),
    ...(until !== undefined && { until }),
    ...(unreadable > 0 && { unreadable }),
    ...(missing.length > 0 && { missing }),
  };
}

interface Rows {
  st: number;
  lim: number;
}

/** `maxStart` is the last position of the source. */
export function searchAnswer(
  page: SearchPage<object>,
  { lim }: Rows,
  maxStart: number | null,
  meta: EndpointMeta,
): CatalogueAnswer {
  const { allCount, unreadable = 0, unknown = [] } = page;
  // Sources without a last position count exactly. The upstream's count may lag: only a short page is the last.
  const mayLag = maxStart !== null && (allCount ?? 0) >= FIRST_LAGGING_COUNT;
  return {
    data: page.json ?? page.items,
    mayContinue: mayLag && page.items.length + unreadable === lim,
    meta: {
      ...meta,
      ...(unknown.length > 0 && { unknown }),
      ...(allCount !== undefined && { upstreamAllCount: allCount }),
    },
    from: [page],
  };
}

/** The page after the one that begins at `st`, within the source's positions. */
export const nextRows =
  ({ st, lim }: Rows, maxStart: number | null) =>
  ({ total = 0, mayContinue: isFull = false }: Pick<LoadedData, 'total' | 'mayContinue'>) =>
    st + lim <= Math.min(isFull ? Infinity : total, maxStart ?? Infinity)
      ? { st: String(st + lim) }
      : undefined;

const BEFORE_DATA = Buffer.from('{"data":');

/** `{"data": ..., "meta": {cached, tookMs, source, ...}}` */
export const CATALOGUE_ENVELOPE: Envelope = (entry, requestMeta) => {
  const { source, ...more } = entry.meta;
  const meta = {
    // Static tables always say `false`: nothing was fetched for them.
    cached: requestMeta.cached && source !== 'static',
    tookMs: requestMeta.tookMs,
    source,
    ...more,
    ...(requestMeta.stale ? { stale: true } : {}),
    ...(requestMeta.ignored.length > 0 ? { ignored: requestMeta.ignored } : {}),
  };
  return [BEFORE_DATA, entry.data, Buffer.from(`,"meta":${JSON.stringify(meta)}}`)];
};
