import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../process/clock.ts';
import type { ServiceLogger } from '../process/logger.ts';

/** What became of one request. `cache` is a cache outcome, an error code or the kind of page. */
export interface Access {
  status: number;
  /** Of the body as sent. */
  bytes: number;
  cache: string;
}

/** Told of every request when it has been answered, for counting. `ms` is the time until the answer was handed over. */
export type ObserveAccess = (access: Access, ms: number) => void;

const MAX_LOGGED_URL = 500;

function urlAsJson(url: string): string {
  return JSON.stringify(url.length > MAX_LOGGED_URL ? `${url.slice(0, MAX_LOGGED_URL)}...` : url);
}

const bodyLength = ({ method }: FastifyRequest, reply: FastifyReply): number =>
  method === 'HEAD' ? 0 : Number(reply.getHeader('content-length') ?? 0);

/**
 * One line a request at level info, put together by hand: it is on every answer's way. Clients are shown masked; the
 * full address goes into the log at level debug alone.
 */
export function addAccessLog(
  app: FastifyInstance,
  options: { log: ServiceLogger; clock: Clock; observe: ObserveAccess },
): void {
  const { log, clock, observe } = options;
  const isEnabled = log.logger.isLevelEnabled('info');
  const isWhole = log.logger.isLevelEnabled('debug');
  const service = JSON.stringify(log.logger.bindings()['service'] ?? '');

  function lineOf(request: FastifyRequest, { status, bytes, cache }: Access, ms: number): string {
    const { client, raw, id } = request;
    const asked = `"id":"${id}","method":"${raw.method ?? ''}","url":${urlAsJson(request.originalUrl)}`;
    const answered = `"status":${status},"ms":${ms.toFixed(3)},"bytes":${bytes},"cache":"${cache}"`;
    const who = `"client":"${isWhole ? client.key : client.masked}"`;
    return `{"level":30,"time":${clock.now()},"service":${service},${asked},${answered},${who}}\n`;
  }

  app.addHook('onResponse', function logAccess(request, reply, done) {
    const ms = clock.monotonic() - request.startedAt;
    const bytes = request.sentBytes ?? bodyLength(request, reply);
    const access = { status: reply.raw.statusCode, bytes, cache: request.outcome };
    observe(access, ms);
    if (isEnabled) log.writeLine(lineOf(request, access, ms));
    done();
  });
}
