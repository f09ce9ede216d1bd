import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ServiceError } from '../errors.ts';
import type { LimitDecision, RateLimiter } from '../limits/rate-limiter.ts';

/** Counts the requests of a client, except for health, documents and pages, and refuses those over the limit. */
export function addRateLimit(app: FastifyInstance, limiter: RateLimiter): void {
  const { limit, windowSeconds } = limiter;

  function applyDecision(request: FastifyRequest, decision: LimitDecision): ServiceError | undefined {
    request.limit = decision;
    if (decision.isAllowed) return undefined;
    const seconds = decision.resetSeconds;
    const message = `At most ${limit} requests in ${windowSeconds} seconds; try again in ${seconds} s.`;
    return new ServiceError('rate_limited', { message, retryAfterSeconds: seconds });
  }

  app.addHook('onRequest', function limitRate(request, _reply, done) {
    if (request.routeOptions.config.isExempt) {
      done();
      return;
    }
    const decision = limiter.admit(request.client.key);
    if (!(decision instanceof Promise)) {
      done(applyDecision(request, decision));
      return;
    }
    decision.then((decided) => {
      done(applyDecision(request, decided));
    }, done);
  });
}
