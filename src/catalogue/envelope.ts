import { z } from 'zod';
import type { BodyShape } from '../cache/stored-answer.ts';

/** `meta.source`: which upstream interface supplied the data; `static` for tables that are part of the service. */
export const SOURCES = ['novelapi', 'novel18api', 'rank', 'rankin', 'hydrated', 'userapi', 'static'] as const;
export type MetaSource = (typeof SOURCES)[number];

/** What an endpoint says of its data, beside what is known of every answer. */
export interface EndpointMeta extends Record<string, unknown> {
  source: MetaSource;
  /** All matches of a search. */
  upstreamAllCount?: number;
  /** The ranking served, in the contract's form. */
  date?: string;
}

/** `{"data": ..., "meta": {cached, tookMs, source, ...}}` around the JSON of the data. */
export const ENVELOPE: BodyShape = {
  before: '{"data":',
  after: (meta, how) => {
    const { source, ...more } = meta;
    const whole = {
      // The tables come from no cache and are never old.
      cached: how.cached && source !== 'static',
      tookMs: how.tookMs,
      source,
      ...more,
      ...(how.stale ? { stale: true } : {}),
      ...(how.ignored.length > 0 ? { ignored: how.ignored } : {}),
    };
    return `,"meta":${JSON.stringify(whole)}}`;
  },
};

/** The published form of `meta`. */
export function metaSchema(source: MetaSource, extra: z.ZodRawShape) {
  return z.object({
    cached: z.boolean().meta({ description: 'Whether the answer came from the cache.', example: false }),
    tookMs: z.number().meta({ description: 'Processing time in milliseconds.', example: 12 }),
    source: z.literal(source).meta({ description: 'The upstream that supplied the data.', example: source }),
    ...extra,
    stale: z.literal(true).optional().meta({
      description:
        'Present when the data are older than they should be, because the upstream fails or is being asked.',
      example: true,
    }),
    ignored: z
      .array(z.string())
      .optional()
      .meta({
        description: 'Query parameters that had no effect: unknown here, or not offered by the upstream.',
        example: ['limit'],
      }),
  });
}
