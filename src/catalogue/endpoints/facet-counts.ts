import { z } from 'zod';
import type { FacetName } from '../novels/novel-query.ts';

/** `meta.facets`, on searches that ask for them. */
export const FACET_COUNTS = {
  facets: z
    .record(z.string(), z.record(z.string(), z.number()))
    .optional()
    .meta({
      description:
        'Number of all matches by value of each field that `facets` names. Values without a match are left out. Unit: records.',
      example: { type: { t: 120, r: 45, er: 37 } },
    }),
};

/** The end of a cache key: nothing for a search that counts nothing. */
export const facetKey = (facets: readonly FacetName[] | undefined): string =>
  facets === undefined ? '' : `&facets=${facets.join(',')}`;
