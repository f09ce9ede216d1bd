import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../errors.ts';
import type { InFlight } from '../limits/in-flight.ts';
import { Counter } from '../limits/tally.ts';
import type { Turns } from '../limits/turns.ts';
import type { Clock } from '../process/clock.ts';

export interface OverloadOptions {
  clock: Clock;
  /** Our own work may make the event loop this late, on a running average, before work is refused. */
  maxLagMs?: number;
  /** Requests at work at once in this process; those of one network at most half as many. */
  maxInFlight?: number;
  /** Milliseconds of processor time that this process has used. */
  processorTime?: () => number;
}

const SAMPLE_EVERY_MS = 50;

/** Each new sample weighs this much, so that one long garbage collection alone refuses nobody. */
const SAMPLE_WEIGHT = 0.3;
/** And counts no more limits than this: neither does a machine that has slept, or a clock that has jumped. */
const SAMPLE_MOST_LIMITS = 2;

/** So few requests at work are no overload, however long each takes: refusing more would help nobody. */
const FEW_REQUESTS = 8;

/** Of the requests at work, those that one network may have. */
const NETWORK_SHARE = 1 / 2;

/** What a request takes beside its headers until its response has left. */
const REQUEST_BYTES = 4_096;

/** The running average of how late a timer fires. */
export function averageLag(previousMs: number, sampleMs: number): number {
  return previousMs + SAMPLE_WEIGHT * (Math.max(0, sampleMs) - previousMs);
}

/** Of the time by which a timer is late, no more is our own doing than the processor time that we used. */
export const ownLag = (lateMs: number, usedMs: number): number => Math.min(lateMs, usedMs);

function usedProcessorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

function watchLag(
  app: FastifyInstance,
  { clock, maxLagMs = 250, processorTime = usedProcessorTime }: OverloadOptions,
) {
  let lagMs = 0;
  let expected = clock.monotonic() + SAMPLE_EVERY_MS;
  let used = processorTime();
  const timer = setInterval(() => {
    const [now, usedNow] = [clock.monotonic(), processorTime()];
    const sample = ownLag(now - expected, usedNow - used);
    lagMs = averageLag(lagMs, Math.min(sample, SAMPLE_MOST_LIMITS * maxLagMs));
    expected = now + SAMPLE_EVERY_MS;
    used = usedNow;
  }, SAMPLE_EVERY_MS);
  timer.unref();
  app.addHook('onClose', (_app, done) => {
    clearInterval(timer);
    done();
  });
  return { isLate: () => lagMs > maxLagMs };
}

/** What a request weighs: its headers are there as text and as fields. */
export function weighRequest({ rawHeaders }: { rawHeaders: readonly string[] }): number {
  let length = 0;
  for (const text of rawHeaders) length += text.length;
  return REQUEST_BYTES + 2 * length;
}

const overloaded = () => new ServiceError('overloaded', { retryAfterSeconds: 1 });

/** Counts a body for the client of a request until its response has left; waits a little for room. Throws `overloaded`. */
export type HoldBody = (reply: FastifyReply, body: object, bytes: number) => Promise<void>;

/**
 * Refuses work with 503 when our own work makes the event loop late, when too many requests are at work, or when they
 * and their responses hold too much memory. What is not refused begins in its turn. It comes behind the answers from memory, and leaves out documents and
 * health: these cost little and must answer when nothing else does.
 */
export function addOverloadGuard(
  app: FastifyInstance,
  options: OverloadOptions & { inFlight: InFlight; turns: Turns },
): HoldBody {
  const { maxInFlight = 5_000, inFlight, turns } = options;
  const lag = watchLag(app, options);
  const ofNetworks = new Counter();
  let atWork = 0;

  const isOverloaded = (ofNetwork: number) =>
    atWork >= maxInFlight ||
    ofNetwork >= maxInFlight * NETWORK_SHARE ||
    (atWork >= FEW_REQUESTS && lag.isLate());

  async function hold({ raw, request }: FastifyReply, body: object, bytes: number): Promise<void> {
    const release = await inFlight.acquire(request.client, body, bytes);
    if (!release) throw overloaded();
    if (raw.destroyed) release();
    else raw.once('close', release);
  }

  app.addHook('onRequest', function refuseOverload(request: FastifyRequest, reply, done) {
    if (request.routeOptions.config.uncounted) {
      done();
      return;
    }
    const network = request.client.masked;
    if (isOverloaded(ofNetworks.of(network))) {
      done(overloaded());
      return;
    }
    atWork++;
    ofNetworks.add(network);
    const bytes = weighRequest(request.raw);
    const release = inFlight.tryAdd(request.client, request, bytes);
    let leaveTurn: (() => void) | undefined;
    reply.raw.once('close', () => {
      atWork--;
      ofNetworks.remove(network);
      release?.();
      // Nothing is done for a client that has gone while it waited.
      leaveTurn?.();
    });
    const begin = () => {
      if (!reply.raw.destroyed) leaveTurn = turns.enter(network, done);
    };
    if (release) begin();
    else hold(reply, request, bytes).then(begin, done);
  });
  return hold;
}
