import type { IncomingMessage } from 'node:http';
import { ERRORS, ServiceError } from '../errors.ts';
import type { ErrorKind } from '../errors.ts';
import { ALLOWED, FAULTS } from '../fault-texts.ts';
import { decodePart, parameterFault, shownText } from './parameter.ts';
import { part } from './part.ts';

/** A request that may be refused before it is parsed. The hooks treat it like any other. */
export interface ReceivedRequest extends IncomingMessage {
  refusal?: ServiceError;
  /** The client's method: `method` is the one for the router. */
  clientMethod?: string;
}

/** 500 codes of 7 characters with encoded commas are 5 kB. */
export const MAX_URL_LENGTH = 8_192;

/**
 * Node drops the rest, perhaps the X-Forwarded-For of a proxy. It reads 32 at once, so that a request with more shows it.
 */
export const MAX_HEADERS = 100;

/** Scheme and host of a request target that is a whole address. */
export const WHOLE_ADDRESS = /^https?:\/\/([^/?]+)/i;

/**
 * A path, or a whole address, as clients send it to proxies (RFC 9112, section 3.2). Neither has a fragment, which the
 * router would read as a query.
 */
export const isRequestTarget = (url: string): boolean =>
  !url.includes('#') && (url.startsWith('/') || (WHOLE_ADDRESS.test(url) && URL.canParse(url)));

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
function requestFault(request: IncomingMessage, url: string): ServiceError | undefined {
  const { httpVersionMinor, rawHeaders, headers } = request;
  if (rawHeaders.length > 2 * MAX_HEADERS) return new ServiceError(ERRORS.headers_too_large);
  let hosts = 0;
  // A name stands before its value.
  for (let i = 0; i < rawHeaders.length; i += 2) if (rawHeaders[i]?.toLowerCase() === 'host') hosts++;
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

/** No route has two segments of this kind. */
const NO_ROUTE = '/%00/%00';

export const ALLOWED_METHODS = 'GET, HEAD, OPTIONS';

const ROUTED_METHODS: ReadonlySet<string> = new Set(ALLOWED_METHODS.split(', '));

/**
 * Returns the path for the router, which would respond to an undecodable one itself, without any hooks, and parse a
 * query, although most responses come from memory by the whole URL. Other methods are routed as GET: a path has a route
 * or none whatever the method, and Fastify reads no body.
 */
export function prepareRouting(request: ReceivedRequest): string {
  const { url = '', method = '' } = request;
  request.clientMethod = method;
  if (!ROUTED_METHODS.has(method)) request.method = 'GET';
  const [path = ''] = url.split('?', 1);
  const isDecodable = !path.includes('%') || decodePart(path) !== undefined;
  return isRequestTarget(url) && isDecodable ? path : NO_ROUTE;
}

function malformedPath(kind: ErrorKind, path: string): ServiceError {
  const percentEncoded = { allowed: ALLOWED.percentEncoded.en };
  return new ServiceError(kind, {
    message: 'The path is not valid percent-encoded UTF-8.',
    details: [parameterFault('path', percentEncoded, path, FAULTS.notPercentEncoded.en)],
  });
}

export interface RoutingErrorOptions {
  /** Part of the message for an unknown path. */
  notFoundHint: string;
  /** The error for a path that is not percent-encoded UTF-8; default `invalid_parameter`. */
  malformedPathError?: ErrorKind | undefined;
}

/** Rejects malformed requests, unknown and unreadable paths, and other methods than GET, HEAD and OPTIONS. */
export const routingErrors = ({
  notFoundHint,
  malformedPathError = ERRORS.invalid_parameter,
}: RoutingErrorOptions) =>
  part((app) => {
    app.addHook('onRequest', function checkRoute(request, reply, done) {
      const fault = requestFault(request.raw, request.originalUrl);
      // The client may send the body next, although it was refused.
      if (fault?.code === 'expectation_failed') reply.header('connection', 'close');
      if (fault) throw fault;
      if (request.is404) {
        const [path = ''] = request.originalUrl.split('?', 1);
        if (request.raw.url === NO_ROUTE) throw malformedPath(malformedPathError, path);
        throw new ServiceError(ERRORS.not_found, {
          message: `There is nothing at this path. ${notFoundHint}`,
          // Tells clients of another service that no entry is absent.
          details: { path: shownText(path) },
        });
      }
      const { clientMethod = '' }: ReceivedRequest = request.raw;
      if (!ROUTED_METHODS.has(clientMethod)) {
        const message = `${clientMethod} is not allowed here; use GET, HEAD or OPTIONS.`;
        throw new ServiceError(ERRORS.method_not_allowed, { message });
      }
      done();
    });
  });

/** Answers CORS preflight requests. All headers are allowed: none lets a page do what its client could not do. */
export const preflight = () =>
  part((app) => {
    const headers = {
      allow: ALLOWED_METHODS,
      'access-control-allow-methods': ALLOWED_METHODS,
      // The star does not mean Authorization.
      'access-control-allow-headers': '*, Authorization',
      'access-control-max-age': '86400',
    };
    app.options('*', {
      config: { isExempt: true },
      // Before the body, which no browser sends.
      onRequest: (request, reply) => {
        request.outcome = 'preflight';
        void reply.code(204).headers(headers).send();
      },
      handler: (_request, reply) => reply,
    });
  });
