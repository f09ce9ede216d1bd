import { Pool } from 'undici';
import type { Dispatcher } from 'undici';
import type { Clock } from '../../process/clock.ts';
import type { Gate } from '../../upstream/gate.ts';
import { UpstreamUnavailable, connectionFailure, invalid } from './upstream-failure.ts';
import { readReply } from './reply.ts';
import type { RawReply, Transcode, UpstreamReply } from './reply.ts';

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
  /** Lets as many requests through at once as there are connections. */
  gate: Gate;
  clock: Clock;
  /** Told of every piece received. */
  countBytes: (count: number) => void;
}

export interface NarouTransport {
  /** GETs `path?query` as JSON. Rejects with a ServiceError; an error text of the upstream is an answer. */
  get(path: string, query: string): Promise<UpstreamReply>;
  /** The same, but what `transcode` makes of the bytes is taken where it makes something of them. */
  get<Result>(
    path: string,
    query: string,
    transcode: Transcode<Result>,
  ): Promise<UpstreamReply | { transcoded: Result }>;
  /** Ends all connections; requests under way are rejected. */
  close(): Promise<void>;
}

const tooLarge = (maxBytes: number) => invalid(new Error(`the answer is larger than ${maxBytes} bytes`));

/** One request, its body collected. */
async function fetchReply(
  pool: Pool,
  request: Dispatcher.RequestOptions,
  { maxBodyBytes, countBytes }: Pick<NarouTransportOptions, 'maxBodyBytes' | 'countBytes'>,
): Promise<RawReply> {
  let isBegun = false;
  try {
    const { statusCode: status, headers, body } = await pool.request(request);
    isBegun = true;
    const retryAfter = headers['retry-after'];
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of body as AsyncIterable<Buffer>) {
      size += chunk.length;
      countBytes(chunk.length);
      // Leaving the loop ends the connection.
      if (size > maxBodyBytes || Number(headers['content-length']) > maxBodyBytes)
        throw tooLarge(maxBodyBytes);
      chunks.push(chunk);
    }
    const isStated = typeof retryAfter === 'string';
    return { status, retryAfter: isStated ? retryAfter : undefined, body: Buffer.concat(chunks, size) };
  } catch (error) {
    throw connectionFailure(error as Error, isBegun);
  }
}

/** The only door to the upstream. Asks for JSON in a gzip file and takes whatever comes. */
export function createNarouTransport(options: NarouTransportOptions): NarouTransport {
  const base = new URL(options.baseUrl);
  const prefix = base.pathname.replace(/\/+$/, '');
  const pool = new Pool(base.origin, {
    connections: options.connections,
    pipelining: 1,
    connect: { timeout: options.connectTimeoutMs },
    headersTimeout: options.headersTimeoutMs,
    bodyTimeout: options.bodyTimeoutMs,
  });
  let closed = false;
  const headers = ['user-agent', options.userAgent, 'accept', 'application/json'];

  async function get<Result>(
    path: string,
    query: string,
    transcode?: Transcode<Result>,
  ): Promise<UpstreamReply | { transcoded: Result }> {
    if (closed) throw new UpstreamUnavailable(new Error('closed'));
    const target = `${prefix}${path}?out=json&gzip=5${query === '' ? '' : `&${query}`}`;
    async function ask(signal: AbortSignal) {
      const raw = await fetchReply(pool, { path: target, method: 'GET', headers, signal }, options);
      return readReply(raw, options.maxBodyBytes, transcode);
    }
    return options.gate.run(base.host, ask, options.clock.monotonic() + options.deadlineMs);
  }

  function close(): Promise<void> {
    closed = true;
    return pool.destroy();
  }

  // The two forms of `get` differ in their types alone.
  return { get: get as NarouTransport['get'], close };
}
