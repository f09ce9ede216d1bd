import http from 'node:http';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import fastify from 'fastify';
import type { FastifyInstance, FastifySchema } from 'fastify';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';
import type { OpenAPIV3_1 } from 'openapi-types';
import { answerClientError } from './client-error.ts';
import { createClientAddressReader } from './client-address.ts';
import type { Clock } from './clock.ts';
import { ServiceError } from './errors.ts';
import { createRequestIds, exchangeOf } from './exchange.ts';
import { createFrontDoor } from './front-door.ts';
import { createHotUrls } from './hot-urls.ts';
import type { ServiceLogger } from './logger.ts';
import { parseQueryString } from './query-string.ts';
import type { QueryString } from './query-string.ts';
import type { RateLimiter } from './rate-limiter.ts';
import type { Loaded, ResponseCache } from './response-cache.ts';
import { createResponseWriter } from './response-writer.ts';
import type { BodyShape, CachePolicy } from './stored-answer.ts';

/** One request, understood: what to look up in the cache and how to load it. */
export interface PreparedRequest {
  /** Normalised: equal questions have equal keys. */
  key: string;
  policy: CachePolicy;
  /** Names of query parameters that have no effect. */
  ignored: readonly string[];
  load: () => Promise<Loaded>;
}

export interface Route {
  /** Fastify's form: `/v1/novels/:ncode`. */
  url: string;
  /** Published in OpenAPI; the parsing is done by `prepare`, from the same schemas. */
  schema: FastifySchema;
  /** Throws ServiceError (invalid_parameter ...) naming every fault. */
  prepare(input: { params: Readonly<Record<string, string>>; query: QueryString }): PreparedRequest;
}

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
  /** False while a dependency that no request can do without is missing. */
  isReady?: () => boolean;
  /** Idle keep-alive connections are closed after this; longer than the usual proxy's 60 s. */
  keepAliveTimeoutMs?: number;
}

export interface HttpApp {
  app: FastifyInstance;
  route(route: Route): void;
  /** Binds and resolves to the address, `http://127.0.0.1:3000`. Port 0 means any free port. */
  listen(host: string, port: number): Promise<string>;
  /** Stops accepting, lets requests in flight end, closes idle connections. */
  close(): Promise<void>;
}

const EXPOSED_HEADERS =
  'Age, Cache-Status, Content-Length, Deprecation, ETag, RateLimit, RateLimit-Policy, Retry-After, Sunset, X-Data, X-Request-Id';

function constantHeaders(extra: readonly string[]): string[] {
  return [
    ...['Access-Control-Allow-Origin', '*', 'Access-Control-Expose-Headers', EXPOSED_HEADERS],
    ...['Vary', 'Accept-Encoding', 'X-Content-Type-Options', 'nosniff'],
    ...['Cross-Origin-Resource-Policy', 'cross-origin'],
    ...extra,
  ];
}

const DOCUMENT_PATHS = /^\/(?:livez|readyz|openapi\.json|docs(?:\/.*)?)$/;

