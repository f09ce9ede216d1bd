import { z } from 'zod';
import { parseJson } from '../process/json.ts';
import type { CacheEntry } from './cache-entry.ts';

/**
 * The first line of a cache entry in the store; its data follow. An incompatible form gets another number, so that
 * replicas of two releases can share one store.
 */
const headerSchema = z.object({
  form: z.literal(5),
  key: z.string(),
  bytes: z.int(),
  facts: z.object({
    status: z.literal([200, 404]),
    meta: z.record(z.string(), z.unknown()),
    total: z.int().min(0).optional(),
    mayContinue: z.boolean().optional(),
    etag: z.string().regex(/^W\/"[\w-]+"$/),
    fetchedAt: z.int().min(0),
    freshUntil: z.int().min(0),
    revalidateUntil: z.int().min(0),
    staleIfErrorUntil: z.int().min(0),
  }),
});

export function encodeEntry(key: string, { data, ...facts }: CacheEntry): Buffer {
  const header = JSON.stringify({ form: 5, key, bytes: data.length, facts });
  return Buffer.concat([Buffer.from(`${header}\n`), data]);
}

/** undefined if the bytes are no entry of this key, a truncated one, or one of another release. */
export function decodeEntry(key: string, stored: Buffer): CacheEntry | undefined {
  const dataAt = stored.indexOf('\n') + 1;
  const header = headerSchema.safeParse(parseJson(stored.toString('utf8', 0, dataAt))).data;
  const data = stored.subarray(dataAt);
  return header?.key === key && header.bytes === data.length ? { ...header.facts, data } : undefined;
}
