import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RecordAccess } from './access-log.ts';
import { ageSeconds, cacheStatus } from './cache-status.ts';
import type { Clock } from './clock.ts';
import { toErrorBody } from './errors.ts';
import type { ServiceError } from './errors.ts';
import type { Exchange } from './exchange.ts';
import type { Logger } from './logger.ts';
import { createEncodingChoice, matchesEtag } from './negotiation.ts';
import type { LimitDecision } from './rate-limiter.ts';
import type { CacheOutcome } from './response-cache.ts';
import type { BodyShape, StoredAnswer, WireForm } from './stored-answer.ts';
import { createWireForms } from './wire-forms.ts';
import { createHeadWriter, createWireHead } from './wire-head.ts';

export interface ResponseWriterOptions {
  clock: Clock;
  shape: BodyShape;
  /** Names the cache in Cache-Status (RFC 9211). */
  cacheName: string;
  /** Headers of every answer, names and values in turn. */
  constantHeaders: readonly string[];
  /** `"default";q=60;w=60`, or undefined when nothing is counted. */
  rateLimitPolicy: string | undefined;
  /** Told to clients in Keep-Alive. */
  keepAliveTimeoutMs: number;
  recordAccess: RecordAccess;
  logger: Logger;
}

export interface ResponseWriter {
  readonly constantHeaders: readonly string[];
  /** A fresh answer from memory: the hot path. */
  writeHit(
    request: IncomingMessage,
    response: ServerResponse,
    exchange: Exchange,
    answer: StoredAnswer,
  ): void;
  /** Any answer of the cache, with the circumstances of this request around it. */
  writeAnswer(
    request: IncomingMessage,
    response: ServerResponse,
    exchange: Exchange,
    served: ServedAnswer,
  ): void;
  writeError(
    request: IncomingMessage,
    response: ServerResponse,
    exchange: Exchange,
    error: ServiceError,
    extraHeaders?: readonly string[],
  ): void;
}

export interface ServedAnswer {
  answer: StoredAnswer;
  outcome: CacheOutcome;
  ignored: readonly string[];
  echo: string | undefined;
}

const rateLimitValue = (limit: LimitDecision) => `"default";r=${limit.remaining};t=${limit.resetSeconds}`;

/** 304 carries what a 200 would, less what describes the body (RFC 9110, section 15.4.5). */
function withoutBodyHeaders(pairs: readonly string[]): string[] {
  const kept: string[] = [];
  for (let i = 0; i < pairs.length; i += 2) {
    const name = pairs[i] ?? '';
    if (!name.startsWith('Content-')) kept.push(name, pairs[i + 1] ?? '');
  }
  return kept;
}

/** Writes every answer of a service: kept ones, fresh ones, errors. The only place that knows the wire. */
export function createResponseWriter(options: ResponseWriterOptions): ResponseWriter {
  const { clock, shape, recordAccess, rateLimitPolicy, constantHeaders } = options;
  const chooseEncoding = createEncodingChoice();
  const rateLimitPairs = rateLimitPolicy === undefined ? [] : ['RateLimit-Policy', rateLimitPolicy];
  const forms = createWireForms([...constantHeaders, ...rateLimitPairs], options.logger);
  const writeHead = createHeadWriter(options.keepAliveTimeoutMs);

  function send(
    request: IncomingMessage,
    response: ServerResponse,
    exchange: Exchange,
    { answer, outcome, form }: { answer: StoredAnswer; outcome: CacheOutcome; form: WireForm },
  ): void {
    const now = clock.now();
    const status = cacheStatus(options.cacheName, answer, outcome, now);
    let changing = `X-Request-Id: ${exchange.id}\r\nAge: ${ageSeconds(answer, now)}\r\nCache-Status: ${status}\r\n`;
    if (exchange.limit) changing += `RateLimit: ${rateLimitValue(exchange.limit)}\r\n`;
    const condition = request.headers['if-none-match'];
    if (condition !== undefined && answer.status === 200 && matchesEtag(condition, answer.etag)) {
      form.notModified ??= createWireHead(304, withoutBodyHeaders(form.head.pairs));
      writeHead(request, response, form.notModified, changing, now);
      response.end();
      recordAccess(request, exchange, { status: 304, bytes: 0, cache: outcome });
      return;
    }
    writeHead(request, response, form.head, changing, now);
    response.end(form.body);
    recordAccess(request, exchange, { status: answer.status, bytes: form.body.length, cache: outcome });
  }

  const writeHit: ResponseWriter['writeHit'] = (request, response, exchange, answer) => {
    const form = forms.formOf(answer, chooseEncoding(request.headers['accept-encoding']));
    send(request, response, exchange, { answer, outcome: 'hit', form });
  };

  const writeAnswer: ResponseWriter['writeAnswer'] = (request, response, exchange, served) => {
    const { answer, outcome, ignored, echo } = served;
    if (outcome === 'hit' && ignored.length === 0 && echo === undefined) {
      writeHit(request, response, exchange, answer);
      return;
    }
    const stale = outcome === 'stale' || outcome === 'revalidating';
    const cached = stale || outcome === 'hit';
    const tookMs = Math.round(clock.monotonic() - exchange.startedAt);
    const how = { cached, stale, tookMs, ignored, echo };
    const after = answer.status === 200 ? shape.after(answer.meta, how) : '';
    const body = Buffer.concat([answer.body.subarray(0, answer.dataEnd), Buffer.from(after)]);
    const form: WireForm = { body, head: forms.headOf(answer, body.length, 'identity') };
    send(request, response, exchange, { answer, outcome, form });
  };

  const writeError: ResponseWriter['writeError'] = (
    request,
    response,
    exchange,
    error,
    extraHeaders = [],
  ) => {
    const body = Buffer.from(JSON.stringify(toErrorBody(error)));
    const head = ['X-Request-Id', exchange.id, ...constantHeaders, ...extraHeaders];
    if (exchange.limit) head.push('RateLimit', rateLimitValue(exchange.limit), ...rateLimitPairs);
    head.push('Content-Type', 'application/json; charset=utf-8', 'Content-Length', String(body.length));
    head.push('Cache-Control', 'no-store');
    if (error.retryAfterSeconds !== undefined) head.push('Retry-After', String(error.retryAfterSeconds));
    response.writeHead(error.status, head);
    response.end(body);
    recordAccess(request, exchange, { status: error.status, bytes: body.length, cache: error.code });
  };

  return { constantHeaders, writeHit, writeAnswer, writeError };
}
