import { METHODS } from 'node:http';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { ServiceError, asServiceError, toErrorBody } from '../errors.ts';
import type { ErrorCode } from '../errors.ts';
import { describeFailure } from '../process/throttled-log.ts';
import type { ThrottledLog } from '../process/throttled-log.ts';
import { ALLOWED_METHODS, JSON_TYPE } from './response-headers.ts';

/** What Node tells of bytes that are no request. */
export interface ParseFailure extends Error {
  code?: string | undefined;
  /** The packet in which it was found: a Buffer. */
  rawPacket?: unknown;
  /** How far it could be read. */
  bytesParsed?: number | undefined;
}

/** 500 ncodes with encoded commas are 5 kB. */
export const MAX_URL_LENGTH = 8_192;

/** In Latin-1, one character a byte. */
const REQUEST_LINE = /^(?:GET|HEAD) (\/[\x21-\x7e\x80-\xff]*) HTTP\/1\.[01]\r?$/;
const BEYOND_ASCII = /[^\x21-\x7e]+/g;

/** What to ask for in place of an address that holds UTF-8 as it is, as `curl '.../?q=図書'` sends it. */
function encodedTarget({ code, rawPacket, bytesParsed = 0 }: ParseFailure): string | undefined {
  if (code !== 'HPE_INVALID_URL' || !Buffer.isBuffer(rawPacket)) return undefined;
  const start = rawPacket.lastIndexOf('\n', bytesParsed) + 1;
  const end = rawPacket.indexOf('\n', bytesParsed);
  const [, target] = REQUEST_LINE.exec(rawPacket.toString('latin1', start, Math.max(start, end))) ?? [];
  if (target === undefined) return undefined;
  const text = Buffer.from(target, 'latin1').toString();
  // What is not UTF-8 leaves it open which characters are meant.
  if (text.includes('\ufffd')) return undefined;
  const encoded = text.replace(BEYOND_ASCII, encodeURIComponent);
  return encoded.length > MAX_URL_LENGTH ? undefined : encoded;
}

const REQUEST_LINE_ALONE = /^[A-Z]{3,20} [^\r\n]+$/;

/**
 * What becomes of bytes that could not be read as a request: an error to answer, or nothing, where nobody is left to
 * read an answer.
 */
export function judgeParseFailure(failure: ParseFailure): ServiceError | 'ignore' | 'close' {
  const { code, rawPacket } = failure;
  // Behind the last request of a connection, whose own response is under way and ends it.
  if (code === 'HPE_CLOSED_CONNECTION') return 'ignore';
  if (code === 'ECONNRESET' || code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'close';
  if (code !== 'HPE_HEADER_OVERFLOW') {
    const address = encodedTarget(failure);
    const hint = address && ` Its address must be percent-encoded: ${address}`;
    const message = `This is not a well-formed HTTP request.${hint ?? ''}`;
    return new ServiceError('invalid_parameter', { message });
  }
  // A packet that is a request line and nothing else: the URL alone has filled it.
  const isUrl = Buffer.isBuffer(rawPacket) && REQUEST_LINE_ALONE.test(rawPacket.toString('latin1'));
  return new ServiceError(isUrl ? 'uri_too_long' : 'headers_too_large');
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

/** Logs what the client may not see. */
export function noteFailure(log: ThrottledLog, error: ServiceError, id: string): void {
  const { code, message, cause, status } = error;
  if (code === 'internal') {
    log.note('error', `internal ${describeFailure(cause)}`, { id, code, err: cause }, message);
  } else if (status >= 500) {
    log.note('warn', code, { id, code, reason: describeFailure(cause ?? error) }, message);
  }
}

/** The one place where a failure of a request becomes an answer. */
export function addErrorHandler(app: FastifyInstance, log: ThrottledLog): void {
  app.setErrorHandler((error, request, reply) => {
    const known = asServiceError(error);
    if (known.code === 'method_not_allowed' && !reply.hasHeader('allow')) {
      reply.header('allow', ALLOWED_METHODS);
    }
    noteFailure(log, known, request.id);
    return sendError(reply, known);
  });
}

const WHOLE_ADDRESS = /^https?:\/\/[^/?#]+[^#]*$/i;

/** A path, or a whole address as proxies are sent it (RFC 9112, section 3.2). */
export const isRequestTarget = (url: string): boolean =>
  url.startsWith('/') || (WHOLE_ADDRESS.test(url) && URL.canParse(url));

/** No route has two segments of this kind. */
const NO_ROUTE = '/%00/%00';

/**
 * A path that cannot be decoded, and what is no path at all, would be answered by the router, past all hooks. The router
 * gets one that no route has: the request is counted, logged and answered as any other, by its original URL.
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
    if (!app.supportedMethods.includes(method)) app.addHttpMethod(method);
  }
}

/** 405 for every other method on a path that exists. */
export function refuseOtherMethods(app: FastifyInstance, url: string, uncounted = false): void {
  app.route({
    method: app.supportedMethods.filter((method) => !READING.has(method)),
    url,
    config: { uncounted },
    onRequest: (request, _reply, done) => {
      const message = `${request.method} is not allowed here; use ${ALLOWED_METHODS.replace(', OPTIONS', ' or OPTIONS')}.`;
      done(new ServiceError('method_not_allowed', { message }));
    },
    handler: (_request, reply) => reply,
  });
}
