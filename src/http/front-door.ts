import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { RecordAccess } from './access-log.ts';
import type { ClientAddress } from './client-address.ts';
import type { Clock } from '../process/clock.ts';
import { ServiceError } from '../errors.ts';
import { attachExchange } from './exchange.ts';
import type { Exchange } from './exchange.ts';
import type { HotUrls } from './hot-urls.ts';
import type { OverloadGuard } from './overload.ts';
import type { LimitDecision, RateLimiter } from '../limits/rate-limiter.ts';
import type { ResponseWriter } from './response-writer.ts';
import type { StoredAnswer } from '../cache/stored-answer.ts';

/** 500 ncodes with encoded commas are 5 kB. */
export const MAX_URL_LENGTH = 8_192;

const PREFLIGHT = [
  ['Allow', 'GET, HEAD, OPTIONS'],
  ['Access-Control-Allow-Methods', 'GET, HEAD, OPTIONS'],
  ['Access-Control-Allow-Headers', 'Accept, Content-Type, If-None-Match, X-Request-Id'],
  ['Access-Control-Max-Age', '86400'],
  ['Cache-Control', 'public, max-age=86400'],
  ['Content-Length', '0'],
].flat();

export interface FrontDoorOptions {
  clock: Clock;
  writer: ResponseWriter;
  limiter: RateLimiter | undefined;
  hotUrls: HotUrls;
  recordAccess: RecordAccess;
  overload: OverloadGuard;
  readClientAddress: (request: IncomingMessage) => ClientAddress;
  requestIdOf: (request: IncomingMessage) => string;
  /** Paths that cost nobody anything: health, documents, pages. */
  isUncounted: (path: string) => boolean;
  /** True once the service is going down: connections are told to close. */
  isClosing: () => boolean;
}

function pathOf(url: string): string {
  const question = url.indexOf('?');
  return question < 0 ? url : url.slice(0, question);
}

/**
 * What every request passes before any framework runs: id, client, limit, and the look-up of answers that are
 * ready in memory. What is left goes to `next`, the router.
 */
export function createFrontDoor(options: FrontDoorOptions, next: RequestListener): RequestListener {
  const { clock, writer, limiter, hotUrls, overload } = options;

  function enter(
    request: IncomingMessage,
    response: ServerResponse,
    exchange: Exchange,
    kept: StoredAnswer | undefined,
  ): void {
    if (limiter && exchange.limit && !exchange.limit.allowed) {
      const seconds = exchange.limit.resetSeconds;
      const message = `At most ${limiter.limit} requests in ${limiter.windowSeconds} seconds; try again in ${seconds} s.`;
      writer.writeError(
        request,
        response,
        exchange,
        new ServiceError('rate_limited', { message, retryAfterSeconds: seconds }),
      );
      return;
    }
    if (kept) {
      writer.writeHit(request, response, exchange, kept);
      return;
    }
    // Documents and health cost little and must answer when nothing else does.
    if (exchange.counted && overload.isOverloaded()) {
      const error = new ServiceError('overloaded', { retryAfterSeconds: 1 });
      writer.writeError(request, response, exchange, error);
      return;
    }
    overload.entered();
    attachExchange(request, exchange);
    response.once('close', overload.left);
    next(request, response);
  }

  function enterWhenDecided(
    request: IncomingMessage,
    response: ServerResponse,
    exchange: Exchange,
    kept: StoredAnswer | undefined,
    decision: Promise<LimitDecision>,
  ): void {
    decision.then(
      (limit) => {
        exchange.limit = limit;
        enter(request, response, exchange, kept);
      },
      (cause: unknown) => {
        writer.writeError(request, response, exchange, new ServiceError('internal', { cause }));
      },
    );
  }

  return function frontDoor(request, response) {
    const method = request.method ?? 'GET';
    const url = request.url ?? '/';
    const exchange: Exchange = {
      id: options.requestIdOf(request),
      method,
      startedAt: clock.monotonic(),
      client: options.readClientAddress(request),
      counted: false,
      limit: undefined,
      methodRefused: false,
    };
    if (options.isClosing()) response.shouldKeepAlive = false;
    if (method === 'OPTIONS') {
      response.writeHead(204, ['X-Request-Id', exchange.id, ...writer.constantHeaders, ...PREFLIGHT]);
      response.end();
      options.recordAccess(request, exchange, { status: 204, bytes: 0, cache: 'preflight' });
      return;
    }
    if (method !== 'GET') {
      // The router knows GET alone. Node has decided at this point that a HEAD answer has no body.
      request.method = 'GET';
      exchange.methodRefused = method !== 'HEAD';
    }
    if (url.length > MAX_URL_LENGTH) {
      const message = `The URL is ${url.length} characters long; at most ${MAX_URL_LENGTH} are accepted.`;
      writer.writeError(request, response, exchange, new ServiceError('uri_too_long', { message }));
      return;
    }
    // Only what is counted is ever kept, so that a kept answer needs no look at its path.
    const kept = exchange.methodRefused ? undefined : hotUrls.answerOf(url);
    exchange.counted = kept !== undefined || !options.isUncounted(pathOf(url));
    if (!limiter || !exchange.counted) {
      enter(request, response, exchange, kept);
      return;
    }
    const decision = limiter.take(exchange.client.key);
    if (decision instanceof Promise) {
      enterWhenDecided(request, response, exchange, kept, decision);
      return;
    }
    exchange.limit = decision;
    enter(request, response, exchange, kept);
  };
}
