import { z } from 'zod';
import type {
  CachePolicy,
  LoadContext,
  LoadedData,
  CacheEntry,
  CacheReader,
  Question,
} from '@mokuroku/kit/cache';
import type { Envelope } from '@mokuroku/kit/http';
import { PART, WHOLE, mapUnordered } from '@mokuroku/kit/http';
import type { Requester } from '@mokuroku/narou/upstream';
import type { FacetCounts } from '@mokuroku/narou/queries';
import type { Provenance } from '@mokuroku/narou/source';
import { MINUTE, fresh } from './cache-policies.ts';

/** `meta.source`: the upstream interface of the data; `static` for the service's own tables. */
const SOURCES = ['novelapi', 'novel18api', 'rank', 'rankin', 'hydrated', 'userapi', 'static'] as const;
export type MetaSource = (typeof SOURCES)[number];

/** Members of `meta` that an endpoint sets. */
export interface EndpointMeta extends Record<string, unknown> {
  source: MetaSource;
  /** All matches of a search. */
  upstreamAllCount?: number;
  /** The ranking served, in the contract's form. */
  date?: string;
  /** Number of all matches of a search by value of some fields. */
  facets?: FacetCounts;
  /** When the oldest of the data were fetched, if not just now: ISO 8601, UTC. */
  asOf?: string;
  /** The last day that a ranking history covers (`YYYY-MM-DD`). */
  until?: string;
  /** Number of rows that the upstream sent, and that are left out. */
  unreadable?: number;
  /** Requested Ncodes of which the source does not know whether there is such a novel. */
  unknown?: readonly string[];
}

/** Data and their metadata. */
export interface CatalogueAnswer extends LoadedData {
  meta: EndpointMeta;
  /** What the source gave; cache entries are in `madeOf`. */
  from: readonly Provenance[];
}

/** Queries the source for a client, or composes other entries. */
type LoadForClient = (
  requester: Requester,
  cache: CacheReader,
  nextTurn: LoadContext['nextTurn'],
) => Promise<CatalogueAnswer>;

/** The data of a cache entry; null for an absence. */
export const dataOf = (entry: CacheEntry | undefined): unknown =>
  entry?.status === 200 ? JSON.parse(entry.data.toString()) : null;

/** The same data under another key. */
export function aliasOf(entry: CacheEntry): CatalogueAnswer {
  const { data, total } = entry;
  return { data, total, meta: entry.meta as EndpointMeta, from: [], madeOf: [entry], isComposed: true };
}

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
  const each = mapUnordered(questions, AT_ONCE, async (question, index) => {
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
    load: async function loadForClient({ signal, background, cache, nextTurn }) {
      const { from, ...answer } = await load({ client, background, signal }, cache, nextTurn);
      const parts = (answer.madeOf ?? []).map(({ meta }) => meta as EndpointMeta);
      const meta = { ...answer.meta, ...provenanceMeta(from, parts) };
      // Only the age of the data is no reason to send them again.
      const { asOf: age, ...validatedMeta } = meta;
      const asOf = age === undefined ? undefined : Date.parse(age);
      // Another look may find all.
      const isLacking = [meta.unreadable, meta.unknown, answer.meta['missing']].some(
        (lacks) => lacks !== undefined,
      );
      const policy = isLacking ? fresh(MINUTE) : answer.policy;
      return { total: meta.upstreamAllCount, ...answer, meta, validatedMeta, asOf, policy };
    },
  };
}

type ProvenanceMeta = Pick<EndpointMeta, 'asOf' | 'until' | 'unreadable'>;

/**
 * `meta.asOf`, when the oldest of the data were fetched, `meta.until`, the last day that all of them know, and
 * `meta.unreadable`, the number of rows left out. `parts` has those of the cache entries that a response is made of.
 */
