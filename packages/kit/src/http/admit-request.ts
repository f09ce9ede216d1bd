import type { FastifyReply, FastifyRequest } from 'fastify';
import { ERRORS, ServiceError } from '../errors.ts';
import type { Admission, Release } from '../limits/admission.ts';
import type { LimitDecision, RateLimiter } from '../limits/rate-limiter.ts';
import { part } from './part.ts';
// Adds to Fastify's types.
import type {} from './request-context.ts';

/** The error of a refusal. */
function createLimitError(
  { limit, windowSeconds }: RateLimiter,
  { resetSeconds }: LimitDecision,
): ServiceError {
  const message = `At most ${limit} requests in ${windowSeconds} seconds; try again in ${resetSeconds} s.`;
  return new ServiceError(ERRORS.rate_limited, { message, retryAfterSeconds: resetSeconds });
}

/** Counts a part of a request that costs as much as a request. Throws ServiceError `rate_limited`. */
export async function requireAdmission(limiter: RateLimiter | undefined, client: string): Promise<void> {
  const decision = await limiter?.admit(client);
  if (limiter && decision?.isAllowed === false) throw createLimitError(limiter, decision);
}

/** Counts the requests of a client, except for health, documents and pages, and refuses those over the limit. */
export const rateLimit = ({ limiter }: { limiter: RateLimiter | undefined }) =>
  part((app) => {
    if (!limiter) return;
    const policy = `"default";q=${limiter.limit};w=${limiter.windowSeconds}`;

    const applyDecision = (request: FastifyRequest, decision: LimitDecision): ServiceError | undefined => {
      // In the syntax of the current IETF draft.
      request.limit = { left: `"default";r=${decision.remaining};t=${decision.resetSeconds}`, policy };
      return decision.isAllowed ? undefined : createLimitError(limiter, decision);
    };

    app.addHook('onRequest', function limitRate(request, _reply, done) {
      if (request.routeOptions.config.isExempt) {
        done();
        return;
      }
      const decision = limiter.admit(request.client);
      if (!(decision instanceof Promise)) {
        done(applyDecision(request, decision));
        return;
      }
      decision.then((decided) => {
        done(applyDecision(request, decided));
      }, done);
    });
  });

/** Memory of a request beside its headers, until its response is sent. */
const REQUEST_BYTES = 4_096;

/**
 * Admits each request, or responds 503. Runs after the hook for cached responses. Documents and health are exempt: they
 * cost little and must respond under load.
 */
export const requestAdmission = ({ admission }: { admission: Admission }) =>
  part((app) => {
    app.decorateRequest('releases');
    app.addHook('onRequest', function admitRequest(request, { raw }, done) {
      if (!request.routeOptions.config.isExempt) {
        // The client has left while the limiter decided.
        if (raw.destroyed) return;
        // Node stores the headers as text and as fields.
        const bytes = REQUEST_BYTES + 2 * request.raw.rawHeaders.join('').length;
        const releases: Release[] = [];
        request.releases = releases;
        raw.once('close', () => {
          for (const release of releases) release();
        });
        releases.push(admission.requests.acquire(request.client, 1));
        releases.push(admission.bytes.acquire(request.client, bytes));
      }
      done();
    });
  });

/**
 * Reserves memory for a body until the response of its request is closed. Responses that share `body` count once.
 * Throws `overloaded`.
 */
export function reserveMemory(
  { raw, request: { client, releases } }: FastifyReply,
  admission: Admission,
  bytes: number,
  body: object | string,
): void {
  if (!raw.destroyed) releases.push(admission.bytes.acquire(client, bytes, body));
}
