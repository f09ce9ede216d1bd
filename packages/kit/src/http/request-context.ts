import type { IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { ERRORS, ServiceError } from '../errors.ts';
import type { Clock } from '../process/clock.ts';
import type { Release } from '../limits/bounded-use.ts';
import type { ClientAddressReader } from './client-address.ts';
import type { ReceivedRequest } from './connections.ts';
import { MAX_URL_LENGTH, WHOLE_ADDRESS } from './parse-failures.ts';
import { part } from './part.ts';
import { isRequestTarget } from './routing.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Monotonic milliseconds. */
    startedAt: number;
    /** An IPv4 address, or an IPv6 /64. */
    client: string;
    /** Whether the request came by a trusted proxy. */
    isProxied: boolean;
    /** Values of `RateLimit` and `RateLimit-Policy`; undefined where requests are not counted. */
    limit: { left: string; policy: string } | undefined;
    /** Origin of the response, for log and metrics: a cache outcome, an error code, or the kind of page. */
    outcome: string;
    /** Bytes sent so far of a streamed body. */
    streamedBytes: number;
    /** Of what is in use for the request, until its response is closed. */
    releases: Release[];
  }
  interface FastifyContextConfig {
    /** Health, documents and pages: neither limited nor refused under load. */
    isExempt?: boolean;
  }
}

const REQUEST_ID = /^[\w.-]{1,64}$/;

/** Uses a client's X-Request-Id if it is harmless, otherwise a random stem and a counter. */
export function createRequestIds(stem: string): (request: IncomingMessage) => string {
  let count = 0;
  return (request) => {
    const given = request.headers['x-request-id'];
    if (typeof given === 'string' && REQUEST_ID.test(given)) return given;
    return `${stem}-${(++count).toString(36)}`;
  };
}

/**
 * A host of RFC 3986 with or without a port, or nothing: the values that a Host header may have (RFC 9110, section
 * 7.2).
 */
const HOST = /^(?:[\w.~!$&'()*+,;=%-]*|\[[0-9a-f:.]+\])(?::\d{0,5})?$/i;

const DEFAULT_PORT = /:(?:80|443)?$/;

const isSameHost = (one: string, other: string) =>
  one.toLowerCase().replace(DEFAULT_PORT, '') === other.toLowerCase().replace(DEFAULT_PORT, '');

const CONTINUE = /^100-continue$/i;

/** The fault of a malformed request, if any. The host must be unambiguous (RFC 9112, section 3.2). */
function requestFault(request: ReceivedRequest, url: string): ServiceError | undefined {
  const { httpVersionMinor, rawHeaders, headers } = request;
  if (request.refusal) return request.refusal;
  const isHost = (text: string, i: number) =>
    i % 2 === 0 && text.length === 4 && text.toLowerCase() === 'host';
  const hosts = rawHeaders.filter(isHost).length;
  if (hosts > 1 || (hosts === 0 && httpVersionMinor > 0)) {
    const message = `A request has exactly one Host header; this one has ${hosts}.`;
    return new ServiceError(ERRORS.invalid_parameter, { message });
  }
  if (url.length > MAX_URL_LENGTH) {
    const message = `The URL is ${url.length} characters long; at most ${MAX_URL_LENGTH} are accepted.`;
    return new ServiceError(ERRORS.uri_too_long, { message });
  }
  if (headers.host !== undefined && !HOST.test(headers.host)) {
    return new ServiceError(ERRORS.invalid_parameter, { message: 'The Host header is not a host.' });
  }
  if (headers.expect !== undefined && !CONTINUE.test(headers.expect)) {
    return new ServiceError(ERRORS.expectation_failed);
  }
  if (!isRequestTarget(url)) {
    return new ServiceError(ERRORS.invalid_parameter, { message: 'The request target is not a path.' });
  }
  const { host } = headers;
  if (url.startsWith('/') || host === undefined || isSameHost(WHOLE_ADDRESS.exec(url)?.[1] ?? '', host))
    return undefined;
  const message = 'The request target names another host than the Host header.';
  return new ServiceError(ERRORS.invalid_parameter, { message });
}

/** Gives every request its context and rejects malformed ones. The first of all hooks. */
export const requestContext = ({ clock, clients }: { clock: Clock; clients: ClientAddressReader }) =>
  part((app) => {
    app.decorateRequest('startedAt', 0);
    app.decorateRequest('outcome', 'page');
    app.decorateRequest('streamedBytes', 0);
    app.decorateRequest('client', '');
    app.decorateRequest('limit', undefined);
    app.decorateRequest('isProxied', false);
    app.addHook('onRequest', function setContext(request, reply, done) {
      request.startedAt = clock.monotonic();
      const { client, isProxied } = clients.senderOf(request.raw);
      request.client = client;
      request.isProxied = isProxied;
      const raw: ReceivedRequest = request.raw;
      const fault = requestFault(raw, request.originalUrl);
      const { upgrade, connection = '' } = raw.headers;
      // Node's parser drops the rest of the packet after an upgrade request. No other protocol is supported here.
      const isUpgrade = upgrade !== undefined && /upgrade/i.test(connection);
      // The client may send the body next, although it was refused.
      if (isUpgrade || fault?.code === 'expectation_failed') reply.header('connection', 'close');
      done(fault);
    });
  });

/** The address of a request as its client wrote it, for responses that contain absolute addresses. */
export interface RequestTarget {
  /** `https://api.example.org` */
  origin: string;
  /** Without a port. */
  hostname: string;
  /** The whole address, `https://api.example.org/things?word=...` */
  url: string;
}

const NAMED_HOST = /^(?:([a-z0-9](?:[a-z0-9.-]{0,252}[a-z0-9])?)|\[[0-9a-f:.]{2,45}\])(?::\d{1,5})?$/;

/** Only a trusted proxy's `X-Forwarded-Proto` counts. An invalid Host becomes `localhost`. */
export function requestTarget({
  headers,
  originalUrl,
  isProxied,
}: Pick<FastifyRequest, 'headers' | 'originalUrl' | 'isProxied'>): RequestTarget {
  const { host = '', 'x-forwarded-proto': forwarded } = headers;
  const isSecure = isProxied && forwarded === 'https';
  const [authority = 'localhost', name = 'localhost'] = NAMED_HOST.exec(host.toLowerCase()) ?? [];
  const origin = `${isSecure ? 'https' : 'http'}://${authority}`;
  // The host of a whole address equals the Host header, or the request is refused.
  return { origin, hostname: name, url: `${origin}${originalUrl.replace(WHOLE_ADDRESS, '')}` };
}
