import { gunzip, gunzipSync } from 'node:zlib';
import { promisify } from 'node:util';
import { createKeptInflater } from './kept-inflater.ts';
import { invalid, unusableAnswer } from './upstream-failure.ts';

const gunzipAsync = promisify(gunzip);

/** What came over the wire. */
export interface RawReply {
  status: number;
  retryAfter: string | undefined;
  body: Buffer;
}

/** What it says: JSON, or one of the upstream's plain-text errors (`Error: ...`, `DATE ERROR[n] ...`). */
export type UpstreamReply = { json: unknown } | { errorText: string };

/** Takes the bytes of an answer without parsing them all; null for answers that are better parsed. */
export type Transcode<Result> = (bytes: Buffer) => Result | null;

/** Unpacked on the spot up to here: a trip to the thread pool costs more than that many bytes. */
const SYNC_GUNZIP_BYTES = 65_536;

const unpackOnTheSpot = createKeptInflater();

/** Shorter ones hold nothing. */
const MIN_GZIP_BYTES = 18;

const isGzip = (body: Buffer): boolean =>
  body.length >= MIN_GZIP_BYTES && body[0] === 0x1f && body[1] === 0x8b;

/** The unpacked size that a gzip file says it has, in its last four bytes (RFC 1952): it may be more, never less. */
const statedSize = (file: Buffer): number => file.readUInt32LE(file.length - 4);

/**
 * Unpacks a gzip file. The upstream sends one as the body when asked with `gzip=5`, not as an HTTP encoding, and its
 * error texts may come packed or plain: so the body itself is looked at, not the headers. A proxy may pack once more.
 */
function unpack(body: Buffer, maxBytes: number): Buffer | Promise<Buffer> {
  const size = statedSize(body);
  const bytes = size <= maxBytes ? unpackOnTheSpot?.(body, size) : undefined;
  return bytes && bytes.length <= maxBytes && !isGzip(bytes) ? bytes : unpackLayers(body, maxBytes);
}

async function unpackLayers(body: Buffer, maxBytes: number): Promise<Buffer> {
  let bytes = body;
  for (let layer = 0; layer < 2 && isGzip(bytes); layer++) {
    try {
      if (statedSize(bytes) > maxBytes) throw new Error(`it unpacks to ${statedSize(bytes)} bytes or more`);
      // With room for all of it at once it is one piece of work, not one for each 16 kB.
      const chunkSize = Math.min(statedSize(bytes) + 64, maxBytes);
      const options = { maxOutputLength: maxBytes, chunkSize };
      bytes =
        bytes.length <= SYNC_GUNZIP_BYTES ? gunzipSync(bytes, options) : await gunzipAsync(bytes, options);
    } catch (cause) {
      throw invalid(cause);
    }
  }
  return bytes;
}

const ERROR_TEXT = /^\s*(?:Error:|DATE ERROR\[)/;

function textOf(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  return text.charCodeAt(0) === 0xfe_ff ? text.slice(1) : text;
}

/**
 * Reads an answer. The status of the error texts is not documented, so they are understood whatever the status;
 * JSON counts only with a 2xx, and is first offered to `transcode`. Anything else rejects with upstream_unavailable or upstream_invalid.
 */
export async function readReply<Result>(
  raw: RawReply,
  maxBytes: number,
  transcode?: Transcode<Result>,
): Promise<UpstreamReply | { transcoded: Result }> {
  const unpacked = isGzip(raw.body) ? unpack(raw.body, maxBytes) : raw.body;
  // What was unpacked on the spot is good only until the next answer: nothing is awaited behind this line.
  const bytes = Buffer.isBuffer(unpacked) ? unpacked : await unpacked;
  const isGood = raw.status >= 200 && raw.status <= 299;
  const transcoded = isGood ? transcode?.(bytes) : undefined;
  if (transcoded != null) return { transcoded };
  const text = textOf(bytes);
  if (ERROR_TEXT.test(text)) return { errorText: text.trim().slice(0, 200) };
  if (!isGood) throw unusableAnswer(raw.status, text, raw.retryAfter);
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw unusableAnswer(raw.status, text, raw.retryAfter);
  }
  if (typeof json === 'string' && ERROR_TEXT.test(json)) return { errorText: json.slice(0, 200) };
  return { json };
}