/** A Fastify application behind the kit's front door. Register routes, then listen. */
export async function createHttpApp(options: HttpAppOptions): Promise<HttpApp> {
  const { clock, cache, log, limiter } = options;
  const keepAliveTimeoutMs = options.keepAliveTimeoutMs ?? 65_000;
  let closing = false;
  const hotUrls = createHotUrls(cache);
  const writer = createResponseWriter({
    clock,
    shape: options.shape,
    cacheName: `mokuroku-${options.name}`,
    constantHeaders: constantHeaders(options.extraHeaders),
    rateLimitPolicy: limiter && `"default";q=${limiter.limit};w=${limiter.windowSeconds}`,
    log,
    keepAliveTimeoutMs,
  });
  const door = {
    clock,
    writer,
    limiter,
    hotUrls,
    readClientAddress: createClientAddressReader(options.trustedProxies),
    requestIdOf: createRequestIds(options.requestIdStem),
    isUncounted: (path: string) => DOCUMENT_PATHS.test(path) || (options.isUncounted?.(path) ?? false),
    isClosing: () => closing,
  };

  const app = fastify({
    logger: false,
    serverFactory: (handler) => {
      const server = http.createServer(
        {
          maxHeaderSize: 65_536,
          headersTimeout: 5_000,
          requestTimeout: 10_000,
          connectionsCheckingInterval: 1_000,
          keepAliveTimeout: keepAliveTimeoutMs,
        },
        createFrontDoor(door, handler as http.RequestListener),
      );
      server.on('clientError', answerClientError);
      return server;
    },
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 8_192 },
    exposeHeadRoutes: false,
    forceCloseConnections: 'idle',
    frameworkErrors: (error, request, reply) => {
      reply.hijack();
      fail(request.raw, reply.raw, new ServiceError('invalid_parameter', malformedPath(error)));
    },
  });
  app.setValidatorCompiler(() => (value: unknown) => ({ value }));
  app.setSerializerCompiler(() => (value) => JSON.stringify(value));

  function fail(request: http.IncomingMessage, response: http.ServerResponse, error: unknown): void {
    const exchange = exchangeOf(request);
    const known = error instanceof ServiceError ? error : new ServiceError('internal', { cause: error });
    if (known.status >= 500) {
      log.logger[known.code === 'internal' ? 'error' : 'warn'](
        { id: exchange.id, code: known.code, err: known.cause ?? known },
        known.message,
      );
    }
    if (response.headersSent) response.destroy();
    else writer.writeError(request, response, exchange, known);
  }

  app.setNotFoundHandler((request, reply) => {
    reply.hijack();
    const message = `There is nothing at this path. ${options.name === 'catalogue' ? 'The paths are listed at /docs.' : 'Try /example.com, or see /docs.'}`;
    fail(request.raw, reply.raw, new ServiceError('not_found', { message }));
  });
  app.setErrorHandler((error, request, reply) => {
    reply.hijack();
    fail(request.raw, reply.raw, error);
  });
  app.addHook('onRequest', (request, reply, done) => {
    if (!exchangeOf(request.raw).methodRefused || request.is404) {
      done();
      return;
    }
    reply.hijack();
    refuseMethod(request.raw, reply.raw);
  });
  // What Fastify itself sends (documents, pages) carries the common headers too; the writer adds them to the rest.
  app.addHook('onSend', (request, reply, _payload, done) => {
    const constant = writer.constantHeaders;
    reply.header('X-Request-Id', exchangeOf(request.raw).id);
    for (let i = 0; i < constant.length; i += 2) reply.header(constant[i] ?? '', constant[i + 1] ?? '');
    done();
  });

  function refuseMethod(request: http.IncomingMessage, response: http.ServerResponse): void {
    const exchange = exchangeOf(request);
    const error = new ServiceError('method_not_allowed', {
      message: `${exchange.method} is not allowed here; use GET, HEAD or OPTIONS.`,
    });
    writer.writeError(request, response, exchange, error, ['Allow', 'GET, HEAD, OPTIONS']);
  }

  async function serve(
    route: Route,
    params: Readonly<Record<string, string>>,
    request: http.IncomingMessage,
    response: http.ServerResponse,
  ): Promise<void> {
    try {
      const url = request.url ?? '';
      const question = url.indexOf('?');
      const query = parseQueryString(question < 0 ? '' : url.slice(question + 1));
      const { key, policy, ignored, load } = route.prepare({ params, query });
      const served = await cache.get(key, policy, load);
      if (ignored.length === 0) hotUrls.remember(url, key);
      if (served.failure !== undefined) {
        log.logger.warn({ id: exchangeOf(request).id, key, err: served.failure }, 'served stale');
      }
      writer.writeAnswer(request, response, exchangeOf(request), { ...served, ignored });
    } catch (error) {
      fail(request, response, error);
    }
  }

  await app.register(swagger, { openapi: options.openapi, transform: jsonSchemaTransform });
  await app.register(swaggerUi, { routePrefix: '/docs' });
  app.get('/openapi.json', { schema: { hide: true } }, () => app.swagger());
  app.get('/livez', { schema: { hide: true } }, (_request, reply) =>
    reply.header('Cache-Control', 'no-store').send({ status: 'ok' }),
  );
  app.get('/readyz', { schema: { hide: true } }, (_request, reply) => {
    const ready = !closing && (options.isReady?.() ?? true);
    return reply
      .code(ready ? 200 : 503)
      .header('Cache-Control', 'no-store')
      .send({ status: ready ? 'ready' : 'not ready' });
  });

  return {
    app,
    route: (route) => {
      app.get(route.url, { schema: route.schema }, async (request, reply) => {
        reply.hijack();
        const params = request.params as Record<string, string>;
        await serve(route, params, request.raw, reply.raw);
      });
    },
    listen: (host, port) => app.listen({ host, port }),
    close: async () => {
      closing = true;
      await app.close();
    },
  };
}

function malformedPath(cause: unknown) {
  return {
    message: 'The path is not valid percent-encoded UTF-8.',
    details: [{ parameter: 'path', expected: 'percent-encoded UTF-8' }],
    cause,
  };
}
