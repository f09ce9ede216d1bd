import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Clock } from '../process/clock.ts';
import type { ServiceLogger } from '../process/logger.ts';

/** What became of one request. `cache` is a cache outcome, an error code or the kind of page. */
interface Access {
  status: number;
  /** Of the body as sent. */
  bytes: number;
  cache: string;
}

/** Told of every request when it has been answered, for counting. `ms` is the time until the answer was handed over. */
export type ObserveAccess = (access: Access, ms: number) => void;

const MAX_LOGGED_URL = 500;

/** Most URLs are JSON between quotes as they are; JSON.stringify would take a tenth of what the whole line costs. */
const NEEDS_ESCAPES = /[^\x20-\x7e]|["\\]/;

function urlAsJson(url: string): string {
  const shown = url.length > MAX_LOGGED_URL ? `${url.slice(0, MAX_LOGGED_URL)}...` : url;
  return NEEDS_ESCAPES.test(shown) ? JSON.stringify(shown) : `"${shown}"`;
}

/** Writes the line of a request whose answer has been handed over. `bytes` of the body, as sent. */
export type LogAccess = (request: FastifyRequest, status: number, bytes: number) => void;

/**
 * One line a request at level info, put together by hand: it is on every answer's way. Clients are shown masked; the
 * full address goes into the log at level debug alone. An answer that does not pass through Fastify is logged by
 * whoever sends it: waiting for the end of every one (Fastify's `onResponse`) cost a kept answer 4 % of its time.
 */
export function addAccessLog(
  app: FastifyInstance,
  options: { log: ServiceLogger; clock: Clock; observe: ObserveAccess | undefined },
): LogAccess {
  const { log, clock, observe } = options;
  const isEnabled = log.logger.isLevelEnabled('info');
  const isWhole = log.logger.isLevelEnabled('debug');
  const service = JSON.stringify(log.logger.bindings()['service'] ?? '');

  function lineOf(request: FastifyRequest, { status, bytes, cache }: Access, ms: number): string {
    const { client, method, id } = request;
    const who = isWhole ? client.key : client.masked;
    // In one piece: parts that are put together first cost a tenth more.
    return `{"level":30,"time":${clock.now()},"service":${service},"id":"${id}","method":"${method}","url":${urlAsJson(request.originalUrl)},"status":${status},"ms":${ms.toFixed(3)},"bytes":${bytes},"cache":"${cache}","client":"${who}"}\n`;
  }

  const logAccess: LogAccess = (request, status, bytes) => {
    const ms = clock.monotonic() - request.startedAt;
    const access = { status, bytes, cache: request.outcome };
    observe?.(access, ms);
    if (isEnabled) log.writeLine(lineOf(request, access, ms));
  };

  app.decorateRequest('isLogged', false);
  app.addHook('onSend', function logWhenSent(request, reply, _payload, done) {
    const { raw } = reply;
    const logOnce = () => {
      // This hook comes twice where what was to be sent fails and an error is sent in its place.
      if (request.isLogged) return;
      request.isLogged = true;
      const length = Number(reply.getHeader('content-length') ?? request.streamedBytes);
      const bytes = request.method === 'HEAD' ? 0 : length;
      logAccess(request, raw.statusCode, bytes);
    };
    raw.once('finish', logOnce).once('error', logOnce);
    done();
  });
  return logAccess;
}
