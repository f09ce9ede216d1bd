import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import fastify, { LogController } from 'fastify';
import type { FastifyInstance } from 'fastify';
import type { ResponseCache } from '../cache/response-cache.ts';
import { ServiceError, toErrorBody } from '../errors.ts';
import type { ErrorCode } from '../errors.ts';
import type { RateLimiter } from '../limits/rate-limiter.ts';
import type { Clock } from '../process/clock.ts';
import type { ServiceLogger } from '../process/logger.ts';
import { createRecurringLog, describeFailure } from '../process/recurring-log.ts';
import type { RecurringLog } from '../process/recurring-log.ts';
import type { HowToClose } from '../process/shutdown.ts';
import { createJsonJudge } from './accept.ts';
import { addAccessLog } from './access-log.ts';
import type { ObserveAccess } from './access-log.ts';
import { createAnswerWriter } from './answers.ts';
import type { SendAnswer } from './answers.ts';
import type { ComposeBody, Endpoint } from './endpoint.ts';
import {
  addNotFound,
  allowAllMethods,
  answerParseFailure,
  addErrorHandler,
  refuseOtherMethods,
  rewriteMalformed,
} from './failures.ts';
import { addKeptAnswers } from './kept-answer.ts';
import type { KeptAnswers } from './kept-answer.ts';
import { openapiDocument } from './openapi.ts';
import type { ServiceDescription } from './openapi.ts';
import { addOverloadGuard } from './overload.ts';
import { servePage, servePages } from './pages.ts';
import type { BuiltPages, PageAddresses } from './pages.ts';
import { parseQueryString } from './query-string.ts';
import { addRateLimit, rateLimitHeaders } from './rate-limit.ts';
import { addRequestContext, createRequestIds } from './request-context.ts';
import { KeptBodies } from './response-buffer.ts';
import { JSON_TYPE, PREFLIGHT_HEADERS, commonHeaders } from './response-headers.ts';
import type { HeaderList } from './response-headers.ts';
import { addWriteWatch } from './stuck-readers.ts';
import { sendText, serveTextEndpoint } from './text-endpoint.ts';
import type { TextEndpoint } from './text-endpoint.ts';

export interface HttpAppOptions {
  /** Short name: in Cache-Status and the log. */
  name: string;
  description: ServiceDescription;
  endpoints: readonly Endpoint[];
  textEndpoints?: readonly TextEndpoint[];
  compose: ComposeBody;
  cache: ResponseCache;
  /** undefined: nothing is counted. */
  limiter: RateLimiter | undefined;
  clock: Clock;
  log: ServiceLogger;
  trustedProxies: readonly string[];
  /** Makes request ids unique across processes. */
  requestIdStem: string;
  /** Invented data: every answer says so. */
  isSample: boolean;
  /** What a 404 for an unknown path tells the user. */
  notFoundHint: string;
  /** For a path that is not percent-encoded UTF-8; `invalid_parameter` when left out. */
  malformedPathCode?: ErrorCode;
  pages?: BuiltPages;
  pageAddresses?: PageAddresses;
  /** False while a dependency that no request can do without is missing. */
  isReady?: () => boolean;
  /** What /readyz says beside that. */
  readinessFacts?: () => Readonly<Record<string, unknown>>;
  observeAccess?: ObserveAccess;
  /** Idle keep-alive connections are closed after this; longer than the usual proxy's 60 s. */
  keepAliveTimeoutMs?: number;
  /** A connection whose reader takes nothing of its answer for so long is ended. */
  connectionTimeoutMs?: number;
  maxConnections?: number;
  /** See OverloadOptions. */
  maxLagMs?: number;
  maxInFlight?: number;
}

/** What a service is given; the rest of the options it has of itself. */
export type ServiceParts = Omit<
  HttpAppOptions,
  | 'name'
  | 'description'
  | 'endpoints'
  | 'textEndpoints'
  | 'compose'
  | 'notFoundHint'
  | 'malformedPathCode'
  | 'pages'
