import { Client, buildConnector } from 'undici';
import type { Socket } from 'node:net';
import type { Clock } from '../../process/clock.ts';
import { connected } from '../net/dial.ts';
import type { Dial } from '../net/dial.ts';
import { RegistryFault, toRegistryFault } from '../look-up/registry-fault.ts';

export interface HttpAnswer {
  status: number;
  contentType: string;
  location: string | undefined;
  /** Seconds or a date, as stated. */
  retryAfter: string | undefined;
  body: Buffer;
}

/** One GET, redirects not followed. Rejects with a RegistryFault; `deadline` (monotonic ms) covers everything. */
export type HttpGet = (url: URL, deadline: number, maxBytes: number) => Promise<HttpAnswer>;

export function createHttpGet(clock: Clock, dial: Dial, userAgent: string): HttpGet {
  return async function httpGet(url, deadline, maxBytes) {
    const time = Math.max(1, Math.ceil(deadline - clock.monotonic()));
    const opened: Socket[] = [];
    const connection = new Client(url.origin, {
      connect: throughDial(dial, deadline, time, opened),
      pipelining: 1,
      headersTimeout: time,
      bodyTimeout: time,
    });
    try {
      const answer = await connection.request({
        method: 'GET',
        path: `${url.pathname}${url.search}`,
        headers: { accept: 'application/rdap+json, application/json', 'user-agent': userAgent },
        signal: AbortSignal.timeout(time),
      });
      return {
        status: answer.statusCode,
        contentType: one(answer.headers['content-type']) ?? '',
        location: one(answer.headers['location']),
        retryAfter: one(answer.headers['retry-after']),
        body: await readBody(answer.body, maxBytes),
      };
    } catch (error) {
      throw toHttpFault(error);
    } finally {
      for (const socket of opened) socket.destroy();
      connection.destroy().catch(() => undefined);
    }
  };
}

/** Every connection, plain or under TLS, is opened by the guarded dialer; undici only speaks over it. */
function throughDial(
  dial: Dial,
  deadline: number,
  timeMs: number,
  opened: Socket[],
): buildConnector.connector {
  const startTls = buildConnector({ timeout: timeMs, allowH2: false });
  return (options, callback) => {
    const isTls = options.protocol === 'https:';
    const host = options.hostname.replace(/^\[|\]$/g, '');
    const port = options.port === '' ? (isTls ? 443 : 80) : Number(options.port);
    const open = async () => {
      const socket = await dial({ host, port }, deadline);
      opened.push(socket);
      return connected(socket, timeMs);
    };
    open().then(
      (socket) => {
        if (isTls) startTls({ ...options, httpSocket: socket }, callback);
        else callback(null, socket);
      },
      (error: unknown) => {
        callback(toRegistryFault(error), null);
      },
    );
  };
}

async function readBody(body: AsyncIterable<unknown>, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    const bytes = chunk as Buffer;
    size += bytes.length;
    if (size > maxBytes) throw new RegistryFault('too_large', { detail: `more than ${maxBytes} bytes` });
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

function one(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}

function toHttpFault(error: unknown): RegistryFault {
  if (error instanceof Error && /^(?:Abort|Timeout)Error$|Timeout/.test(error.name)) {
    return new RegistryFault('timeout', { detail: 'the HTTP answer did not come in time', cause: error });
  }
  return toRegistryFault(error);
}
