import { z } from 'zod';
import type { Envelope } from '../../http/endpoint.ts';
import { PART, WHOLE } from '../../http/openapi-schemas.ts';
import type { FacetCounts } from '../novels/novel-query.ts';

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
    cached: z.boolean().meta({ description: 'Whether the response was cached.', example: false }),
    tookMs: z.number().meta({ description: 'Processing time in milliseconds.', example: 12 }),
    source: z.enum(SOURCES).meta({
      description: 'The upstream interface that supplied the data; `static`: the service itself.',
      example: 'novelapi',
    }),
    asOf: z.string().optional().meta({
      format: 'date-time',
      description:
        'From a local catalogue: when the oldest data of this response were fetched from the upstream. Never more than 14 days ago.',
      example: '2026-11-20T03:12:45.000Z',
    }),
    stale: z.literal(true).optional().meta({
      description: 'Present if the data are outdated, because the upstream fails or a refresh is running.',
      example: true,
    }),
    ignored: z
      .array(z.string())
      .optional()
      .meta({
        description:
          'Query parameters without effect: unknown, or not supported by the upstream; `of=u-g` for codes of `of` that adult novels lack.',
        example: ['limit'],
      }),
  })
  .meta({ ...PART, title: 'Meta', description: 'Metadata of the response.' });

/** The published form of `meta`: common members, and those of an endpoint. */
export function metaSchema(source: MetaSource, extra: z.ZodRawShape) {
  const own = z.literal(source).meta({ description: 'The value for this endpoint.', example: source });
  return z.intersection(META, z.object({ source: own, ...extra }).meta(PART)).meta(WHOLE);
}
