import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RecordAccess } from './access-log.ts';
import { ageSeconds, cacheStatus, sameUntil } from './cache-status.ts';
import type { Clock } from '../process/clock.ts';
import { toErrorBody } from '../errors.ts';
import type { ServiceError } from '../errors.ts';
import type { Exchange } from './exchange.ts';
import type { Logger } from '../process/logger.ts';
import { createEncodingChoice, matchesEtag } from './negotiation.ts';
import type { LimitDecision } from '../limits/rate-limiter.ts';
import type { CacheOutcome } from '../cache/response-cache.ts';
import type { BodyShape, StoredAnswer, WireForm } from '../cache/stored-answer.ts';
import { createWireForms } from './wire-forms.ts';
import { MOST_FRAMED_BYTES, WireFrame } from './wire-frame.ts';
import {
  createHeadEnding,
  createWireHead,
  setHeadText,
  takesHeadText,
  writeCheckedHead,
} from './wire-head.ts';
import type { HeaderLines, TimedLines, WireHead } from './wire-head.ts';

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

const lengthOf = ({ body, after }: WireForm) =>
  after ? body.length + Buffer.byteLength(after) : body.length;

/** Both pieces leave in one call to the system: Node gathers what is written in one turn. */
function endWith(response: ServerResponse, form: WireForm | undefined): void {
  if (form?.after) {
    response.write(form.body);
    response.end(form.after);
  } else response.end(form?.body);
}

/** Puts a body into a frame, which then holds the only copy of it. */
function frameOf(answer: StoredAnswer, form: WireForm): WireFrame {
  const frame = new WireFrame(form.body);
  if (form.body === answer.body) answer.body = frame.body;
  form.body = frame.body;
  form.frame = frame;
  return frame;
}

/** Writes every answer of a service: kept ones, fresh ones, errors. The only place that knows the wire. */
export function createResponseWriter(options: ResponseWriterOptions): ResponseWriter {
  const { clock, shape, recordAccess, rateLimitPolicy, constantHeaders } = options;
  const chooseEncoding = createEncodingChoice();
  const rateLimitPairs = rateLimitPolicy === undefined ? [] : ['RateLimit-Policy', rateLimitPolicy];
  const forms = createWireForms([...constantHeaders, ...rateLimitPairs], options.logger);
  const headEnding = createHeadEnding(options.keepAliveTimeoutMs);

  function timedLines(head: WireHead, answer: StoredAnswer, outcome: CacheOutcome): TimedLines {
    const now = clock.now();
    const last = head.timed;
    if (last && now >= last.from && now < last.until) return last;
    const status = cacheStatus(options.cacheName, answer, outcome, now);
    const ofAnswer = `Age: ${ageSeconds(answer, now)}\r\nCache-Status: ${status}\r\n`;
    const text = `${head.lines}${ofAnswer}${headEnding(now)}`;
    head.timed = { from: now, until: sameUntil(answer, now), ofAnswer, text };
    return head.timed;
  }

  function requestLines(exchange: Exchange): HeaderLines {
    const id = `X-Request-Id: ${exchange.id}\r\n`;
    return exchange.limit ? `${id}RateLimit: ${rateLimitValue(exchange.limit)}\r\n` : id;
  }

  /** Head and body as one write, when the socket takes them; false when nothing was written. */
  function sendFramed(
    response: ServerResponse,
    { answer, form }: { answer: StoredAnswer; form: WireForm },
    opening: string,
    timed: TimedLines,
  ): boolean {
    const { socket } = response;
    if (!socket?.writable || socket.writableLength > 0 || form.body.length > MOST_FRAMED_BYTES) return false;
    const frame = form.frame ?? frameOf(answer, form);
    const bytes = frame.bytesWith(opening, timed);
    if (!bytes) return false;
    setHeadText(response, form.head.status, opening, true);
    socket.write(bytes);
    // Not all of it was taken: the frame stays with this answer, and the next one gets its own.
    if (socket.writableLength > 0) form.frame = undefined;
    response.end();
    return true;
  }

  function send(
    request: IncomingMessage,
    response: ServerResponse,
    exchange: Exchange,
    { answer, outcome, form }: { answer: StoredAnswer; outcome: CacheOutcome; form: WireForm },
  ): void {
    const condition = request.headers['if-none-match'];
    const unchanged = condition !== undefined && answer.status === 200 && matchesEtag(condition, answer.etag);
    if (unchanged) form.notModified ??= createWireHead(304, withoutBodyHeaders(form.head.pairs));
    const head = unchanged && form.notModified ? form.notModified : form.head;
    const timed = timedLines(head, answer, outcome);
    const lines = requestLines(exchange);
    const withBody = !unchanged && exchange.method !== 'HEAD';
    if (takesHeadText(request, response)) {
      const opening = head.statusLine + lines;
      if (!withBody || form.after !== undefined || !sendFramed(response, { answer, form }, opening, timed)) {
        setHeadText(response, head.status, opening + timed.text, false);
        endWith(response, unchanged ? undefined : form);
      }
    } else {
      writeCheckedHead(response, head, timed.ofAnswer + lines);
      endWith(response, unchanged ? undefined : form);
    }
    const bytes = unchanged ? 0 : lengthOf(form);
    recordAccess(request, exchange, { status: head.status, bytes, cache: outcome });
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
    const body = answer.body.subarray(0, answer.dataEnd);
    const length = body.length + Buffer.byteLength(after);
    const form: WireForm = { body, after, head: forms.headOf(answer, length, 'identity') };
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
