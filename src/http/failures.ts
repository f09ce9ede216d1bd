import { METHODS, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { ServiceError, asServiceError, toErrorBody } from '../errors.ts';
import type { ErrorCode } from '../errors.ts';
import { describeFailure } from '../process/recurring-log.ts';
import type { RecurringLog } from '../process/recurring-log.ts';
import { ALLOWED_METHODS, JSON_TYPE } from './response-headers.ts';

/** What Node tells of bytes that are no request. */
interface ParseFailure extends Error {
  code?: string | undefined;
  /** The packet in which it was found: a Buffer. */
  rawPacket?: unknown;
}

const REQUEST_LINE_ALONE = /^[A-Z]{3,20} [^\r\n]+$/;

function readParseFailure({ code, rawPacket }: ParseFailure): ServiceError {
  if (code !== 'HPE_HEADER_OVERFLOW') {
    return new ServiceError('invalid_parameter', { message: 'This is not a well-formed HTTP request.' });
  }
  // A packet that is a request line and nothing else: the URL alone has filled it.
  const isUrl = Buffer.isBuffer(rawPacket) && REQUEST_LINE_ALONE.test(rawPacket.toString('latin1'));
  return new ServiceError(isUrl ? 'uri_too_long' : 'headers_too_large');
}

/** Requests that never became one (broken HTTP, header overflow): answered in the common error form, then closed. */
export function answerParseFailure(failure: ParseFailure, socket: Duplex): void {
  // Behind the last request of a connection, whose own answer is under way and ends it.
  if (failure.code === 'HPE_CLOSED_CONNECTION') return;
  // Timed-out and reset connections have nobody left to read an answer.
  if (!socket.writable || failure.code === 'ECONNRESET' || failure.code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    socket.destroy();
    return;
  }
  const error = readParseFailure(failure);
  const body = JSON.stringify(toErrorBody(error));
  socket.end(
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? ''}\r\nContent-Type: ${JSON_TYPE}\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nAccess-Control-Allow-Origin: *\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n${body}`,
  );
}

function sendError(reply: FastifyReply, error: ServiceError): FastifyReply {
  reply.request.outcome = error.code;
  if (error.retryAfterSeconds !== undefined) reply.header('retry-after', String(error.retryAfterSeconds));
  return reply
    .code(error.status)
    .header('cache-control', 'no-store')
    .type(JSON_TYPE)
    .send(JSON.stringify(toErrorBody(error)));
}

function malformedPath(code: ErrorCode): ServiceError {
  return new ServiceError(code, {
    message: 'The path is not valid percent-encoded UTF-8.',
    details: [{ parameter: 'path', reason: 'broken percent-encoding', allowed: 'percent-encoded UTF-8' }],
  });
}

/** The one place where a failure becomes an answer; what the client may not see goes into the log. */
export function addErrorHandler(app: FastifyInstance, log: RecurringLog): void {
  app.setErrorHandler((error, request, reply) => {
    const known = asServiceError(error);
    const { code, message, cause } = known;
    if (code === 'internal') {
      log.note('error', `internal ${describeFailure(cause)}`, { id: request.id, code, err: cause }, message);
    } else if (known.status >= 500) {
      log.note('warn', code, { id: request.id, code, reason: describeFailure(cause ?? known) }, message);
    }
    return sendError(reply, known);
  });
}

const WHOLE_ADDRESS = /^https?:\/\/[^/?#]+[^#]*$/i;

/** A path, or a whole address as proxies are sent it (RFC 9112, section 3.2). */
export const isRequestTarget = (url: string): boolean =>
  url.startsWith('/') || (WHOLE_ADDRESS.test(url) && URL.canParse(url));

/**
 * A path that cannot be decoded, and what is no path at all, would be answered by the router, past all hooks. It is
 * shown another one that no route has: the request is counted, logged and answered as any other, and found out by its
 * original URL.
 */
export function rewriteMalformed(url: string): string {
  return isRequestTarget(url) && isDecodable(url) ? url : '/%00';
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

/** What no route answers: unknown paths, and those that cannot be read. */
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

const READING: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Fastify knows the common methods alone: with all of them known, each is answered as it deserves. */
export function allowAllMethods(app: FastifyInstance): void {
  for (const method of METHODS) {
    if (method !== 'CONNECT' && !app.supportedMethods.includes(method)) app.addHttpMethod(method);
  }
}

/** 405 for every other method on a path that exists. */
export function refuseOtherMethods(app: FastifyInstance, url: string, uncounted = false): void {
  app.route({
    method: app.supportedMethods.filter((method) => !READING.has(method)),
    url,
    config: { uncounted },
    onRequest: (request, reply, done) => {
      reply.header('allow', ALLOWED_METHODS);
      const message = `${request.method} is not allowed here; use ${ALLOWED_METHODS.replace(', OPTIONS', ' or OPTIONS')}.`;
      done(new ServiceError('method_not_allowed', { message }));
    },
    handler: (_request, reply) => reply,
  });
}
