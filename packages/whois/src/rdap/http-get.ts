import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import tls from 'node:tls';
import { promisify } from 'node:util';
import { unzip } from 'node:zlib';
import type { Clock } from '@mokuroku/kit/clock';
import type { Dial } from '../net/dial.ts';
import { ServerFault, toServerFault } from '../net/server-fault.ts';
import { withSignal } from '@mokuroku/kit/deadline';
import { readRetryAfter, waitSeconds } from '@mokuroku/kit/requests';

interface HttpGetResult {
  status: number;
  location: string | undefined;
  /** Whole seconds, if stated and valid. */
  retryAfterSeconds: number | undefined;
  /** Whether the response states the end of the body, so that an empty body is complete. */
  isDelimited: boolean;
  /** Decompressed if necessary. */
  body: Buffer;
}

/**
 * Sends a GET, without following redirects. Rejects with a ServerFault. `maxBytes` limits the compressed and the
 * decompressed body.
 */
export type HttpGet = (url: URL, maxBytes: number, signal: AbortSignal) => Promise<HttpGetResult>;

const ACCEPT = 'application/rdap+json, application/json';

/** The guarded dialer opens every connection, with or without TLS; node:http uses it. */
export function createHttpGet(dial: Dial, userAgent: string, clock: Clock): HttpGet {
  const headers = { accept: ACCEPT, 'accept-encoding': 'identity', 'user-agent': userAgent };

  return async function httpGet(url, maxBytes, signal) {
    const isTls = url.protocol === 'https:';
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const port = url.port === '' ? (isTls ? 443 : 80) : Number(url.port);
    const socket = await dial({ host, port }, signal);
    try {
      const connection = isTls ? secure(socket, host) : socket;
      const request = (isTls ? https : http).request(url, {
        headers,
        signal,
        // Without an agent, Node would write the default port into the Host header.
        defaultPort: isTls ? 443 : 80,
        createConnection: () => connection,
      });
      const response = await responseTo(request);
      const packed = await readAllBytes(response, maxBytes);
      return {
        ...headOf(response.statusCode ?? 0, (name) => response.headers[name] as string | undefined, clock),
        body: await unpack(packed, response.headers['content-encoding'], maxBytes),
      };
    } catch (error) {
      throw toServerFault(signal.aborted ? signal.reason : error);
    } finally {
      socket.destroy();
    }
  };
}

/** The part of the web's `fetch` that RDAP needs. */
export type Fetch = (
  url: string,
  init: { headers: Record<string, string>; redirect: 'manual'; signal: AbortSignal },
) => Promise<Pick<Response, 'status' | 'headers' | 'body'>>;

/** GET requests through the caller's own `fetch`, which decompresses bodies itself. */
export function createFetchGet(fetch: Fetch, userAgent: string, clock: Clock): HttpGet {
  const headers = { accept: ACCEPT, 'user-agent': userAgent };

  return async function fetchGet(url, maxBytes, signal) {
    try {
      const response = await withSignal(fetch(url.href, { headers, redirect: 'manual', signal }), signal);
      return {
        ...headOf(response.status, (name) => response.headers.get(name) ?? undefined, clock),
        body: await withSignal(readAllBytes(response.body, maxBytes), signal),
      };
    } catch (error) {
      throw toServerFault(signal.aborted ? signal.reason : error);
    }
  };
}

function headOf(status: number, header: (name: string) => string | undefined, clock: Clock) {
  const stated = readRetryAfter(header('retry-after'), clock.now());
  return {
    status,
    location: header('location'),
    retryAfterSeconds: stated === undefined ? undefined : waitSeconds(stated),
    // Any other transfer coding ends with the connection.
    isDelimited:
      header('content-length') !== undefined || /\bchunked$/i.test(header('transfer-encoding') ?? ''),
  };
}

function secure(socket: net.Socket, host: string): tls.TLSSocket {
  const secured = tls.connect({ socket, host, ...(net.isIP(host) === 0 && { servername: host }) });
  // A later error, without a listener, would end the process.
  return secured.on('error', () => undefined);
}

function responseTo(request: http.ClientRequest): Promise<http.IncomingMessage> {
  return new Promise((done, fail) => {
    request.on('response', done);
    request.on('error', fail);
    // Node closes a connection that changes its protocol (101) without an error.
    request.on('close', () => fail(new ServerFault('bad_answer', { detail: 'closed without a response' })));
    request.end();
  });
}

/** The body of a response; null: it has none. */
async function readAllBytes(body: AsyncIterable<unknown> | null, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const unzipped = promisify(unzip) as (
  packed: Buffer,
  options: { maxOutputLength: number },
) => Promise<Buffer>;

/** Some servers compress responses without being asked. */
async function unpack(body: Buffer, encoding: string | undefined, maxBytes: number): Promise<Buffer> {
  if (encoding === undefined || body.length === 0 || /^identity$/i.test(encoding)) return body;
  if (!/^(?:x-)?gzip$|^deflate$/i.test(encoding)) {
    throw new ServerFault('bad_answer', { detail: `an encoding that was not requested: ${encoding}` });
  }
  try {
    return await unzipped(body, { maxOutputLength: maxBytes });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(maxBytes);
    throw new ServerFault('bad_answer', { detail: `not ${encoding} as it says`, cause: error });
  }
}

function tooLarge(maxBytes: number): ServerFault {
  return new ServerFault('too_large', { detail: `more than ${maxBytes} bytes` });
}
