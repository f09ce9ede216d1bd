import fastify, { LogController } from 'fastify';
import type { FastifyInstance } from 'fastify';
import { ServiceError, toErrorBody } from '../errors.ts';
import { allowAllMethods, answerParseFailure, rewriteMalformed } from './failures.ts';
import { createRequestIds } from './request-context.ts';
import { JSON_TYPE } from './response-headers.ts';

/** Idle keep-alive connections are closed after this; longer than the usual proxy's 60 s. */
const KEEP_ALIVE_MS = 65_000;

export interface ServerOptions {
  /** Makes request ids unique across processes. */
  requestIdStem: string;
  maxConnections?: number;
}

/** Fastify with our limits on what a connection may do, our ids, our query strings and our errors. */
export function createServer({ requestIdStem, maxConnections = 10_000 }: ServerOptions): FastifyInstance {
  const app = fastify({
    logger: false,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: createRequestIds(requestIdStem),
    http: {
      maxHeaderSize: 32_768,
      headersTimeout: 5_000,
      connectionsCheckingInterval: 1_000,
      // Requests without a Host are answered by us, in our form.
      requireHostHeader: false,
    },
    requestTimeout: 10_000,
    keepAliveTimeout: KEEP_ALIVE_MS,
    routerOptions: {
      ignoreTrailingSlash: true,
      // Longer than any request line that gets through: the length of the URL is judged by us.
      maxParamLength: 32_768,
      // Left as text: most requests are answered without looking into it.
      querystringParser: (text) => ({ text }),
    },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    clientErrorHandler: answerParseFailure,
    rewriteUrl: ({ url = '' }) => rewriteMalformed(url),
  });
  // Nobody reads a body here: whatever comes with a method that is refused stays unread.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _body, done) => {
    done(null);
  });
  allowAllMethods(app);
  app.server.maxConnections = maxConnections;
  app.server.on('checkExpectation', (_request, response) => {
    const error = new ServiceError('expectation_failed');
    response.writeHead(error.status, { 'content-type': JSON_TYPE, connection: 'close' });
    response.end(JSON.stringify(toErrorBody(error)));
  });
  return app;
}
