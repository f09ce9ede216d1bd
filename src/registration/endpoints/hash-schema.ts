import { createHash } from 'node:crypto';
import { z } from 'zod';

/** A short hash of a schema: two schemas with other members have other hashes. */
export const hashSchema = (schema: z.ZodType): string =>
  createHash('sha256')
    .update(JSON.stringify(z.toJSONSchema(schema)))
    .digest('base64url')
    .slice(0, 8);
