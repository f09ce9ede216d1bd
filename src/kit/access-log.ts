import type { IncomingMessage } from 'node:http';
import type { Clock } from './clock.ts';
import type { Exchange } from './exchange.ts';
import type { ServiceLogger } from './logger.ts';

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

function loggedUrl(url: string): string {
  return url.length > MAX_LOGGED_URL ? `${url.slice(0, MAX_LOGGED_URL)}...` : url;
}

/**
 * One line a request at level info, built by hand: it is on every answer's way. Clients are shown masked; the full
 * address goes into the log at level debug alone.
 */
export function createAccessLog(log: ServiceLogger, clock: Clock, observe: ObserveAccess): RecordAccess {
  const enabled = log.logger.isLevelEnabled('info');
  const whole = log.logger.isLevelEnabled('debug');
  const service = JSON.stringify(log.logger.bindings()['service'] ?? '');

  return function recordAccess(request, exchange, access) {
    const ms = clock.monotonic() - exchange.startedAt;
    observe(access, ms);
    if (!enabled) return;
    const { status, bytes, cache } = access;
    const client = whole ? exchange.client.key : exchange.client.masked;
    const url = JSON.stringify(loggedUrl(request.url ?? ''));
    log.writeLine(
      `{"level":30,"time":${clock.now()},"service":${service},"id":"${exchange.id}","method":"${exchange.method}","url":${url},"status":${status},"ms":${Math.round(ms * 1000) / 1000},"bytes":${bytes},"cache":"${cache}","client":"${client}"}\n`,
    );
  };
}
