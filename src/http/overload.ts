import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../errors.ts';
import type { Clock } from '../process/clock.ts';

export interface OverloadOptions {
  clock: Clock;
  /** The event loop may be this late, on a running average, before work is refused. */
  maxLagMs?: number;
  /** Requests at work at once in this process. */
  maxInFlight?: number;
}

const SAMPLE_EVERY_MS = 50;

/** Each new sample weighs this much, so that one long garbage collection alone refuses nobody. */
const SAMPLE_WEIGHT = 0.3;
/** And counts no more limits than this: neither does a machine that has slept, or a clock that has jumped. */
const SAMPLE_MOST_LIMITS = 2;

/** The running average of how late a timer fires. */
export function averageLag(previousMs: number, sampleMs: number): number {
  return previousMs + SAMPLE_WEIGHT * (Math.max(0, sampleMs) - previousMs);
}

/**
 * Refuses work with 503 when the event loop is late or too many requests are at work. It comes behind the answers
 * from memory, and leaves out documents and health: these cost little and must answer when nothing else does.
 */
export function addOverloadGuard(
  app: FastifyInstance,
  { clock, maxLagMs = 250, maxInFlight = 5_000 }: OverloadOptions,
): void {
  let lagMs = 0;
  let inFlight = 0;
  let expected = clock.monotonic() + SAMPLE_EVERY_MS;
  const timer = setInterval(() => {
    const now = clock.monotonic();
    lagMs = averageLag(lagMs, Math.min(now - expected, SAMPLE_MOST_LIMITS * maxLagMs));
    expected = now + SAMPLE_EVERY_MS;
  }, SAMPLE_EVERY_MS);
  timer.unref();

  app.addHook('onRequest', function refuseOverload(request, reply, done) {
    const isOverloaded = lagMs > maxLagMs || inFlight >= maxInFlight;
    if (isOverloaded && !request.routeOptions.config.uncounted) {
      done(new ServiceError('overloaded', { retryAfterSeconds: 1 }));
      return;
    }
    inFlight++;
    reply.raw.once('close', () => {
      inFlight--;
    });
    done();
  });
  app.addHook('onClose', (_app, done) => {
    clearInterval(timer);
    done();
  });
}