>;

export interface HttpApp {
  app: FastifyInstance;
  /** Binds and resolves to the address, `http://127.0.0.1:3000`. Port 0 means any free port. */
  listen: (host: string, port: number) => Promise<string>;
  /** Drains, stops accepting, lets requests in flight end, closes idle connections. */
  close: (how?: HowToClose) => Promise<void>;
}

/** Every failure has its line in the access log; what is behind it is said once and then counted. */
const SAY_TROUBLE_AGAIN_AFTER_MS = 60_000;

/** A service: its hooks in the order in which a request meets them, its endpoints, its documents and its page. */
export function createHttpApp(options: HttpAppOptions): HttpApp {
  const { clock, log, limiter } = options;
  let isClosing = false;
  const keepAliveTimeoutMs = options.keepAliveTimeoutMs ?? 65_000;
  const app = createServer(options, keepAliveTimeoutMs);
  const troubles = createRecurringLog({ logger: log.logger, clock, periodMs: SAY_TROUBLE_AGAIN_AFTER_MS });
  addErrorHandler(app, troubles);
  const otherTypes = options.endpoints.flatMap(({ otherForms = [] }) =>
    otherForms.map((form) => form.mediaType),
  );
  const common = commonHeaders(options.isSample, otherTypes.length > 0);
  const bodies = new KeptBodies(options.compose);
  const cacheName = `mokuroku-${options.name}`;
  const watchWrite = addWriteWatch(app, options.connectionTimeoutMs ?? 60_000);

  addRequestContext(app, { clock, trustedProxies: options.trustedProxies });
  const logAccess = addAccessLog(app, { log, clock, observe: options.observeAccess ?? (() => undefined) });
  addPreflight(app);
  if (limiter) addRateLimit(app, limiter);
  const keptAnswers = addKeptAnswers(app, {
    ...{ cache: options.cache, bodies, clock, limiter, cacheName },
    ...{ commonHeaders: common, keepAliveTimeoutMs, watchWrite, logAccess, isClosing: () => isClosing },
    wantsJson: createJsonJudge(otherTypes),
  });
  addOverloadGuard(app, {
    maxLagMs: options.maxLagMs ?? 250,
    maxInFlight: options.maxInFlight ?? 5_000,
  });
  addCommonHeaders(app, common, limiter, () => isClosing);
  addNotFound(app, options.notFoundHint, options.malformedPathCode ?? 'invalid_parameter');

  const sendAnswer = createAnswerWriter({ clock, cacheName, compose: options.compose, bodies });
  for (const endpoint of options.endpoints) {
    serveEndpoint(app, endpoint, { cache: options.cache, troubles }, sendAnswer, keptAnswers);
  }
  for (const endpoint of options.textEndpoints ?? []) serveTextEndpoint(app, endpoint);
  serveHealth(app, {
    isReady: () => !isClosing && (options.isReady?.() ?? true),
    facts: options.readinessFacts ?? (() => ({})),
  });
  serveDocuments(app, options);
  servePages(app, options.pages, options.pageAddresses);

  return {
    app,
    listen: (host, port) => app.listen({ host, port }),
    close: async (how) => {
      isClosing = true;
      if (how && how.drainMs > 0) await setTimeout(how.drainMs);
      await app.close();
    },
  };
}

