import { isUtf8 } from 'node:buffer';
import { gunzipSync } from 'node:zlib';
import { Pool } from 'undici';
import type { Dispatcher } from 'undici';
import { parseJson } from '@mokuroku/kit';
import type { ServiceError } from '@mokuroku/kit';
import type { Clock } from '@mokuroku/kit/process';
import { readRetryAfter } from '@mokuroku/kit/requests';
import type { OutgoingBudget, Requester } from '../upstream/index.ts';
import type { NarouGate } from './gate.ts';
import {
  OversizedResponse,
  connectionFailure,
  invalidResponse,
  unreadableResponse,
} from './upstream-failure.ts';

/** Content of a response: JSON, or one of the upstream's plain-text errors (`Error: ...`, `DATE ERROR[n] ...`). */
export type UpstreamReply = { json: unknown } | { errorText: string };
export interface NarouTransportOptions {
  /** `https://api.syosetu.com`; may have a path. */
  baseUrl: string;
  /** The upstream rejects clients without one (403). */
  userAgent: string;
  /** Covers waiting, retries, connection, header and body. */
  deadlineMs: number;
  /** Maximum bytes of a body before it is decompressed. */
  maxBodyBytes: number;
  connections: number;
  /** Permits as many concurrent requests as there are connections. */
  gate: NarouGate;
  clock: Clock;
  /** Counts the bytes of every chunk for the client that caused the request. undefined: no counting. */
  budget: Pick<OutgoingBudget, 'addBytes'> | undefined;
  /** Whether the data are invented, until the first response says so. False by default. */
  isSample?: boolean | undefined;
}

export interface NarouTransport {
  /** GETs `path?query` as JSON. Rejects with a ServiceError; an error text of the upstream is a response. */
  get(path: string, query: string, requester?: Requester): Promise<UpstreamReply>;
  /** Whether the last response had invented data. */
  isSample: () => boolean;
  close(): Promise<void>;
}

/** Requests JSON in a gzip file; also accepts uncompressed responses. Has the only sockets to the upstream. */
export function createNarouTransport(options: NarouTransportOptions): NarouTransport {
  const { gate, maxBodyBytes } = options;
  const { origin, pathname } = new URL(options.baseUrl);
  const prefix = pathname.replace(/\/+$/, '');
  const pool = new Pool(origin, { connections: options.connections, pipelining: 1 });
  const headers = ['user-agent', options.userAgent, 'accept', 'application/json'];
  let { isSample = false } = options;

  return {
    get: async (path, query, requester) => {
      const target = `${prefix}${path}?out=json&gzip=5${query === '' ? '' : `&${query}`}`;
      const call = async (signal: AbortSignal) => {
        const request = { path: target, method: 'GET', headers, signal } as const;
        const response = await fetchReply(pool, request, requester, options);
        if (response.status < 300) ({ isSample } = response);
        return readReply(response, maxBodyBytes);
      };
      return gate.run(call, options.deadlineMs, requester);
    },
    isSample: () => isSample,
    close: () => pool.destroy(),
  };
}

async function fetchReply(
  pool: Pool,
  request: Dispatcher.RequestOptions,
  requester: Requester | undefined,
  { clock, maxBodyBytes, budget }: NarouTransportOptions,
): Promise<RawReply> {
  let hasHeaders = false;
  try {
    const { statusCode: status, headers, body } = await pool.request(request);
    hasHeaders = true;
    const retryAfterSeconds = readRetryAfter(headers['retry-after'], clock.now());
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of body as AsyncIterable<Buffer>) {
      size += chunk.length;
      budget?.addBytes(chunk.length, requester);
      if (Math.max(size, Number(headers['content-length'] ?? 0)) > maxBodyBytes) {
        // Leaving the loop closes the connection.
        throw new OversizedResponse(`the response is larger than ${maxBodyBytes} bytes`);
      }
      chunks.push(chunk);
    }
    const isSample = headers['x-data'] === 'sample';
    return { status, retryAfterSeconds, isSample, body: Buffer.concat(chunks, size) };
  } catch (error) {
    throw connectionFailure(error as Error, hasHeaders);
  }
}

interface RawReply {
  status: number;
  /** Seconds of Retry-After, if stated. */
  retryAfterSeconds: number | undefined;
  /** Whether the server says that its data are invented. */
  isSample: boolean;
  body: Buffer;
}

