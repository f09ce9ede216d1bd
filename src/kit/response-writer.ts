import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Clock } from './clock.ts';
import { toErrorBody } from './errors.ts';
import type { ServiceError } from './errors.ts';
import type { Exchange } from './exchange.ts';
import type { ServiceLogger } from './logger.ts';
import { createEncodingChoice, matchesEtag } from './negotiation.ts';
import type { CacheOutcome } from './response-cache.ts';
import type { BodyShape, Encoding, StoredAnswer, WireForm } from './stored-answer.ts';
import { createHeadWriter, createWireHead } from './wire-head.ts';
import type { WireHead } from './wire-head.ts';

const gzipAsync = promisify(gzip);
const brotliAsync = promisify(brotliCompress);

/** Smaller bodies fit one packet anyway. */
const COMPRESS_FROM_BYTES = 1_024;

const MAX_LOGGED_URL = 500;

function loggedUrl(url: string): string {
  return url.length > MAX_LOGGED_URL ? `${url.slice(0, MAX_LOGGED_URL)}...` : url;
}

export interface ResponseWriterOptions {
  clock: Clock;
  shape: BodyShape;
  /** Names the cache in Cache-Status (RFC 9211). */
  cacheName: string;
  /** Headers of every answer, names and values in turn. */
  constantHeaders: readonly string[];
  /** `"default";q=60;w=60`, or undefined when nothing is counted. */
  rateLimitPolicy: string | undefined;
  log: ServiceLogger;
  /** Told to clients in Keep-Alive. */
  keepAliveTimeoutMs: number;
}

export type ResponseWriter = ReturnType<typeof createResponseWriter>;

