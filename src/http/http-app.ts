import http from 'node:http';
import { setTimeout } from 'node:timers/promises';
import fastify from 'fastify';
import type { FastifyInstance } from 'fastify';
import type { OpenAPIV3_1 } from 'openapi-types';
import { createAccessLog } from './access-log.ts';
import type { ObserveAccess } from './access-log.ts';
import { createClientAddressReader } from './client-address.ts';
import { answerClientError } from './client-error.ts';
import type { Clock } from '../process/clock.ts';
import { isDocumentPath, registerDocuments } from './documents.ts';
import { ServiceError } from '../errors.ts';
import type { ErrorCode } from '../errors.ts';
import { createRequestIds, exchangeOf } from './exchange.ts';
import { createFrontDoor } from './front-door.ts';
import { createHotUrls } from './hot-urls.ts';
import type { ServiceLogger } from '../process/logger.ts';
import { createOverloadGuard } from './overload.ts';
import type { RateLimiter } from '../limits/rate-limiter.ts';
import type { ResponseCache } from '../cache/response-cache.ts';
import { createResponseWriter } from './response-writer.ts';
import type { ResponseWriter } from './response-writer.ts';
import { serveRoute } from './route.ts';
import type { Route } from './route.ts';
import type { HowToClose } from '../process/shutdown.ts';
import type { BodyShape } from '../cache/stored-answer.ts';

export type { PreparedRequest, Route } from './route.ts';

export interface HttpAppOptions {
  /** Short name: in Cache-Status and the docs. */
  name: string;
  clock: Clock;
  log: ServiceLogger;
  cache: ResponseCache;
  shape: BodyShape;
  /** undefined: nothing is counted. */
  limiter: RateLimiter | undefined;
  trustedProxies: readonly string[];
  /** Makes request ids unique across processes. */
  requestIdStem: string;
  /** Beside CORS and security headers: `X-Data: sample` ... names and values in turn. */
  extraHeaders: readonly string[];
  /** Beside /livez, /readyz, /docs, /openapi.json: paths that are not counted by the limiter. */
  isUncounted?: (path: string) => boolean;
  openapi: Partial<OpenAPIV3_1.Document>;
  /** What a 404 for an unknown path tells the user. */
  notFoundHint: string;
  /** For a path that is not percent-encoded UTF-8; `invalid_parameter` when left out. */
  malformedPathCode?: ErrorCode;
  /** False while a dependency that no request can do without is missing. */
  isReady?: () => boolean;
  observeAccess?: ObserveAccess;
  /** Idle keep-alive connections are closed after this; longer than the usual proxy's 60 s. */
  keepAliveTimeoutMs?: number;
  /** See OverloadOptions. */
  maxLagMs?: number;
  maxInFlight?: number;
}

export interface HttpApp {
  app: FastifyInstance;
  route: (route: Route) => void;
  /** Binds and resolves to the address, `http://127.0.0.1:3000`. Port 0 means any free port. */
  listen: (host: string, port: number) => Promise<string>;
  /** Drains, stops accepting, lets requests in flight end, closes idle connections. */
  close: (how?: HowToClose) => Promise<void>;
}

const EXPOSED_HEADERS =
  'Age, Cache-Status, Content-Length, Deprecation, ETag, RateLimit, RateLimit-Policy, Retry-After, Sunset, X-Data, X-Request-Id';

const DEFAULT_KEEP_ALIVE_MS = 65_000;
const DEFAULT_MAX_LAG_MS = 250;
const DEFAULT_MAX_IN_FLIGHT = 5_000;

function constantHeaders(extra: readonly string[]): string[] {
  return [
    ...['Access-Control-Allow-Origin', '*', 'Access-Control-Expose-Headers', EXPOSED_HEADERS],
    ...['Vary', 'Accept-Encoding', 'X-Content-Type-Options', 'nosniff'],
    ...['Cross-Origin-Resource-Policy', 'cross-origin'],
    ...extra,
  ];
}

