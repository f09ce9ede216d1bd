import { Pool } from 'undici';
import type { Dispatcher } from 'undici';
import type { Clock } from '@mokuroku/kit/process';
import { readRetryAfter } from '@mokuroku/kit/process';
import { Turns } from '@mokuroku/kit/turns';
import type { Requester } from '../upstream/index.ts';
import type { NarouGate } from './gate.ts';
import { readReply } from './reply.ts';
import type { UpstreamReply } from './reply.ts';
import { OversizedResponse, connectionFailure } from './upstream-failure.ts';

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
  /** Called with the bytes of every chunk, and the client that caused the request. */
  countBytes: (count: number, requester: Requester | undefined) => void;
}

export interface NarouTransport {
  /** GETs `path?query` as JSON. Rejects with a ServiceError; an error text of the upstream is a response. */
  get(path: string, query: string, requester?: Requester): Promise<UpstreamReply>;
  /** Whether the last response had invented data; false before the first. */
  isSample: () => boolean;
  close(): Promise<void>;
}

/** Maximum responses unpacked and parsed at once. Each may need ten times its size in memory, and 50 ms. */
const READ_AT_ONCE = 1;

/** Requests JSON in a gzip file; also accepts uncompressed responses. Has the only sockets to the upstream. */
export function createNarouTransport(options: NarouTransportOptions): NarouTransport {
  const { clock, gate, maxBodyBytes } = options;
  const { origin, pathname } = new URL(options.baseUrl);
  const prefix = pathname.replace(/\/+$/, '');
  const pool = new Pool(origin, { connections: options.connections, pipelining: 1 });
  const headers = ['user-agent', options.userAgent, 'accept', 'application/json'];
  const reading = new Turns(READ_AT_ONCE);
  let isSample = false;

  return {
    get: async (path, query, requester) => {
      const target = `${prefix}${path}?out=json&gzip=5${query === '' ? '' : `&${query}`}`;
      const countBytes = (count: number) => options.countBytes(count, requester);
      const call = async (signal: AbortSignal) => {
        const request = { path: target, method: 'GET', headers, signal } as const;
        const response = await fetchReply(pool, request, { clock, maxBodyBytes, countBytes });
        if (response.status < 300) ({ isSample } = response);
        await reading.enter(signal);
        try {
          return await readReply(response, maxBodyBytes);
        } finally {
          reading.leave();
        }
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
  options: { clock: Clock; maxBodyBytes: number; countBytes: (count: number) => void },
) {
  const { clock, maxBodyBytes, countBytes } = options;
  let hasHeaders = false;
  try {
    const { statusCode: status, headers, body } = await pool.request(request);
    hasHeaders = true;
    const retryAfterSeconds = readRetryAfter(headers['retry-after'], clock.now());
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of body as AsyncIterable<Buffer>) {
      size += chunk.length;
      countBytes(chunk.length);
      if (Math.max(size, Number(headers['content-length'] ?? 0)) > maxBodyBytes) {
        // Leaving the loop closes the connection.
        throw new OversizedResponse(`the response is larger than ${maxBodyBytes} bytes`);
      }
      chunks.push(chunk);
    }
    return {
      status,
      retryAfterSeconds,
      body: Buffer.concat(chunks, size),
      /** Whether the server says that its data are invented. */
      isSample: headers['x-data'] === 'sample',
    };
  } catch (error) {
    throw connectionFailure(error as Error, hasHeaders);
  }
}
