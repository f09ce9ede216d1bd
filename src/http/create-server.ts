import { Server } from 'node:http';
import type { IncomingMessage, RequestListener, ServerOptions as ServerSettings } from 'node:http';
import type { Socket } from 'node:net';
import fastify, { LogController } from 'fastify';
import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../errors.ts';
import type { ConnectionBurst } from '../limits/connection-burst.ts';
import type { BytesHolder } from '../limits/in-flight.ts';
import { Connections } from './connections.ts';
import { allowAllMethods, judgeParseFailure, rewriteMalformed } from './failures.ts';
import type { ParseFailure } from './failures.ts';
import { createRequestIds } from './request-context.ts';

/** Idle keep-alive connections are closed after this; longer than the usual proxy's 60 s. */
const KEEP_ALIVE_MS = 65_000;

/** A client that asks for a tunnel and then takes no answer keeps its connection for so long. */
const CONNECT_TIMEOUT_MS = 5_000;

export interface ServerOptions {
  /** Makes request ids unique across processes. */
  requestIdStem: string;
  maxConnections?: number;
  /** Who has a connection; undefined where it carries the requests of many. */
  holderOf: (socket: Socket) => BytesHolder | undefined;
  connectionBurst: ConnectionBurst;
  /** Counts a request that waits for the one before it on its connection. Undefined: there is no room for it. */
  holdWaiting: (request: IncomingMessage) => (() => void) | undefined;
}

export interface HttpServer {
  app: FastifyInstance;
  connections: Pick<Connections, 'stats'>;
}

/** Node's own way cuts responses off that have not left yet, and spares connections that never brought a request. */
class ClosingServer extends Server {
  readonly #connections: Connections;

  constructor(connections: Connections, options: ServerSettings) {
    super(options);
    this.#connections = connections;
  }

  /** Called when the server closes. */
  override closeIdleConnections(): void {
    this.#connections.endAll();
  }
}

/** Node's server, with all that it hands over on one way: also what its parser or it alone would answer. */
function createHttpServer(connections: Connections): Server {
  const server = new ClosingServer(connections, {
    maxHeaderSize: 32_768,
    headersTimeout: 5_000,
    requestTimeout: 10_000,
    connectionsCheckingInterval: 1_000,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // Requests without a Host are answered by us, in our form.
    requireHostHeader: false,
  });
  // A client that has ended its side gets its response, then the connection ends. Node has the switch but no document of
  // it: without it such a client gets nothing.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.on('connection', connections.accept);
  server.on('request', connections.receive);
  // Answered like any other, by the first hook.
  server.on('checkExpectation', connections.receive);
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    // Node has let go of this socket: an error of it would end the process.
    socket.on('error', () => socket.destroy());
    socket.setTimeout(CONNECT_TIMEOUT_MS, () => socket.destroy());
    connections.refuse(socket, request, new ServiceError('method_not_allowed'));
  });
  server.on('clientError', (failure: ParseFailure, socket: Socket) => {
    // The rest of a request that is not read on while the one before is answered.
    if (failure.code === 'ERR_HTTP_REQUEST_TIMEOUT' && connections.isBusy(socket)) return;
    const refusal = judgeParseFailure(failure);
    if (refusal === 'ignore') return;
    if (refusal === 'close') socket.destroy();
    else connections.refuseUnreadable(socket, refusal);
  });
  return server;
}

/** Fastify with our limits on what a connection may do, our ids, our query strings and our errors. */
export function createServer(options: ServerOptions): HttpServer {
  const { requestIdStem, maxConnections = 10_000, holdWaiting, holderOf, connectionBurst } = options;
  let handle: RequestListener | undefined;
  const connections = new Connections({
    handle: (request, response) => handle?.(request, response),
    maxConnections,
    holdWaiting,
    holderOf,
    connectionBurst,
  });
  const app = fastify({
    logger: false,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: createRequestIds(requestIdStem),
    serverFactory: (handler) => {
      handle = handler;
      return createHttpServer(connections);
    },
    routerOptions: {
      ignoreTrailingSlash: true,
      // Longer than any request line that gets through: the length of the URL is judged by us.
      maxParamLength: 32_768,
      // Left as text: most requests are answered without looking into it.
      querystringParser: (text) => ({ text }),
    },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    // The server answers what its parser could not read.
    clientErrorHandler: () => undefined,
    rewriteUrl: rewriteMalformed,
  });
  // Nobody reads a body here: whatever comes with a method that is refused stays unread.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _body, done) => {
    done(null);
  });
  allowAllMethods(app);
  return { app, connections };
}
