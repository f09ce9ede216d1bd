import { z } from 'zod';
import { integerSchema } from '../../http/documented-schemas.ts';
import type { LoadedData } from '../../cache/cache-entry.ts';
import { FIRST_LAGGING_COUNT } from '../novels/lagging-count.ts';
import type { SearchPage } from '../source/catalogue-source.ts';
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

/**
 * Whether a page is full and the upstream's count may lag: only a short page is the last. Sources without a last
 * position count exactly.
 */
export const mayContinue = (
  page: SearchPage<object>,
  { lim }: { lim: number },
  maxStart: number | null,
): boolean =>
  maxStart !== null &&
  (page.allCount ?? 0) >= FIRST_LAGGING_COUNT &&
  page.items.length + (page.unreadable ?? 0) === lim;

/** The page after the one that begins at `st`, within the source's positions (`maxStart`). */
export const nextRows =
  ({ st, lim }: { st: number; lim: number }, maxStart: number | null) =>
  ({ total = 0, mayContinue: isFull = false }: Pick<LoadedData, 'total' | 'mayContinue'>) =>
    st + lim <= Math.min(isFull ? Infinity : total, maxStart ?? Infinity)
      ? { st: String(st + lim) }
      : undefined;

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
