import { isUtf8 } from 'node:buffer';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { ServiceError } from '../../errors.ts';
import { parseJson } from '../../process/json.ts';
import { excessOf } from './json-bounds.ts';
import { OversizedResponse, invalidResponse, unreadableResponse } from './upstream-failure.ts';

const unpack = promisify(gunzip);

/** A received response. */
export interface RawReply {
  status: number;
  /** Seconds of Retry-After, if stated. */
  retryAfterSeconds: number | undefined;
  body: Buffer;
}

/** Content of a response: JSON, or one of the upstream's plain-text errors (`Error: ...`, `DATE ERROR[n] ...`). */
export type UpstreamReply = { json: unknown } | { errorText: string };

const CHUNK_BYTES = 65_536;

function unpackFailure(cause: NodeJS.ErrnoException): ServiceError {
  if (cause.code === 'ERR_BUFFER_TOO_LARGE') {
    const problem = 'the response decompresses to more than UPSTREAM_MAX_BODY_BYTES';
    return new OversizedResponse(new Error(problem, { cause }));
  }
  const isCut = cause.code === 'Z_BUF_ERROR';
  const problem = isCut ? 'the response was cut off: its gzip file ends early' : 'its gzip file is damaged';
  return invalidResponse(new Error(problem, { cause }));
}

const isGzip = (bytes: Buffer): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;

/**
 * Unpacks a gzip file. With `gzip=5` the upstream sends one as the body, not as an HTTP encoding, and its error texts
 * may be packed or plain: so the body itself is examined, not the headers. A proxy may pack once more.
 */
export async function unpackLayers(body: Buffer, maxBytes: number): Promise<Buffer> {
  let bytes = body;
  try {
    for (let layer = 0; layer < 2 && isGzip(bytes); layer++) {
      bytes = await unpack(bytes, { maxOutputLength: maxBytes, chunkSize: CHUNK_BYTES });
    }
  } catch (cause) {
    throw unpackFailure(cause as NodeJS.ErrnoException);
  }
  return bytes;
}

const ERROR_TEXT = /^\s*(?:Error:|DATE ERROR\[)/;
const BYTE_ORDER_MARK = /^\ufeff/;

function describeNoJson(start: string, bytes: Buffer): string {
  if (bytes.length === 0) return 'nothing';
  if (/^\s*</.test(start)) return 'a web page instead of data';
  const isCut = /^\s*\[/.test(start) && !/\]\s*$/.test(bytes.toString('latin1', bytes.length - 10));
  return isCut ? 'data that were cut off' : 'no JSON';
}

/**
 * Reads a response. The status of the error texts is undocumented, so they are recognised under any status; JSON
 * counts only with a 2xx. Anything else rejects with upstream_unavailable or upstream_invalid.
 */
export async function readReply(raw: RawReply, maxBytes: number): Promise<UpstreamReply> {
  const bytes = await unpackLayers(raw.body, maxBytes);
  const start = bytes.toString('utf8', 0, 1_000).replace(BYTE_ORDER_MARK, '');
  if (ERROR_TEXT.test(start)) return { errorText: start.trim().slice(0, 200) };
  const unusable = (problem: string) => unreadableResponse({ ...raw, start, problem });
  if (raw.status < 200 || raw.status > 299) throw unusable('no success');
  if (!isUtf8(bytes)) throw unusable('bytes that are not UTF-8');
  const excess = excessOf(bytes);
  if (excess !== undefined) throw new OversizedResponse(new Error(`the response is too large: ${excess}`));
  const json = parseJson(bytes.toString());
  if (json === undefined) throw unusable(describeNoJson(start, bytes));
  if (typeof json === 'string' && ERROR_TEXT.test(json)) return { errorText: json.slice(0, 200) };
  return { json };
}
