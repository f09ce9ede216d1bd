import { asServiceError, toErrorBody } from '../errors.ts';
import type { ServiceError } from '../errors.ts';
import { describeFailure } from '../process/throttled-log.ts';
import type { ThrottledLog } from '../process/throttled-log.ts';
import { part } from './part.ts';
import { JSON_TYPE } from './response-headers.ts';
import { ALLOWED_METHODS } from './routing.ts';

/** Logs the details that the response must not contain. */
export function recordFailure(log: ThrottledLog, error: ServiceError, id: string): void {
  const { code, message, cause, status } = error;
  if (code === 'internal') {
    log.logOncePerPeriod('error', `internal ${describeFailure(cause)}`, { id, code, err: cause }, message);
  } else if (status >= 500) {
    log.logOncePerPeriod('warn', code, { id, code, reason: describeFailure(cause ?? error) }, message);
  }
}

/** Converts every failure of a request into a response. */
export const errorHandler = ({ failureLog }: { failureLog: ThrottledLog }) =>
  part((app) => {
    app.setErrorHandler((error, request, reply) => {
      const failure = asServiceError(error);
      const { code, status, retryAfterSeconds } = failure;
      request.outcome = code;
      recordFailure(failureLog, failure, request.id);
      // What was set for the response that failed, perhaps by Fastify as it began a stream.
      for (const name of Object.keys(reply.getHeaders())) {
        if (name === 'connection') continue;
        reply.removeHeader(name);
      }
      return reply
        .code(status)
        .headers({
          'cache-control': 'no-store',
          'content-type': JSON_TYPE,
          ...(code === 'method_not_allowed' && { allow: ALLOWED_METHODS }),
          ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
        })
        .send(JSON.stringify(toErrorBody(failure)));
    });
  });
