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

const gzipAsync = promisify(gzip);
const brotliAsync = promisify(brotliCompress);

/** Smaller bodies fit one packet anyway. */
const COMPRESS_FROM_BYTES = 1_024;

const MAX_LOGGED_URL = 500;

function loggedUrl(url: string): string {
  return url.length > MAX_LOGGED_URL ? `${url.slice(0, MAX_LOGGED_URL)}...` : url;
}

/** Places of the values that change per request in a header block. */
const REQUEST_ID = 1;
const AGE = 3;
const CACHE_STATUS = 5;
const RATE_LIMIT = 7;

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
}

export type ResponseWriter = ReturnType<typeof createResponseWriter>;

/** Writes every answer of a service: kept ones, fresh ones, errors. The only place that knows the wire. */
export function createResponseWriter(options: ResponseWriterOptions) {
  const { clock, shape, cacheName, rateLimitPolicy, log } = options;
  const chooseEncoding = createEncodingChoice();
  const accessLogged = log.logger.isLevelEnabled('info');
  const service = JSON.stringify(log.logger.bindings()['service'] ?? '');

  /** The slots in their places, then what is the same for all answers. */
  function headStart(): string[] {
    const head = ['X-Request-Id', '', 'Age', '', 'Cache-Status', ''];
    if (rateLimitPolicy !== undefined) head.push('RateLimit', '', 'RateLimit-Policy', rateLimitPolicy);
    head.push(...options.constantHeaders);
    return head;
  }

  function headOf(answer: StoredAnswer, length: number, encoding: Encoding): string[] {
    const lifetime = Math.round((answer.freshUntil - answer.storedAt) / 1000);
    const head = headStart();
    head.push('Content-Type', 'application/json; charset=utf-8', 'Content-Length', String(length));
    head.push('Cache-Control', `public, max-age=${lifetime}`, 'ETag', answer.etag);
    if (encoding !== 'identity') head.push('Content-Encoding', encoding);
    return head;
  }

  function fillSlots(head: string[], exchange: Exchange, age: string, cacheStatus: string): void {
    head[REQUEST_ID] = exchange.id;
    head[AGE] = age;
    head[CACHE_STATUS] = cacheStatus;
    if (rateLimitPolicy !== undefined && exchange.limit) {
      head[RATE_LIMIT] = `"default";r=${exchange.limit.remaining};t=${exchange.limit.resetSeconds}`;
    }
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
  function writeNotModified(response: ServerResponse, head: readonly string[]): void {
    const kept: string[] = [];
    for (let i = 0; i < head.length; i += 2) {
      const name = head[i] ?? '';
      if (!name.startsWith('Content-')) kept.push(name, head[i + 1] ?? '');
    }
    response.writeHead(304, kept);
    response.end();
  }

  /** A fresh answer from memory: the hot path. */
  function writeHit(
    request: IncomingMessage,
    response: ServerResponse,
    exchange: Exchange,
    answer: StoredAnswer,
  ) {
    const now = clock.now();
    const form = formOf(answer, chooseEncoding(request.headers['accept-encoding']));
    const { head, body } = form;
    fillSlots(head, exchange, String(ageOf(answer, now)), cacheStatusOf(answer, 'hit', now));
    const condition = request.headers['if-none-match'];
    if (condition !== undefined && answer.status === 200 && matchesEtag(condition, answer.etag)) {
      writeNotModified(response, head);
      logAccess(request, exchange, 304, 0, 'hit');
      return;
    }
    response.writeHead(answer.status, head);
    response.end(body);
    logAccess(request, exchange, answer.status, body.length, 'hit');
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
    const now = clock.now();
    const stale = outcome === 'stale' || outcome === 'revalidating';
    const after =
      answer.status === 200
        ? shape.after(answer.meta, {
            cached: stale || outcome === 'hit',
            stale,
            tookMs: Math.round(clock.monotonic() - exchange.startedAt),
            ignored,
          })
        : '';
    const body = Buffer.concat([answer.body.subarray(0, answer.dataEnd), Buffer.from(after)]);
    const head = headOf(answer, body.length, 'identity');
    fillSlots(head, exchange, String(ageOf(answer, now)), cacheStatusOf(answer, outcome, now));
    const condition = request.headers['if-none-match'];
    if (condition !== undefined && answer.status === 200 && matchesEtag(condition, answer.etag)) {
      writeNotModified(response, head);
      logAccess(request, exchange, 304, 0, outcome);
      return;
    }
    response.writeHead(answer.status, head);
    response.end(body);
    logAccess(request, exchange, answer.status, body.length, outcome);
  }

  function writeError(
    request: IncomingMessage,
    response: ServerResponse,
    exchange: Exchange,
    error: ServiceError,
    extraHeaders: readonly string[] = [],
  ): void {
    const body = Buffer.from(JSON.stringify(toErrorBody(error)));
    const head = ['X-Request-Id', exchange.id];
    if (rateLimitPolicy !== undefined && exchange.limit) {
      const { remaining, resetSeconds } = exchange.limit;
      head.push('RateLimit', `"default";r=${remaining};t=${resetSeconds}`);
      head.push('RateLimit-Policy', rateLimitPolicy);
    }
    head.push(...options.constantHeaders, ...extraHeaders);
    head.push('Content-Type', 'application/json; charset=utf-8', 'Content-Length', String(body.length));
    head.push('Cache-Control', 'no-store');
    if (error.retryAfterSeconds !== undefined) head.push('Retry-After', String(error.retryAfterSeconds));
    response.writeHead(error.status, head);
    response.end(body);
    logAccess(request, exchange, error.status, body.length, error.code);
  }

  return { writeHit, writeAnswer, writeError, logAccess, constantHeaders: options.constantHeaders };
}
