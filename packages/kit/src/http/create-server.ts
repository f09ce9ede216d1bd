import { Server } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import fastify from 'fastify';
import { ERRORS, ServiceError } from '../errors.ts';
import { Connections, requestsOf } from './connections.ts';
import type { ConnectionOptions } from './connections.ts';
import { parseError } from './parse-failures.ts';
import type { ParseFailure } from './parse-failures.ts';
import { createRequestIds } from './request-context.ts';
import { prepareRouting } from './routing.ts';

/** Idle keep-alive connections are closed after this; longer than the usual proxy's 60 s. */
const KEEP_ALIVE_MS = 65_000;

/** Timeout for a client that requests a tunnel and does not read the response. */
const CONNECT_TIMEOUT_MS = 5_000;

export interface ServerOptions extends ConnectionOptions {
  /** Makes request ids unique across processes. */
  requestIdStem: string;
}

/** Node's server. Requests that Node itself would reject reach the same handler as all others. */
function createHttpServer(connections: Connections): Server {
  const server = new Server({
    IncomingMessage: requestsOf(connections.isAttached),
    maxHeaderSize: 32_768,
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
