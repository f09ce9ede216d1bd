import { crc32 } from 'node:zlib';
import { z } from 'zod';
import type { CacheEntry } from './cache-entry.ts';

/**
 * Format of a cache entry in the store: `mk4`, the header's length and the checksum of the rest (both unsigned 32 bits,
 * big endian), the header as JSON with the entry's key, the data. An incompatible format gets another mark, so that
 * replicas of two releases can share one store.
 */
const MARK = Buffer.from('mk4\n', 'latin1');
const HEADER_AT = MARK.length + 8;

const headerSchema = z.object({
  key: z.string(),
  status: z.literal([200, 404]),
  meta: z.record(z.string(), z.unknown()),
  total: z.int().min(0).optional(),
  mayContinue: z.boolean().optional(),
  etag: z.string().regex(/^W\/"[\w-]+"$/),
  fetchedAt: z.int().min(0),
  freshUntil: z.int().min(0),
  revalidateUntil: z.int().min(0),
  staleIfErrorUntil: z.int().min(0),
});

export function encodeEntry(key: string, entry: CacheEntry): Buffer {
  const { data, ...facts } = entry;
  const header = Buffer.from(JSON.stringify({ key, ...facts }));
  const bytes = Buffer.concat([MARK, Buffer.alloc(8), header, data]);
  bytes.writeUInt32BE(header.length, MARK.length);
  bytes.writeUInt32BE(crc32(bytes.subarray(HEADER_AT)), MARK.length + 4);
  return bytes;
}

/** undefined if the bytes are no entry of this key, a truncated one, or one of another release. */
export function decodeEntry(key: string, bytes: Buffer): CacheEntry | undefined {
  if (bytes.length < HEADER_AT || !bytes.subarray(0, MARK.length).equals(MARK)) return undefined;
  const dataAt = HEADER_AT + bytes.readUInt32BE(MARK.length);
  if (crc32(bytes.subarray(HEADER_AT)) !== bytes.readUInt32BE(MARK.length + 4)) return undefined;
  const header = readHeader(bytes.toString('utf8', HEADER_AT, dataAt));
  if (!header) return undefined;
  const { key: writtenKey, ...facts } = header;
  return writtenKey === key ? { ...facts, data: bytes.subarray(dataAt) } : undefined;
}

function readHeader(json: string) {
  try {
    return headerSchema.safeParse(JSON.parse(json)).data;
  } catch {
    return undefined;
  }
}
