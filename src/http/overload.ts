import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../errors.ts';
import type { InFlight } from '../limits/in-flight.ts';
import { NETWORK_SHARE } from '../limits/network.ts';
import { Counter } from '../limits/tally.ts';
import type { Turns } from '../limits/turns.ts';
import type { Clock } from '../process/clock.ts';
import { whenClosed } from './when-closed.ts';

export interface OverloadOptions {
  clock: Clock;
  /** Maximum delay of the event loop by our own work, as a running average. */
  maxLagMs?: number;
  /** Maximum concurrent requests of this process; one network may have half of them. */
  maxInFlight?: number;
  /** Milliseconds of processor time that this process has used. */
  processorTime?: () => number;
}

const SAMPLE_EVERY_MS = 50;

/** Weight of a new sample: a single long garbage collection must not refuse requests. */
const SAMPLE_WEIGHT = 0.3;
/** A sample counts as this many limits at most, because of suspended machines and clock jumps. */
const MAX_LIMITS_OF_SAMPLE = 2;

/** Fewer concurrent requests are no overload, however long each takes. */
const FEW_REQUESTS = 8;

/** Memory of a request beside its headers, until its response is sent. */
const REQUEST_BYTES = 4_096;

/** The running average of how late a timer fires. */
export function averageLag(previousMs: number, sampleMs: number): number {
  return previousMs + SAMPLE_WEIGHT * (Math.max(0, sampleMs) - previousMs);
}

/** We can have caused no more of a timer's delay than the processor time that we used. */
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
    lagMs = averageLag(lagMs, Math.min(sample, MAX_LIMITS_OF_SAMPLE * maxLagMs));
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

/** Memory of a request: its headers are stored as text and as fields. */
export function weighRequest({ rawHeaders }: { rawHeaders: readonly string[] }): number {
  let length = 0;
  for (const text of rawHeaders) length += text.length;
  return REQUEST_BYTES + 2 * length;
}

const overloadError = () => new ServiceError('overloaded', { retryAfterSeconds: 1 });

/** Reserves memory for a body until its response is closed; waits briefly if there is not enough. Throws `overloaded`. */
export type ReserveMemory = (reply: FastifyReply, body: object, bytes: number) => Promise<void>;

/**
 * Responds 503 if our own work delays the event loop, or if concurrent requests are too many or need too much memory.
 * Other requests start in turn. The guard runs after the hook for cached responses. Documents and health are exempt:
 * they cost little and must respond under load.
 */
export function addOverloadGuard(
  app: FastifyInstance,
  options: OverloadOptions & { inFlight: InFlight; turns: Turns },
): ReserveMemory {
  const { maxInFlight = 5_000, inFlight, turns } = options;
  const lag = watchLag(app, options);
  const ofNetworks = new Counter();
  let atWork = 0;

  const isOverloaded = (ofNetwork: number) =>
    atWork >= maxInFlight ||
    ofNetwork >= maxInFlight * NETWORK_SHARE ||
    (atWork >= FEW_REQUESTS && lag.isLate());

  async function reserveMemory({ raw, request }: FastifyReply, body: object, bytes: number): Promise<void> {
    const release = await inFlight.reserve(request.client, body, bytes);
    if (!release) throw overloadError();
    if (raw.destroyed) release();
    else request.releases.push(release);
  }

  app.decorateRequest('releases');
  app.addHook('onRequest', function refuseOverload(request: FastifyRequest, reply, done) {
    if (request.routeOptions.config.isExempt) {
      done();
      return;
    }
    const network = request.client.masked;
    if (isOverloaded(ofNetworks.of(network))) {
      done(overloadError());
      return;
    }
    atWork++;
    ofNetworks.add(network);
    request.releases = [];
    let cancelTurn: (() => void) | undefined;
    whenClosed(reply.raw, () => {
      atWork--;
      ofNetworks.remove(network);
      for (const release of request.releases) release();
      // The client may have left while it waited.
      cancelTurn?.();
    });
    const begin = () => {
      if (!reply.raw.destroyed) cancelTurn = turns.start(network, done);
    };
    reserveMemory(reply, request, weighRequest(request.raw)).then(begin, done);
  });
  return reserveMemory;
}