/** Fastify with our limits on what a connection may do, our ids, our query strings and our errors. */
function createServer(options: HttpAppOptions, keepAliveTimeout: number): FastifyInstance {
  const app = fastify({
    logger: false,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: createRequestIds(options.requestIdStem),
    http: {
      maxHeaderSize: 32_768,
      headersTimeout: 5_000,
      connectionsCheckingInterval: 1_000,
      // Requests without a Host are answered by us, in our form.
      requireHostHeader: false,
    },
    requestTimeout: 10_000,
    keepAliveTimeout,
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
  app.server.maxConnections = options.maxConnections ?? 10_000;
  app.server.on('checkExpectation', (_request, response) => {
    const error = new ServiceError('expectation_failed');
    response.writeHead(error.status, { 'content-type': JSON_TYPE, connection: 'close' });
    response.end(JSON.stringify(toErrorBody(error)));
  });
  return app;
}

/** What stands in every answer that passes through Fastify; a kept answer that leaves at once has its own copy. */
function addCommonHeaders(
  app: FastifyInstance,
  common: HeaderList,
  limiter: RateLimiter | undefined,
  isClosing: () => boolean,
): void {
  const headers = Object.fromEntries(common);
  app.addHook('onSend', function writeCommonHeaders(request, reply, _payload, done) {
    reply.header('x-request-id', request.id).headers(headers);
    if (request.limit && limiter) reply.headers(rateLimitHeaders(limiter, request.limit));
    if (isClosing()) reply.header('connection', 'close');
    done();
  });
}

/** Browsers ask before they send a header of their own: the answer is the same for every path. */
function addPreflight(app: FastifyInstance): void {
  const headers = Object.fromEntries(PREFLIGHT_HEADERS);
  app.addHook('onRequest', function answerPreflight(request, reply, done) {
    if (request.method !== 'OPTIONS') {
      done();
      return;
    }
    request.outcome = 'preflight';
    void reply.code(204).headers(headers).send();
  });
}

/** The way of an answer that is not ready in memory: understood, looked up or loaded, written. */
function serveEndpoint(
  app: FastifyInstance,
  endpoint: Endpoint,
  { cache, troubles }: Pick<HttpAppOptions, 'cache'> & { troubles: RecurringLog },
  sendAnswer: SendAnswer,
  keptAnswers: KeptAnswers,
): void {
  app.get(endpoint.path, async (request, reply) => {
    const path = request.params as Record<string, string>;
    const query = parseQueryString((request.query as { text: string }).text);
    const { accept } = request.headers;
    const question = endpoint.ask({ path, query, accept, client: request.client.key });
    const { ignored, echo, form } = question;
    if (form && 'lines' in form) {
      const body = Readable.from(form.lines(cache));
      return sendText(reply, { body, cacheControl: 'no-store', ignored, contentType: form.contentType });
    }
    const result = await cache.get(question, endpoint.cache);
    if (result.failure !== undefined) {
      const reason = describeFailure(result.failure);
      troubles.note('warn', 'stale', { id: request.id, key: question.key, reason }, 'served stale');
    }
    await sendAnswer(reply, result, { ignored, echo, form });
    // What is for the next request comes when this one has its answer.
    if (ignored.length === 0 && echo === undefined && form === undefined) {
      keptAnswers.remember(request.originalUrl, question.key);
    }
    return reply;
  });
  refuseOtherMethods(app, endpoint.path);
}

function serveHealth(
  app: FastifyInstance,
  { isReady, facts }: { isReady: () => boolean; facts: () => Readonly<Record<string, string>> },
): void {
  const config = { uncounted: true };
  app.get('/livez', { config }, (_request, reply) =>
    reply.header('cache-control', 'no-store').send({ status: 'ok' }),
  );
  app.get('/readyz', { config }, (_request, reply) => {
    const ready = isReady();
    const status = ready ? 'ready' : 'not ready';
    return reply
      .code(ready ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ status, ...facts() });
  });
}

function serveDocuments(
  app: FastifyInstance,
  { description, endpoints, textEndpoints = [] }: HttpAppOptions,
): void {
  const document = JSON.stringify(openapiDocument(description, [...endpoints, ...textEndpoints]));
  const headers = { 'cache-control': 'no-cache' };
  servePage(app, '/openapi.json', { type: JSON_TYPE, body: Buffer.from(document), headers });
}
