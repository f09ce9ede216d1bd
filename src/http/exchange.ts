import type { IncomingMessage } from 'node:http';
import type { ClientAddress } from './client-address.ts';
import type { LimitDecision } from '../limits/rate-limiter.ts';

/** What is known of one request besides the request itself. */
export interface Exchange {
  /** Sent back as X-Request-Id and in every log line of the request. */
  id: string;
  /** As it came; the router is shown GET for HEAD and for refused ones. */
  method: string;
  /** Monotonic milliseconds. */
  startedAt: number;
  client: ClientAddress;
  /** False for health, documents and pages: they are neither limited nor refused under load. */
  counted: boolean;
  /** Absent where nothing is limited. */
  limit: LimitDecision | undefined;
  /** A method other than GET and HEAD: answered with 405 once the path is known to exist. */
  methodRefused: boolean;
}

const EXCHANGE = Symbol('exchange');

type WithExchange = IncomingMessage & { [EXCHANGE]?: Exchange };

export function attachExchange(request: IncomingMessage, exchange: Exchange): void {
  (request as WithExchange)[EXCHANGE] = exchange;
}

export function exchangeOf(request: IncomingMessage): Exchange {
  const exchange = (request as WithExchange)[EXCHANGE];
  if (!exchange) throw new Error('this request did not come through the front door');
  return exchange;
}

const REQUEST_ID = /^[\w.-]{1,64}$/;

const DIGITS = Array.from({ length: 36 * 36 }, (_, n) => n.toString(36).padStart(2, '0'));

/** A caller's own X-Request-Id is kept when it is harmless; else one is made: a random stem and a counter. */
export function createRequestIds(stem: string) {
  let count = 0;
  // Counting in base 36 costs more than putting two texts together: all but the last two digits are kept.
  let leading = `${stem}-`;
  return function requestIdOf(request: IncomingMessage): string {
    const given = request.headers['x-request-id'];
    if (typeof given === 'string' && REQUEST_ID.test(given)) return given;
    const last = ++count % DIGITS.length;
    if (last === 0) leading = `${stem}-${(count / DIGITS.length).toString(36)}`;
    return leading + (DIGITS[last] ?? '');
  };
}
