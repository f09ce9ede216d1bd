import { LRUCache } from 'lru-cache';
import { systemSleep } from '../../process/clock.ts';
import type { Clock, Sleep } from '../../process/clock.ts';
import { createGate } from '../../upstream/gate.ts';
import type { Gate } from '../../upstream/gate.ts';
import { ServerFault } from '../net/server-fault.ts';
import type { FaultReason } from '../net/server-fault.ts';
import { habitsOf } from '../whois/servers.ts';

/** Limits of queries to one registry server. */
export interface ServerLimits {
  /** Simultaneous queries to one registry server. */
  concurrentPerRegistry: number;
  /** Mean queries per second to one registry server; 0: no limit. */
  perSecondPerRegistry: number;
  burstPerRegistry: number;
}

/** One call to a server. */
export interface RegistryRequest {
  server: string;
  /** The queried name: a paused server may be probed with another one. */
  name: string;
  /** Monotonic milliseconds. */
  deadline: number;
  /** Aborted when no client waits any longer. */
  signal?: AbortSignal | undefined;
  /** The client; undefined for our own calls. */
  client?: string | undefined;
}

export interface RegistryGate {
  /** Makes the call in its turn. Rejects with a ServerFault, or with the reason of the request's signal. */
  run<T>(request: RegistryRequest, call: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Call if the server throttled a query for `name`. */
  pauseServer(server: string, seconds: number, name: string): void;
  /** Call if the server answered a call made at `calledAt` (monotonic milliseconds): ends an older pause. */
  resume(server: string, calledAt: number): void;
}

const MAX_WAITING = 200;
/** Faults of the server, not of the query. */
const FAILURES: ReadonlySet<FaultReason> = new Set(['timeout', 'unreachable']);
/** Maximum accepted `Retry-After`. */
const MAX_RETRY_AFTER_SECONDS = 3_600;

/**
 * Gate for root, registries and registrars, by host. Rejects with a ServerFault: `busy` if our own limits allow no call
 * before the deadline, `paused` after throttling, `unreachable` while the circuit is open. It does not retry: the
 * look-up queries the registry's other service instead.
 */
export function createRegistryGate(
  limits: ServerLimits,
  clock: Clock,
  sleep: Sleep = systemSleep,
): RegistryGate {
  const pauses = createPauses(clock);
  const gate = createLimitingGate(limits, clock, sleep);

  function refuseWhilePaused({ server, name }: RegistryRequest): void {
    const pausedMs = pauses.refusingForMs(server, name);
    if (pausedMs === 0) return;
    const retryAfterSeconds = Math.ceil(pausedMs / 1_000);
    throw new ServerFault('paused', {
      detail: `throttled our queries ${retryAfterSeconds} s`,
      retryAfterSeconds,
    });
  }

  /** A 503 with Retry-After is a pause too. */
  function applyRetryAfter(error: unknown, { server, name }: RegistryRequest): never {
    if (!(error instanceof ServerFault) || error.retryAfterSeconds === undefined) throw error;
    const { reason, message: detail, part, cause, httpStatus } = error;
    const retryAfterSeconds = Math.min(Math.max(1, error.retryAfterSeconds), MAX_RETRY_AFTER_SECONDS);
    pauses.pauseServer(server, retryAfterSeconds, name);
    throw new ServerFault(reason, { detail, cause, retryAfterSeconds, part, httpStatus });
  }

  return {
    run: async (request, call) => {
      const { server, deadline, signal, client = '' } = request;
      refuseWhilePaused(request);
      const callInTurn = async (callSignal: AbortSignal) => {
        // The server may have throttled us while this call waited.
        refuseWhilePaused(request);
        pauses.noteProbe(server);
        return call(callSignal).catch((error: unknown) => applyRetryAfter(error, request));
      };
      return gate.run(server, callInTurn, deadline, { client, background: false, ...(signal && { signal }) });
    },
    pauseServer: pauses.pauseServer,
    resume: pauses.resume,
  };
}

/** Our own limits and the circuit breaker of each server. */
function createLimitingGate(limits: ServerLimits, clock: Clock, sleep: Sleep): Gate {
  return createGate({
    clock,
    random: Math.random,
    // The gate itself stops waiting when the signal aborts.
    wait: (milliseconds) => sleep(milliseconds, new AbortController().signal),
    rulesOf: (server) => ({
      maxConcurrent: limits.concurrentPerRegistry,
      maxWaiting: MAX_WAITING,
      perSecond: limits.perSecondPerRegistry,
      burst: limits.burstPerRegistry,
      spacingMs: habitsOf(server).spacingMs,
      retries: 0,
    }),
    classify: (error) => ({
      failed: error instanceof ServerFault && FAILURES.has(error.reason),
      retry: false,
    }),
    errors: {
      unavailable: (_reason, retryAfterSeconds) =>
        new ServerFault('unreachable', { detail: 'is failing and paused', retryAfterSeconds }),
      overloaded: busy,
      timedOut: ({ wasCalled }) =>
        wasCalled ? new ServerFault('timeout', { detail: 'timed out' }) : busy(1),
    },
  });
}

function busy(retryAfterSeconds: number): ServerFault {
  return new ServerFault('busy', { detail: `our own limit, for ${retryAfterSeconds} s`, retryAfterSeconds });
}

/** After this, a paused server may be queried for another name: the throttling may concern only the first name. */
const PROBE_AFTER_MS = 60_000;
const MAX_SERVERS = 1_000;

interface ServerPause {
  began: number;
  until: number;
  /** When another name may be queried. */
  probeAt: number;
  /** The name whose query was throttled. */
  name: string;
}

/** Servers that throttled our queries. Times are monotonic milliseconds. */
function createPauses(clock: Clock) {
  const pauses = new LRUCache<string, ServerPause>({ max: MAX_SERVERS });
  return {
    pauseServer: (server: string, seconds: number, name: string): void => {
      const began = clock.monotonic();
      const until = Math.max(began + seconds * 1_000, pauses.get(server)?.until ?? 0);
      pauses.set(server, { began, until, probeAt: began + PROBE_AFTER_MS, name });
    },
    resume: (server: string, calledAt: number): void => {
      const pause = pauses.get(server);
      if (pause !== undefined && pause.began < calledAt) pauses.delete(server);
    },
    /** Milliseconds until the server may be queried for the name; 0: now. */
    refusingForMs: (server: string, name: string): number => {
      const pause = pauses.get(server);
      if (pause === undefined) return 0;
      const openAt = name === pause.name ? pause.until : Math.min(pause.until, pause.probeAt);
      return Math.max(0, openAt - clock.monotonic());
    },
    /** Call before a query to a paused server: the next other name waits for the same time. */
    noteProbe: (server: string): void => {
      const pause = pauses.get(server);
      if (pause !== undefined) pause.probeAt = clock.monotonic() + PROBE_AFTER_MS;
    },
  };
}
