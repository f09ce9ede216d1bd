import { Pool } from 'undici';
import type { Dispatcher } from 'undici';
import type { Clock } from '../../process/clock.ts';
import type { Asker } from '../../upstream/budget.ts';
import type { Gate } from '../../upstream/gate.ts';
import { Queue } from '../../upstream/queue.ts';
import { readReply } from './reply.ts';
import type { RawReply, UpstreamReply } from './reply.ts';
import { UpstreamUnavailable, connectionFailure, invalid, readRetryAfter } from './upstream-failure.ts';

export interface NarouTransportOptions {
  /** `https://api.syosetu.com`; may have a path in front of the interfaces' own. */
  baseUrl: string;
  /** The upstream refuses clients without one (403). */
  userAgent: string;
  connectTimeoutMs: number;
  /** From the request sent to the header received. */
  headersTimeoutMs: number;
  /** Between two pieces of the body. */
  bodyTimeoutMs: number;
  /** For all of it: waiting in line, retries, header, body. */
  deadlineMs: number;
  /** Of a body as sent, and again of what it unpacks to. */
  maxBodyBytes: number;
  /** Connections, each with one request at a time. */
  connections: number;
  clock: Clock;
  /** Lets as many requests through at once as there are connections. */
  gate: Gate;
  /** Told of every piece received, and on whose behalf. */
  countBytes: (count: number, asker: Asker | undefined) => void;
}

export interface NarouTransport {
  /** GETs `path?query` as JSON. Rejects with a ServiceError; an error text of the upstream is an answer. */
  get(path: string, query: string, asker?: Asker): Promise<UpstreamReply>;
  /** Ends all connections; requests under way are rejected. */
  close(): Promise<void>;
}

/** Answers unpacked and parsed at the same time: one may take ten times its size in memory, and 50 ms. */
const READ_AT_ONCE = 1;

/** The only socket to the upstream. Asks for JSON in a gzip file and takes whatever comes. */
export function createNarouTransport(options: NarouTransportOptions): NarouTransport {
  const { clock, gate, maxBodyBytes } = options;
  const base = new URL(options.baseUrl);
  const prefix = base.pathname.replace(/\/+$/, '');
  const pool = new Pool(base.origin, {
    connections: options.connections,
    pipelining: 1,
    connect: { timeout: options.connectTimeoutMs },
    headersTimeout: options.headersTimeoutMs,
    bodyTimeout: options.bodyTimeoutMs,
  });
  const reading = new Queue({ places: READ_AT_ONCE, maxWaiting: Infinity });
  const headers = ['user-agent', options.userAgent, 'accept', 'application/json'];
  let closed = false;

  async function read(raw: RawReply, signal: AbortSignal): Promise<UpstreamReply> {
    await reading.enter(signal);
    try {
      return await readReply(raw, maxBodyBytes);
    } finally {
      reading.leave(undefined);
    }
  }

  return {
    get: async (path, query, asker) => {
      if (closed) throw new UpstreamUnavailable(new Error('closed'), { mayPass: false });
      const target = `${prefix}${path}?out=json&gzip=5${query === '' ? '' : `&${query}`}`;
      const ask = async (signal: AbortSignal) => {
        const request = { path: target, method: 'GET', headers, signal } as const;
        const countBytes = (count: number) => {
          options.countBytes(count, asker);
        };
        return read(await fetchReply(pool, request, { clock, maxBodyBytes, countBytes }), signal);
      };
      return gate.run(base.host, ask, clock.monotonic() + options.deadlineMs, asker);
    },
    close: () => {
      closed = true;
      return pool.destroy();
    },
  };
}

/** One request, its body collected. */
async function fetchReply(
  pool: Pool,
  request: Dispatcher.RequestOptions,
  options: { clock: Clock; maxBodyBytes: number; countBytes: (count: number) => void },
): Promise<RawReply> {
  const { clock, maxBodyBytes, countBytes } = options;
  let isBegun = false;
  try {
    const { statusCode: status, headers, body } = await pool.request(request);
    isBegun = true;
    const retryAfterSeconds = readRetryAfter(headers['retry-after'], clock.now());
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of body as AsyncIterable<Buffer>) {
      size += chunk.length;
      countBytes(chunk.length);
      if (Math.max(size, Number(headers['content-length'] ?? 0)) > maxBodyBytes) {
        // Leaving the loop ends the connection.
        throw invalid(new Error(`the answer is larger than ${maxBodyBytes} bytes`));
      }
      chunks.push(chunk);
    }
    return { status, retryAfterSeconds, body: Buffer.concat(chunks, size) };
  } catch (error) {
    throw connectionFailure(error as Error, isBegun);
  }
}
