import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../errors.ts';
import type { ErrorCode } from '../errors.ts';
import type { ReceivedRequest } from './connections.ts';
import { ALLOWED_METHODS } from './response-headers.ts';

const WHOLE_ADDRESS = /^https?:\/\/[^/?#]+[^#]*$/i;

/** A path, or a whole address, as clients send it to proxies (RFC 9112, section 3.2). */
export const isRequestTarget = (url: string): boolean =>
  url.startsWith('/') || (WHOLE_ADDRESS.test(url) && URL.canParse(url));

/** No route has two segments of this kind. */
const NO_ROUTE = '/%00/%00';

const ROUTED_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Returns the address for the router, which would respond to an undecodable one itself, without any hooks. Other
 * methods are routed as GET, so that a path has a route or none whatever the method; the first hook restores it.
 */
export function prepareRouting(request: ReceivedRequest): string {
  const { url = '', method = '' } = request;
  request.clientMethod = method;
  if (!ROUTED_METHODS.has(method)) request.method = 'GET';
  return isRequestTarget(url) && isDecodable(url) ? url : NO_ROUTE;
}

function isDecodable(url: string): boolean {
  if (!url.includes('%')) return true;
  try {
    decodeURI(url.split('?', 1)[0] ?? '');
    return true;
  } catch {
    return false;
  }
}

function malformedPath(code: ErrorCode): ServiceError {
  return new ServiceError(code, {
    message: 'The path is not valid percent-encoded UTF-8.',
    details: [{ parameter: 'path', reason: 'broken percent-encoding', allowed: 'percent-encoded UTF-8' }],
  });
}

/** Responds to unknown and unreadable paths, and to methods that a path does not allow. */
export function addRoutingErrors(
  app: FastifyInstance,
  hint: string,
  malformedPathCode: ErrorCode = 'invalid_parameter',
): void {
  app.setNotFoundHandler((request) => {
    if (!isDecodable(request.originalUrl)) throw malformedPath(malformedPathCode);
    throw new ServiceError('not_found', { message: `There is nothing at this path. ${hint}` });
  });
  app.addHook('onRequest', function checkMethod(request, reply, done) {
    const { methods = ALLOWED_METHODS } = request.routeOptions.config;
    if (request.is404 || methods.split(', ').includes(request.method)) {
      done();
      return;
    }
    void reply.header('allow', methods);
    const message = `${request.method} is not allowed here; use ${methods.replace(', OPTIONS', ' or OPTIONS')}.`;
    done(new ServiceError('method_not_allowed', { message }));
  });
}
