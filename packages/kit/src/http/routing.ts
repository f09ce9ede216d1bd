import { ERRORS, ServiceError } from '../errors.ts';
import { ALLOWED, FAULTS } from '../fault-texts.ts';
import type { ErrorKind } from '../errors.ts';
import type { ReceivedRequest } from './connections.ts';
import { decodePart } from './parameter.ts';
import { WHOLE_ADDRESS } from './parse-failures.ts';
import { part } from './part.ts';

/**
 * A path, or a whole address, as clients send it to proxies (RFC 9112, section 3.2). Neither has a fragment, which the
 * router would read as a query.
 */
export const isRequestTarget = (url: string): boolean =>
  !url.includes('#') && (url.startsWith('/') || (WHOLE_ADDRESS.test(url) && URL.canParse(url)));

/** No route has two segments of this kind. */
const NO_ROUTE = '/%00/%00';

export const ALLOWED_METHODS = 'GET, HEAD, OPTIONS';

const ROUTED_METHODS: ReadonlySet<string> = new Set(ALLOWED_METHODS.split(', '));

/**
 * Returns the address for the router, which would respond to an undecodable one itself, without any hooks. Other
 * methods are routed as GET: a path has a route or none whatever the method, and Fastify reads no body.
 */
export function prepareRouting(request: ReceivedRequest): string {
  const { url = '', method = '' } = request;
  request.clientMethod = method;
  if (!ROUTED_METHODS.has(method)) request.method = 'GET';
  return isRequestTarget(url) && isDecodable(url) ? url : NO_ROUTE;
}

const isDecodable = (url: string): boolean =>
  !url.includes('%') || decodePart(url.split('?', 1)[0] ?? '') !== undefined;

function malformedPath(kind: ErrorKind): ServiceError {
  return new ServiceError(kind, {
    message: 'The path is not valid percent-encoded UTF-8.',
    details: [{ parameter: 'path', reason: FAULTS.notPercentEncoded.en, allowed: ALLOWED.percentEncoded.en }],
  });
}

interface RoutingErrorOptions {
  /** Part of the message for an unknown path. */
  notFoundHint: string;
  /** The error for a path that is not percent-encoded UTF-8; default `invalid_parameter`. */
  malformedPathError?: ErrorKind;
}

/** Responds to unknown and unreadable paths, and to other methods than GET, HEAD and OPTIONS. */
export const routingErrors = ({
  notFoundHint,
  malformedPathError = ERRORS.invalid_parameter,
}: RoutingErrorOptions) =>
  part((app) => {
    app.addHook('onRequest', function checkRoute(request, _reply, done) {
      if (request.is404) {
        if (!isDecodable(request.originalUrl)) throw malformedPath(malformedPathError);
        throw new ServiceError(ERRORS.not_found, {
          message: `There is nothing at this path. ${notFoundHint}`,
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
