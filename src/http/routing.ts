import { METHODS } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../errors.ts';
import type { ErrorCode } from '../errors.ts';
import { ALLOWED_METHODS } from './response-headers.ts';

const WHOLE_ADDRESS = /^https?:\/\/[^/?#]+[^#]*$/i;

/** A path, or a whole address, as clients send it to proxies (RFC 9112, section 3.2). */
export const isRequestTarget = (url: string): boolean =>
  url.startsWith('/') || (WHOLE_ADDRESS.test(url) && URL.canParse(url));

/** No route has two segments of this kind. */
const NO_ROUTE = '/%00/%00';

/**
 * The router would respond to an undecodable path itself, without any hooks. So it gets a path that no route has, and
 * the request is counted, logged and answered like any other.
 */
export function rewriteMalformed({ url = '' }: { url?: string | undefined }): string {
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

/** Responds to unknown and unreadable paths. */
export function addNotFound(
  app: FastifyInstance,
  hint: string,
  malformedPathCode: ErrorCode = 'invalid_parameter',
): void {
  app.setNotFoundHandler((request) => {
    if (!isDecodable(request.originalUrl)) throw malformedPath(malformedPathCode);
    throw new ServiceError('not_found', { message: `There is nothing at this path. ${hint}` });
  });
}

const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Fastify supports only common methods by default. With all of them, unknown paths and methods get the right error. */
export function allowAllMethods(app: FastifyInstance): void {
  for (const method of METHODS) {
    if (!app.supportedMethods.includes(method)) app.addHttpMethod(method);
  }
}

/** 405 for every other method on a path that exists. */
export function refuseOtherMethods(
  app: FastifyInstance,
  url: string,
  config: { isExempt?: boolean } = {},
): void {
  app.route({
    method: app.supportedMethods.filter((method) => !SAFE_METHODS.has(method)),
    url,
    config,
    onRequest: (request, _reply, done) => {
      const message = `${request.method} is not allowed here; use ${ALLOWED_METHODS.replace(', OPTIONS', ' or OPTIONS')}.`;
      done(new ServiceError('method_not_allowed', { message }));
    },
    handler: (_request, reply) => reply,
  });
}
