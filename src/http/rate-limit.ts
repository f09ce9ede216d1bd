import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ServiceError } from '../errors.ts';
import type { LimitDecision, RateLimiter } from '../limits/rate-limiter.ts';

/** Counts every request of a client but those for health, documents and pages, and refuses those over the limit. */
export function addRateLimit(app: FastifyInstance, limiter: RateLimiter): void {
  const { limit, windowSeconds } = limiter;

  function tell(request: FastifyRequest, decision: LimitDecision): ServiceError | undefined {
    request.limit = decision;
    if (decision.allowed) return undefined;
    const seconds = decision.resetSeconds;
    const message = `At most ${limit} requests in ${windowSeconds} seconds; try again in ${seconds} s.`;
    return new ServiceError('rate_limited', { message, retryAfterSeconds: seconds });
  }

  app.addHook('onRequest', function limitRate(request, _reply, done) {
    if (request.routeOptions.config.uncounted) {
      done();
      return;
    }
    const decision = limiter.admit(request.client.key);
    if (!(decision instanceof Promise)) {
      done(tell(request, decision));
      return;
    }
    decision.then((decided) => {
      done(tell(request, decided));
    }, done);
  });
}