/** A Fastify application behind the kit's front door. Register routes, then listen. */
export async function createHttpApp(options: HttpAppOptions): Promise<HttpApp> {
  const { cache, clock, limiter, log } = options;
  let closing = false;
  const keepAliveTimeoutMs = options.keepAliveTimeoutMs ?? DEFAULT_KEEP_ALIVE_MS;
  const hotUrls = createHotUrls(cache);
  const recordAccess = createAccessLog(log, clock, options.observeAccess ?? (() => undefined));
  const writer = createResponseWriter({
    clock,
    shape: options.shape,
    cacheName: `mokuroku-${options.name}`,
    constantHeaders: constantHeaders(options.extraHeaders),
    rateLimitPolicy: limiter && `"default";q=${limiter.limit};w=${limiter.windowSeconds}`,
    keepAliveTimeoutMs,
    recordAccess,
    logger: log.logger,
  });
  const overload = createOverloadGuard({
    maxLagMs: options.maxLagMs ?? DEFAULT_MAX_LAG_MS,
    maxInFlight: options.maxInFlight ?? DEFAULT_MAX_IN_FLIGHT,
  });
  const fail = createFailureWriter(writer, log);
  const door = {
    clock,
    writer,
    limiter,
    hotUrls,
    recordAccess,
    overload,
    readClientAddress: createClientAddressReader(options.trustedProxies),
    requestIdOf: createRequestIds(options.requestIdStem),
    isUncounted: (path: string) => isDocumentPath(path) || (options.isUncounted?.(path) ?? false),
    isClosing: () => closing,
  };
  const app = fastify({
    logger: false,
    serverFactory: (router) =>
      createServer(createFrontDoor(door, router as http.RequestListener), keepAliveTimeoutMs),
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 8_192 },
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    frameworkErrors: (error, request, reply) => {
      reply.hijack();
      fail(request.raw, reply.raw, malformedPath(options.malformedPathCode ?? 'invalid_parameter', error));
    },
  });
  // The routes parse and write by themselves; Fastify's schemas are for the published document.
  app.setValidatorCompiler(() => (value: unknown) => ({ value }));
  app.setSerializerCompiler(() => (value) => JSON.stringify(value));
  answerUnrouted(app, writer, fail, options.notFoundHint);
  await registerDocuments(app, options.openapi, () => !closing && (options.isReady?.() ?? true));

  const services = { cache, hotUrls, writer, logger: log.logger };
  return {
    app,
    route: (route) => {
      app.get(route.url, { schema: route.schema }, async (request, reply) => {
        reply.hijack();
        try {
          const params = request.params as Record<string, string>;
          await serveRoute(services, route, params, request.raw, reply.raw);
        } catch (error) {
          fail(request.raw, reply.raw, error);
        }
      });
    },
    listen: (host, port) => app.listen({ host, port }),
    close: async (how) => {
      closing = true;
      if (how && how.drainMs > 0) await setTimeout(how.drainMs);
      await app.close();
      overload.stop();
    },
  };
}

function createServer(listener: http.RequestListener, keepAliveTimeout: number): http.Server {
  const server = http.createServer(
    {
      maxHeaderSize: 65_536,
      headersTimeout: 5_000,
      requestTimeout: 10_000,
      connectionsCheckingInterval: 1_000,
      keepAliveTimeout,
    },
    listener,
  );
  server.on('clientError', answerClientError);
  return server;
}

type WriteFailure = (request: http.IncomingMessage, response: http.ServerResponse, error: unknown) => void;

/** The one place where a failure becomes an answer; what the client may not see goes into the log. */
function createFailureWriter(writer: ResponseWriter, log: ServiceLogger): WriteFailure {
  return (request, response, error) => {
    const exchange = exchangeOf(request);
    const known = error instanceof ServiceError ? error : new ServiceError('internal', { cause: error });
    if (known.status >= 500) {
      const level = known.code === 'internal' ? 'error' : 'warn';
      log.logger[level]({ id: exchange.id, code: known.code, err: known.cause ?? known }, known.message);
    }
    if (response.headersSent) response.destroy();
    else writer.writeError(request, response, exchange, known);
  };
}

/** What no route answers: unknown paths, other methods, Fastify's own failures; and headers of its own answers. */
function answerUnrouted(
  app: FastifyInstance,
  writer: ResponseWriter,
  fail: WriteFailure,
  notFoundHint: string,
): void {
  app.setNotFoundHandler((request, reply) => {
    reply.hijack();
    const message = `There is nothing at this path. ${notFoundHint}`;
    fail(request.raw, reply.raw, new ServiceError('not_found', { message }));
  });
  app.setErrorHandler((error, request, reply) => {
    reply.hijack();
    fail(request.raw, reply.raw, error);
  });
  app.addHook('onRequest', (request, reply, done) => {
    const exchange = exchangeOf(request.raw);
    if (!exchange.methodRefused || request.is404) {
      done();
      return;
    }
    reply.hijack();
    const message = `${exchange.method} is not allowed here; use GET, HEAD or OPTIONS.`;
    const error = new ServiceError('method_not_allowed', { message });
    writer.writeError(request.raw, reply.raw, exchange, error, ['Allow', 'GET, HEAD, OPTIONS']);
  });
  // What Fastify itself sends (documents, pages) carries the common headers too; the writer adds them to the rest.
  app.addHook('onSend', (request, reply, _payload, done) => {
    const { constantHeaders: pairs } = writer;
    reply.header('X-Request-Id', exchangeOf(request.raw).id);
    for (let i = 0; i < pairs.length; i += 2) reply.header(pairs[i] ?? '', pairs[i + 1] ?? '');
    done();
  });
}

function malformedPath(code: ErrorCode, cause: unknown): ServiceError {
  return new ServiceError(code, {
    message: 'The path is not valid percent-encoded UTF-8.',
    details: [{ parameter: 'path', reason: 'broken percent-encoding', allowed: 'percent-encoded UTF-8' }],
    cause,
  });
}
