import type { IncomingMessage } from 'node:http';
import type { Clock } from '../process/clock.ts';
import type { Exchange } from './exchange.ts';
import type { ServiceLogger } from '../process/logger.ts';

/** What became of one request. `cache` is a cache outcome, an error code or the kind of page. */
export interface Access {
  status: number;
  /** Of the body as sent. */
  bytes: number;
  cache: string;
}

export type RecordAccess = (request: IncomingMessage, exchange: Exchange, access: Access) => void;

/** Told of every request when it has been answered, for counting. `ms` is the time until the answer was handed over. */
export type ObserveAccess = (access: Access, ms: number) => void;

const MAX_LOGGED_URL = 500;

/** Most URLs mean in JSON what they are; what does not is left to JSON.stringify. */
const PLAIN_URL = /^[!#-[\]-~]*$/;

function urlAsJson(url: string): string {
  const logged = url.length > MAX_LOGGED_URL ? `${url.slice(0, MAX_LOGGED_URL)}...` : url;
  return PLAIN_URL.test(logged) ? `"${logged}"` : JSON.stringify(logged);
}

const THOUSANDTHS = Array.from({ length: 1000 }, (_, n) => `.${String(n).padStart(3, '0')}`);

/** Milliseconds to three places. Texts of whole numbers are at hand, those of fractions would be made each time. */
function milliseconds(ms: number): string {
  const micro = Math.round(ms * 1000);
  const whole = Math.floor(micro / 1000);
  return `${whole}${THOUSANDTHS[micro - whole * 1000] ?? ''}`;
}

/**
 * One line a request at level info, built by hand: it is on every answer's way. Clients are shown masked; the full
 * address goes into the log at level debug alone.
 */
export function createAccessLog(log: ServiceLogger, clock: Clock, observe: ObserveAccess): RecordAccess {
  const enabled = log.logger.isLevelEnabled('info');
  const whole = log.logger.isLevelEnabled('debug');
  const service = JSON.stringify(log.logger.bindings()['service'] ?? '');
  let openedAt = -1;
  let opening = '';

  /** The same for all lines of one millisecond. */
  function openingAt(now: number): string {
    if (now !== openedAt) {
      openedAt = now;
      opening = `{"level":30,"time":${now},"service":${service},"id":"`;
    }
    return opening;
  }

  return function recordAccess(request, exchange, access) {
    const ms = clock.monotonic() - exchange.startedAt;
    observe(access, ms);
    if (!enabled) return;
    const { status, bytes, cache } = access;
    const client = whole ? exchange.client.key : exchange.client.masked;
    const asked = `${exchange.id}","method":"${exchange.method}","url":${urlAsJson(request.url ?? '')}`;
    const answered = `,"status":${status},"ms":${milliseconds(ms)},"bytes":${bytes},"cache":"${cache}"`;
    log.writeLine(`${openingAt(clock.now())}${asked}${answered},"client":"${client}"}\n`);
  };
}