/** Writes every answer of a service: kept ones, fresh ones, errors. The only place that knows the wire. */
export function createResponseWriter(options: ResponseWriterOptions) {
  const { clock, shape, cacheName, rateLimitPolicy, log } = options;
  const chooseEncoding = createEncodingChoice();
  const accessLogged = log.logger.isLevelEnabled('info');
  const service = JSON.stringify(log.logger.bindings()['service'] ?? '');

  const writeHeadOf = createHeadWriter(options.keepAliveTimeoutMs);
  const rateLimitPairs = rateLimitPolicy === undefined ? [] : ['RateLimit-Policy', rateLimitPolicy];
  const commonPairs = [...options.constantHeaders, ...rateLimitPairs];

  function headOf(answer: StoredAnswer, length: number, encoding: Encoding): WireHead {
    const lifetime = Math.round((answer.freshUntil - answer.storedAt) / 1000);
    const pairs = [...commonPairs, 'Cache-Control', `public, max-age=${lifetime}`, 'ETag', answer.etag];
    pairs.push('Content-Type', 'application/json; charset=utf-8', 'Content-Length', String(length));
    if (encoding !== 'identity') pairs.push('Content-Encoding', encoding);
    return createWireHead(answer.status, pairs);
  }

  /** What differs from request to request. */
  function changingPairs(exchange: Exchange, age: number, cacheStatus: string): string[] {
    const pairs = ['X-Request-Id', exchange.id, 'Age', String(age), 'Cache-Status', cacheStatus];
    const { limit } = exchange;
    if (limit) pairs.push('RateLimit', `"default";r=${limit.remaining};t=${limit.resetSeconds}`);
    return pairs;
  }

  function logAccess(
    request: IncomingMessage,
    exchange: Exchange,
    status: number,
    bytes: number,
    cache: string,
  ) {
    if (!accessLogged) return;
    const ms = (clock.monotonic() - exchange.startedAt).toFixed(3);
    log.writeLine(
      `{"level":30,"time":${clock.now()},"service":${service},"id":"${exchange.id}","method":"${exchange.method}","url":${JSON.stringify(loggedUrl(request.url ?? ''))},"status":${status},"ms":${ms},"bytes":${bytes},"cache":"${cache}","client":"${exchange.client.masked}"}\n`,
    );
  }

  function formOf(answer: StoredAnswer, encoding: Encoding): WireForm {
    const made = answer.forms.get(encoding);
    if (made) return made;
    if (encoding !== 'identity' && answer.body.length >= COMPRESS_FROM_BYTES) compress(answer, encoding);
    return answer.forms.get('identity') ?? makeForm(answer, answer.body, 'identity');
  }

  function makeForm(answer: StoredAnswer, body: Buffer, encoding: Encoding): WireForm {
    const form = { body, head: headOf(answer, body.length, encoding) };
    answer.forms.set(encoding, form);
    return form;
  }

  /** Starts once per answer and encoding; whoever asks meanwhile gets the plain form and does not wait. */
  function compress(answer: StoredAnswer, encoding: 'gzip' | 'br'): void {
    makeFormPlaceholder(answer, encoding);
    const compressed =
      encoding === 'gzip'
        ? gzipAsync(answer.body, { level: 6 })
        : brotliAsync(answer.body, {
            params: {
              [constants.BROTLI_PARAM_QUALITY]: 5,
              [constants.BROTLI_PARAM_SIZE_HINT]: answer.body.length,
            },
          });
    compressed.then(
      (body) => makeForm(answer, body, encoding),
      (error: unknown) => {
        log.logger.error({ err: error }, 'compression failed; the plain form goes on being served');
      },
    );
  }

  /** Until the compressed form is there its place is taken by the plain one. */
  function makeFormPlaceholder(answer: StoredAnswer, encoding: Encoding): void {
    const plain = answer.forms.get('identity') ?? makeForm(answer, answer.body, 'identity');
    answer.forms.set(encoding, plain);
  }

  function ageOf(answer: StoredAnswer, now: number): number {
    return Math.max(0, Math.floor((now - answer.storedAt) / 1000));
  }

  function cacheStatusOf(answer: StoredAnswer, outcome: CacheOutcome, now: number): string {
    const ttl = Math.floor((answer.freshUntil - now) / 1000);
    switch (outcome) {
      case 'hit':
        return `${cacheName}; hit; ttl=${ttl}`;
      case 'revalidating':
        return `${cacheName}; hit; ttl=${ttl}; detail=revalidating`;
      case 'stale':
        return `${cacheName}; hit; ttl=${ttl}; detail=stale-on-error`;
      case 'miss':
        return `${cacheName}; fwd=miss; stored`;
      case 'collapsed':
        return `${cacheName}; fwd=miss; collapsed`;
    }
  }

  /** 304 carries what a 200 would, less what describes the body (RFC 9110, section 15.4.5). */
  function writeNotModified(response: ServerResponse, pairs: readonly string[]): void {
    const kept: string[] = [];
    for (let i = 0; i < pairs.length; i += 2) {
      const name = pairs[i] ?? '';
      if (!name.startsWith('Content-')) kept.push(name, pairs[i + 1] ?? '');
    }
    response.writeHead(304, kept);
    response.end();
  }

  function send(
    request: IncomingMessage,
    response: ServerResponse,
    exchange: Exchange,
    answer: StoredAnswer,
    form: WireForm,
    outcome: CacheOutcome,
  ): void {
    const now = clock.now();
    const changing = changingPairs(exchange, ageOf(answer, now), cacheStatusOf(answer, outcome, now));
    const condition = request.headers['if-none-match'];
    if (condition !== undefined && answer.status === 200 && matchesEtag(condition, answer.etag)) {
      writeNotModified(response, [...form.head.pairs, ...changing]);
      logAccess(request, exchange, 304, 0, outcome);
      return;
    }
    writeHeadOf(request, response, form.head, changing, now);
    response.end(form.body);
    logAccess(request, exchange, answer.status, form.body.length, outcome);
  }

  /** A fresh answer from memory: the hot path. */
  function writeHit(
    request: IncomingMessage,
    response: ServerResponse,
    exchange: Exchange,
    answer: StoredAnswer,
  ): void {
    const form = formOf(answer, chooseEncoding(request.headers['accept-encoding']));
    send(request, response, exchange, answer, form, 'hit');
  }

  /** Any answer of the cache with the circumstances of this request around it. */
  function writeAnswer(
    request: IncomingMessage,
    response: ServerResponse,
    exchange: Exchange,
    served: { answer: StoredAnswer; outcome: CacheOutcome; ignored: readonly string[] },
  ): void {
    const { answer, outcome, ignored } = served;
    if (outcome === 'hit' && ignored.length === 0) {
      writeHit(request, response, exchange, answer);
      return;
    }
    const stale = outcome === 'stale' || outcome === 'revalidating';
    const cached = stale || outcome === 'hit';
    const tookMs = Math.round(clock.monotonic() - exchange.startedAt);
    const after = answer.status === 200 ? shape.after(answer.meta, { cached, stale, tookMs, ignored }) : '';
    const body = Buffer.concat([answer.body.subarray(0, answer.dataEnd), Buffer.from(after)]);
    send(
      request,
      response,
      exchange,
      answer,
      { body, head: headOf(answer, body.length, 'identity') },
      outcome,
    );
  }

  function writeError(
    request: IncomingMessage,
    response: ServerResponse,
    exchange: Exchange,
    error: ServiceError,
    extraHeaders: readonly string[] = [],
  ): void {
    const body = Buffer.from(JSON.stringify(toErrorBody(error)));
    const head = ['X-Request-Id', exchange.id, ...options.constantHeaders, ...extraHeaders];
    if (exchange.limit) {
      const { remaining, resetSeconds } = exchange.limit;
      head.push('RateLimit', `"default";r=${remaining};t=${resetSeconds}`, ...rateLimitPairs);
    }
    head.push('Content-Type', 'application/json; charset=utf-8', 'Content-Length', String(body.length));
    head.push('Cache-Control', 'no-store');
    if (error.retryAfterSeconds !== undefined) head.push('Retry-After', String(error.retryAfterSeconds));
    response.writeHead(error.status, head);
    response.end(body);
    logAccess(request, exchange, error.status, body.length, error.code);
  }

  return { writeHit, writeAnswer, writeError, logAccess, constantHeaders: options.constantHeaders };
}
