import { METHODS } from 'node:http';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { ServiceError, asServiceError, toErrorBody } from '../errors.ts';
import type { ErrorCode } from '../errors.ts';
import { describeFailure } from '../process/throttled-log.ts';
import type { ThrottledLog } from '../process/throttled-log.ts';
import { ALLOWED_METHODS, JSON_TYPE } from './response-headers.ts';

/** Node's error for bytes that are not a request. */
export interface ParseFailure extends Error {
  code?: string | undefined;
  /** The packet with the fault: a Buffer. */
  rawPacket?: unknown;
  /** Position of the fault in the packet. */
  bytesParsed?: number | undefined;
}

/** 500 ncodes with encoded commas are 5 kB. */
export const MAX_URL_LENGTH = 8_192;

/** In Latin-1, one character a byte. */
const REQUEST_LINE = /^(?:GET|HEAD) (\/[\x21-\x7e\x80-\xff]*) HTTP\/1\.[01]\r?$/;
const BEYOND_ASCII = /[^\x21-\x7e]+/g;

/** The encoded form of an address with plain UTF-8, as `curl '.../?q=図書'` sends it. */
function encodedTarget({ code, rawPacket, bytesParsed = 0 }: ParseFailure): string | undefined {
  if (code !== 'HPE_INVALID_URL' || !Buffer.isBuffer(rawPacket)) return undefined;
  const start = rawPacket.lastIndexOf('\n', bytesParsed) + 1;
  const end = rawPacket.indexOf('\n', bytesParsed);
  const [, target] = REQUEST_LINE.exec(rawPacket.toString('latin1', start, Math.max(start, end))) ?? [];
  if (target === undefined) return undefined;
  const text = Buffer.from(target, 'latin1').toString();
  // Without UTF-8 the characters are unknown.
  if (text.includes('\ufffd')) return undefined;
  const encoded = text.replace(BEYOND_ASCII, encodeURIComponent);
  return encoded.length > MAX_URL_LENGTH ? undefined : encoded;
}

const REQUEST_LINE_ALONE = /^[A-Z]{3,20} [^\r\n]+$/;

/**
 * What to do with bytes that are not a request: respond with an error, ignore them, or close the connection.
 */
export function judgeParseFailure(failure: ParseFailure): ServiceError | 'ignore' | 'close' {
  const { code, rawPacket } = failure;
  // After the last request of a connection, whose response will end it.
  if (code === 'HPE_CLOSED_CONNECTION') return 'ignore';
  if (code === 'ECONNRESET' || code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'close';
  if (code !== 'HPE_HEADER_OVERFLOW') {
    const address = encodedTarget(failure);
    const hint = address && ` Its address must be percent-encoded: ${address}`;
    const message = `This is not a well-formed HTTP request.${hint ?? ''}`;
    return new ServiceError('invalid_parameter', { message });
  }
  // If the packet contains only a request line, the URL is the part that is too long.
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

/** Logs the details that the response must not contain. */
export function noteFailure(log: ThrottledLog, error: ServiceError, id: string): void {
  const { code, message, cause, status } = error;
  if (code === 'internal') {
    log.logOncePerPeriod('error', `internal ${describeFailure(cause)}`, { id, code, err: cause }, message);
  } else if (status >= 500) {
    log.logOncePerPeriod('warn', code, { id, code, reason: describeFailure(cause ?? error) }, message);
  }
}

/** Converts every failure of a request into a response. */
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
