import { z } from 'zod';
import { integerSchema } from '../../http/documented-schemas.ts';
import type { NextParameters } from '../../http/endpoint.ts';
import type { EndpointMeta } from './envelope.ts';

// Members of `meta` for searches.

/** `meta.upstreamAllCount`, on searches. */
export const ALL_COUNT = {
  upstreamAllCount: integerSchema(
    'Number of all matches upstream; from 1,000 on it may be up to 4 hours old. Unit: records.',
    1432,
  ).optional(),
};

/** Omitted if the source does not know the number. */
export function withAllCount(meta: EndpointMeta, allCount: number | undefined): EndpointMeta {
  return allCount === undefined ? meta : { ...meta, upstreamAllCount: allCount };
}

/** The page after the one that begins at `st`, within the source's positions (`maxStart`). */
export const nextRows =
  ({ st, lim }: { st: number; lim: number }, maxStart: number | null) =>
  ({ total = 0 }: { readonly total?: number | undefined }): NextParameters | undefined =>
    st + lim <= Math.min(total, maxStart ?? Infinity) ? { st: String(st + lim) } : undefined;

/** `meta.facets`, on request. */
export const FACET_COUNTS = {
  facets: z
    .record(z.string(), z.record(z.string(), z.number()))
    .optional()
    .meta({
      description:
        'Number of all matches by value of each field that `facets` names. Values without a match are omitted. Unit: records.',
      example: { type: { t: 120, r: 45, er: 37 } },
    }),
};
