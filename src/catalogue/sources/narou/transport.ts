import { Pool } from 'undici';
import type { Dispatcher } from 'undici';
import { connectionFailure, invalid, overloaded, timedOut, unavailable } from './upstream-failure.ts';
import { readReply } from './reply.ts';
import type { RawReply, UpstreamReply } from './reply.ts';

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
  /** For all of it: waiting for a connection, header, body. */
  deadlineMs: number;
  /** Of a body as sent, and again of what it unpacks to. */
  maxBodyBytes: number;
  /** Connections, each with one request at a time. */
  connections: number;
  /** Requests that may wait for a connection; more are refused (overloaded). */
  maxWaiting: number;
}

export interface NarouTransport {
  /** GETs `path?query` as JSON. Rejects with a ServiceError; an error text of the upstream is an answer. */
  get(path: string, query: string, signal?: AbortSignal): Promise<UpstreamReply>;
  /** Ends all connections; requests under way are rejected. */
  close(): Promise<void>;
}

interface Limits {
  deadlineMs: number;
  maxBodyBytes: number;
}

/** One request, its body collected. Never hangs: the deadline counts from the call, queueing included. */
function exchange(
  pool: Pool,
  request: Dispatcher.DispatchOptions,
  { deadlineMs, maxBodyBytes }: Limits,
  signal: AbortSignal | undefined,
): Promise<RawReply> {
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    let given: Error | undefined;
    let size = 0;
    const chunks: Buffer[] = [];
    const reply: Omit<RawReply, 'body'> = { status: 0, retryAfter: undefined };

    function settle(): void {
      clearTimeout(deadline);
      signal?.removeEventListener('abort', abort);
    }
    function giveUp(error: Error): void {
      given = error;
      settle();
      reject(error);
      controller?.abort(error);
    }
    function abort(): void {
      giveUp(unavailable(signal?.reason));
    }
    const deadline = setTimeout(() => {
      giveUp(timedOut(new Error(`no complete answer within ${deadlineMs} ms`)));
    }, deadlineMs);
    signal?.addEventListener('abort', abort, { once: true });

    pool.dispatch(request, {
      onRequestStart: (started) => {
        controller = started;
        if (given) started.abort(given);
      },
      onResponseStart: (_controller, status, headers) => {
        reply.status = status;
        const retryAfter = headers['retry-after'];
        reply.retryAfter = typeof retryAfter === 'string' ? retryAfter : undefined;
      },
      onResponseData: (_controller, chunk) => {
        size += chunk.length;
        if (size <= maxBodyBytes) chunks.push(chunk);
        else if (!given) giveUp(invalid(new Error(`the answer is larger than ${maxBodyBytes} bytes`)));
      },
      onResponseEnd: () => {
        settle();
        const only = chunks.length === 1 ? chunks[0] : undefined;
        resolve({ ...reply, body: only ?? Buffer.concat(chunks, size) });
      },
      onResponseError: (_controller, error) => {
        settle();
        reject(connectionFailure(error));
      },
    });
  });
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
  const headers = ['user-agent', options.userAgent, 'accept', 'application/json'];
  const mostUnderWay = options.connections + options.maxWaiting;
  let underWay = 0;

  async function get(path: string, query: string, signal?: AbortSignal): Promise<UpstreamReply> {
    if (underWay >= mostUnderWay) throw overloaded(new Error(`${underWay} requests under way`));
    if (signal?.aborted) throw unavailable(signal.reason);
    const target = `${prefix}${path}?out=json&gzip=5${query === '' ? '' : `&${query}`}`;
    underWay++;
    try {
      const raw = await exchange(pool, { path: target, method: 'GET', headers }, options, signal);
      return await readReply(raw, options.maxBodyBytes);
    } finally {
      underWay--;
    }
  }

  return { get, close: () => pool.destroy() };
}
