import { z } from 'zod';
import type { EndpointMeta } from '../envelope.ts';

/** `meta.upstreamAllCount`, on searches. */
export const ALL_COUNT = {
  upstreamAllCount: z.number().optional().meta({
    type: 'integer',
    description: 'Number of all matches upstream; from 1,000 on it may be up to 4 hours old. Unit: records.',
    example: 1432,
  }),
};

/** Where the source could not tell the number, it is left out. */
export function withAllCount(meta: EndpointMeta, allCount: number | undefined): EndpointMeta {
  return allCount === undefined ? meta : { ...meta, upstreamAllCount: allCount };
}
