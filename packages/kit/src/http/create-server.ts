import { Server } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import fastify from 'fastify';
import { ERRORS, ServiceError } from '../errors.ts';
import { Connections, requestsOf } from './connections.ts';
import type { ConnectionOptions } from './connections.ts';
import { createRequestIds } from './request-context.ts';
import { MAX_HEADERS, MAX_URL_LENGTH, prepareRouting } from './routing.ts';

/** Idle keep-alive connections are closed after this; longer than the usual proxy's 60 s. */
const KEEP_ALIVE_MS = 65_000;

/** Timeout for a client that requests a tunnel and does not read the response. */
const CONNECT_TIMEOUT_MS = 5_000;

export interface ServerOptions extends ConnectionOptions {
  /** Makes request ids unique across processes. */
  requestIdStem: string;
}

/** Node's error for bytes that are not a request. */
interface ParseFailure extends Error {
  code?: string | undefined;
  /** The packet with the fault: a Buffer. */
  rawPacket?: unknown;
  /** Position of the fault in the packet. */
  bytesParsed?: number | undefined;
}

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

/** A packet that begins with the request line of a URL that is too long. */
const LONG_URL = new RegExp(`^[A-Z]{3,20} [^\\s]{${MAX_URL_LENGTH + 1}}`);

/** The error for bytes that are not a request. */
function parseError(failure: ParseFailure): ServiceError {
  const { code, rawPacket } = failure;
  if (code !== 'HPE_HEADER_OVERFLOW') {
    const address = encodedTarget(failure);
    const hint = address && ` Its address must be percent-encoded: ${address}`;
    const message = `This is not a well-formed HTTP request.${hint ?? ''}`;
    return new ServiceError(ERRORS.invalid_parameter, { message });
  }
  const isUrl = Buffer.isBuffer(rawPacket) && LONG_URL.test(rawPacket.toString('latin1'));
  return new ServiceError(isUrl ? ERRORS.uri_too_long : ERRORS.headers_too_large);
}

/** Node's server. Requests that Node itself would reject reach the same handler as all others. */
function createHttpServer(connections: Connections): Server {
  const server = new Server({
    IncomingMessage: requestsOf(connections.isAttached),
    headersTimeout: 5_000,
    requestTimeout: 10_000,
    connectionsCheckingInterval: 1_000,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // We reject requests without a Host in our own format.
    requireHostHeader: false,
  });
  // A client that has closed its side still gets its response. Node does not document this option.
  Object.assign(server, { httpAllowHalfOpen: true });
  // Called when it closes. Node's own truncates unsent responses, and leaves those open that never sent a request.
  server.closeIdleConnections = () => connections.endAll();
  server.maxHeadersCount = MAX_HEADERS;
  server.on('connection', connections.accept);
  server.on('request', connections.receive);
  // The first hook responds.
  server.on('checkExpectation', connections.receive);
  server.on('upgrade', (_request: IncomingMessage, socket: Socket) => {
    connections.passEvents(socket);
    connections.endAfterResponse(socket);
  });
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    connections.passEvents(socket);
    socket.setTimeout(CONNECT_TIMEOUT_MS, () => socket.destroy());
    connections.refuse(socket, new ServiceError(ERRORS.method_not_allowed), request);
  });
  server.on('clientError', (failure: ParseFailure, socket: Socket) => {
    if (failure.code !== 'ERR_HTTP_REQUEST_TIMEOUT') connections.refuse(socket, parseError(failure));
    // The rest of a request is not read until the previous response is sent.
    else if (!connections.isAttached(socket)) socket.destroy();
  });
  return server;
}

/** Requests are parsed by zod: no route has a schema for Fastify, whose compilers are not in the bundle. */
const buildNothing = (): never => {
  throw new Error('a route has a schema');
};

/** Fastify with our connection limits, request ids, query strings and errors. */
export function createServer(options: ServerOptions) {
  const connections = new Connections(options);
  const app = fastify({
    logger: false,
    genReqId: createRequestIds(options.requestIdStem),
    serverFactory: (handler) => {
      connections.handle = handler;
      return createHttpServer(connections);
    },
    routerOptions: {
      ignoreTrailingSlash: true,
      // Fastify's is 100. We check the length of the whole URL.
      maxParamLength: 32_768,
    },
    // The server has its own listener.
    clientErrorHandler: () => undefined,
    schemaController: { compilersFactory: { buildValidator: buildNothing, buildSerializer: buildNothing } },
    rewriteUrl: prepareRouting,
  });
  return { app, connections };
}