const CHUNK_BYTES = 65_536;

function unpackFailure(cause: NodeJS.ErrnoException): ServiceError {
  if (cause.code === 'ERR_BUFFER_TOO_LARGE') {
    const problem = 'the response decompresses to more than is accepted';
    return new OversizedResponse(new Error(problem, { cause }));
  }
  const isCut = cause.code === 'Z_BUF_ERROR';
  const problem = isCut ? 'the response was cut off: its gzip file ends early' : 'its gzip file is damaged';
  return invalidResponse(new Error(problem, { cause }));
}

/**
 * Unpacks a gzip file. With `gzip=5` the upstream sends one as the body, not as an HTTP encoding, and its error texts
 * may be packed or plain: so the body itself is examined, not the headers. A proxy may pack once more. Synchronous:
 * parsing takes this thread anyway, and so no two bodies are unpacked in memory.
 */
export function unpackLayers(body: Buffer, maxBytes: number): Buffer {
  let bytes = body;
  try {
    for (let layer = 0; layer < 2 && bytes[0] === 0x1f && bytes[1] === 0x8b; layer++) {
      bytes = gunzipSync(bytes, { maxOutputLength: maxBytes, chunkSize: CHUNK_BYTES });
    }
  } catch (cause) {
    throw unpackFailure(cause as NodeJS.ErrnoException);
  }
  return bytes;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const AMPERSAND = 0x26;

/** The upstream's responses are lists of records of plain values; an unknown field may be nested deeper. */
const MAX_DEPTH = 16;

/** 500 novels with all fields are 20,000; a history of 25 years in all rankings is 40,000. */
const MAX_VALUES = 100_000;

/**
 * Why a body is too deep or too large to be parsed: in memory a few bytes of `[[[` or `{},{},` become a hundred times
 * as many. Undefined if it may be parsed, whether it is JSON or not. HTML entities count as values, because each is
 * decoded. One pass over the bytes.
 */
export function excessOf(bytes: Buffer): string | undefined {
  let depth = 0;
  let values = 0;
  for (let i = 0; i < bytes.length; i++) {
    switch (bytes[i]) {
      case QUOTE:
        i++;
        while (i < bytes.length && bytes[i] !== QUOTE) {
          if (bytes[i] === AMPERSAND) values++;
          i += bytes[i] === BACKSLASH ? 2 : 1;
        }
        break;
      case 0x5b: // [
      case 0x7b: // {
        values++;
        if (++depth > MAX_DEPTH) return `it is more than ${MAX_DEPTH} levels deep`;
        break;
      case 0x5d: // ]
      case 0x7d: // }
        depth--;
        break;
      case COMMA:
        values++;
    }
    if (values > MAX_VALUES) return `it has more than ${MAX_VALUES} values`;
  }
  return undefined;
}

const ERROR_TEXT = /^\s*(?:Error:|DATE ERROR\[)/;

function describeNoJson(start: string, bytes: Buffer): string {
  if (bytes.length === 0) return 'nothing';
  return /^\s*</.test(start) ? 'a web page instead of data' : 'no JSON';
}

/**
 * Reads a response. The status of the error texts is undocumented, so they are recognised under any status; JSON
 * counts only with a 2xx. Anything else throws upstream_unavailable or upstream_invalid.
 */
export function readReply(raw: Omit<RawReply, 'isSample'>, maxBytes: number): UpstreamReply {
  const bytes = unpackLayers(raw.body, maxBytes);
  const start = bytes.toString('utf8', 0, 1_000);
  if (ERROR_TEXT.test(start)) return { errorText: start.trim().slice(0, 200) };
  const unusable = (problem: string) => unreadableResponse(raw.status, raw.retryAfterSeconds, start, problem);
  if (raw.status < 200 || raw.status > 299) throw unusable('no success');
  if (!isUtf8(bytes)) throw unusable('bytes that are not UTF-8');
  const excess = excessOf(bytes);
  if (excess !== undefined) throw new OversizedResponse(`the response is too large: ${excess}`);
  const json = parseJson(bytes.toString());
  if (json === undefined) throw unusable(describeNoJson(start, bytes));
  if (typeof json === 'string' && ERROR_TEXT.test(json)) return { errorText: json.slice(0, 200) };
  return { json };
}