export function provenanceMeta(
  from: readonly Provenance[],
  parts: readonly ProvenanceMeta[] = [],
): ProvenanceMeta {
  const times = from.flatMap(({ fetchedAt = Infinity }) =>
    fetchedAt === Infinity ? [] : [new Date(fetchedAt * 1_000).toISOString()],
  );
  const [asOf] = [...times, ...parts.flatMap((part) => part.asOf ?? [])].sort();
  const [until] = [...from, ...parts].flatMap((part) => part.until ?? []).sort();
  const unreadable = [...from, ...parts].reduce((sum, part) => sum + (part.unreadable ?? 0), 0);
  return {
    ...(asOf !== undefined && { asOf }),
    ...(until !== undefined && { until }),
    ...(unreadable > 0 && { unreadable }),
  };
}

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

/** Members of `meta` in every response. */
const META = z
  .object({
    cached: z.boolean().meta({
      en: 'Whether the response was cached.',
      ja: 'キャッシュされたレスポンスかどうか。',
      example: false,
    }),
    tookMs: z
      .number()
      .meta({ en: 'Processing time in milliseconds.', ja: '処理時間（ミリ秒）。', example: 12 }),
    source: z.enum(SOURCES).meta({
      en: 'The upstream interface that supplied the data; `static`: the service itself.',
      ja: 'データの取得元。`static` はサービス自身。',
      example: 'novelapi',
    }),
    asOf: z.string().optional().meta({
      format: 'date-time',
      en: 'From a local catalogue: when the oldest data of this response were fetched from the upstream. Never more than 14 days ago.',
      ja: 'ローカルカタログの場合: このレスポンスで最も古いデータの取得日時。14 日より前にはなりません。',
      example: '2026-11-20T03:12:45.000Z',
    }),
    unreadable: z.int().optional().meta({
      en: 'Number of rows that the upstream sent and `data` lacks: unreadable, repeated, or in contradiction to the request. Beyond a tenth of a list the response is 502. Cached for a minute.',
      ja: '取得元が返したが `data` にない行の数: 読み取れないもの、重複、条件に合わないもの。1 割を超えると 502 です。キャッシュは 1 分です。',
      example: 1,
    }),
    stale: z.literal(true).optional().meta({
      en: 'Present if the data are outdated, because the upstream fails or a refresh is running.',
      ja: '取得元の障害または更新中のため、データが古い場合に付きます。',
      example: true,
    }),
    ignored: z
      .array(z.string())
      .optional()
      .meta({
        en: 'Query parameters without effect: unknown, or not supported by the upstream; `of=u-g` for codes of `of` that adult novels lack.',
        ja: '無効なクエリパラメーター: 未知のもの、または取得元が対応していないもの。成人向け作品にない `of` のコードは `of=u-g` の形で示します。',
        example: ['limit'],
      }),
  })
  .meta({ ...PART, title: 'Meta', en: 'Metadata of the response.', ja: 'レスポンスのメタデータ。' });

/** `meta.unknown`, where several Ncodes are requested. */
export const UNKNOWN_NCODES = {
  unknown: z
    .array(z.string())
    .optional()
    .meta({
      en: 'Requested Ncodes of which nobody knows whether there are such novels: the upstream lost part of the list, or a local catalogue lacks them. All others that `data` lacks were denied by the upstream, or do not match.',
      ja: '小説が存在するかどうか不明な Nコード。取得元が一覧の一部を返さなかったか、ローカルカタログにないものです。ほかに `data` にない Nコードは、取得元が存在を否定したか、条件に合わないものです。',
      example: ['N9999ZZ'],
    }),
};

/** The published form of `meta`: common members, and those of an endpoint. */
export function metaSchema(source: MetaSource, extra: z.ZodRawShape) {
  const own = z
    .literal(source)
    .meta({ en: 'The value for this endpoint.', ja: 'このエンドポイントでの値。', example: source });
  return z.intersection(META, z.object({ source: own, ...extra }).meta(PART)).meta(WHOLE);
}
