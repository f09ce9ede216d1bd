import { crc32 } from 'node:zlib';
import { z } from 'zod';
import type { StoredAnswer } from './stored-answer.ts';

/**
 * A kept answer outside this process: `mk1`, the header's length and the checksum of all that follows (both
 * unsigned 32 bits, big endian), the header as JSON, the body. A layout that readers of old entries could not
 * understand gets another mark, so that replicas of two releases can share one place.
 */
const MARK = Buffer.from('mk1\n', 'latin1');
const HEADER_AT = MARK.length + 8;

const headerSchema = z.object({
  status: z.int().min(200).max(599),
  dataEnd: z.int().min(0),
  meta: z.record(z.string(), z.unknown()),
  etag: z.string().regex(/^W\/"[\w-]+"$/),
  storedAt: z.int().min(0),
  freshUntil: z.int().min(0),
  revalidateUntil: z.int().min(0),
  keepUntil: z.int().min(0),
});

export function encodeEntry(answer: StoredAnswer): Buffer {
  const { status, dataEnd, meta, etag, storedAt, freshUntil, revalidateUntil, keepUntil } = answer;
  const header = Buffer.from(
    JSON.stringify({ status, dataEnd, meta, etag, storedAt, freshUntil, revalidateUntil, keepUntil }),
  );
  const bytes = Buffer.concat([MARK, Buffer.alloc(8), header, answer.body]);
  bytes.writeUInt32BE(header.length, MARK.length);
  bytes.writeUInt32BE(crc32(bytes.subarray(HEADER_AT)), MARK.length + 4);
  return bytes;
}

/** undefined when these bytes are not an entry, not a whole one, or not one that this release understands. */
export function decodeEntry(bytes: Buffer): StoredAnswer | undefined {
  if (bytes.length < HEADER_AT || !bytes.subarray(0, MARK.length).equals(MARK)) return undefined;
  const bodyAt = HEADER_AT + bytes.readUInt32BE(MARK.length);
  if (bodyAt > bytes.length) return undefined;
  if (crc32(bytes.subarray(HEADER_AT)) !== bytes.readUInt32BE(MARK.length + 4)) return undefined;
  const header = readHeader(bytes.toString('utf8', HEADER_AT, bodyAt));
  const body = bytes.subarray(bodyAt);
  if (!header || header.dataEnd > body.length) return undefined;
  return { ...header, body, forms: new Map() };
}

function readHeader(json: string) {
  try {
    return headerSchema.safeParse(JSON.parse(json)).data;
  } catch {
    return undefined;
  }
}
