import { Pool } from 'undici';
import type { Dispatcher } from 'undici';
import type { CallEnd } from '../../upstream/call-end.ts';
import type { UpstreamGuard } from '../../upstream/upstream-guard.ts';
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
  guard: UpstreamGuard;
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

/** One request, its body collected. Given up when the call must end, with the reason for that. */
function exchange(
  pool: Pool,
  request: Dispatcher.DispatchOptions,
  { maxBodyBytes, countBytes }: Pick<NarouTransportOptions, 'maxBodyBytes' | 'countBytes'>,
  end: CallEnd,
): Promise<RawReply> {
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    let given: Error | undefined;
    let size = 0;
    const chunks: Buffer[] = [];
    const reply: Omit<RawReply, 'body'> = { status: 0, retryAfter: undefined };

    function settle(): void {
      end.forget(abort);
    }
    function giveUp(error: Error): void {
      given = error;
      settle();
      reject(error);
      controller?.abort(error);
    }
    function refuseSize(): void {
      giveUp(invalid(new Error(`the answer is larger than ${maxBodyBytes} bytes`)));
    }
    function abort(): void {
      giveUp(end.reason ?? new Error('the call is over'));
    }
    end.listen(abort);

    pool.dispatch(request, {
      onRequestStart: (started) => {
        controller = started;
        if (given) started.abort(given);
      },
      onResponseStart: (_controller, status, headers) => {
        reply.status = status;
        const retryAfter = headers['retry-after'];
        reply.retryAfter = typeof retryAfter === 'string' ? retryAfter : undefined;
        if (Number(headers['content-length'] ?? 0) > maxBodyBytes) refuseSize();
      },
      onResponseData: (_controller, chunk) => {
        size += chunk.length;
        countBytes(chunk.length);
        if (size <= maxBodyBytes) chunks.push(chunk);
        else if (!given) refuseSize();
      },
      onResponseEnd: () => {
        settle();
        const only = chunks.length === 1 ? chunks[0] : undefined;
        resolve({ ...reply, body: only ?? Buffer.concat(chunks, size) });
      },
      onResponseError: (_controller, error) => {
        settle();
        reject(connectionFailure(error, reply.status > 0));
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
  let closed = false;
  const headers = ['user-agent', options.userAgent, 'accept', 'application/json'];

  async function get<Result>(
    path: string,
    query: string,
    transcode?: Transcode<Result>,
  ): Promise<UpstreamReply | { transcoded: Result }> {
    if (closed) throw new UpstreamUnavailable(new Error('closed'));
    const target = `${prefix}${path}?out=json&gzip=5${query === '' ? '' : `&${query}`}`;
    async function ask(end: CallEnd) {
      const raw = await exchange(pool, { path: target, method: 'GET', headers }, options, end);
      return readReply(raw, options.maxBodyBytes, transcode);
    }
    return options.guard.run(ask, { deadlineMs: options.deadlineMs });
  }

  function close(): Promise<void> {
    closed = true;
    return pool.destroy();
  }

  // The two forms of `get` differ in their types alone.
  return { get: get as NarouTransport['get'], close };
}
