import type { Clock } from '../net/clock.ts';
import { Memory } from '../net/memory.ts';
import { ServerFault } from '../net/server-fault.ts';
import type { Gate, GateRequest } from './gate.ts';

/** One query to a server. */
export interface RegistryRequest extends GateRequest {
  /** The queried name: a paused server may be probed with another one. */
  name: string;
}

export interface RegistryGate {
  /** Makes the call in its turn. Rejects with a ServerFault, or with the reason of the request's signal. */
  run<T>(request: RegistryRequest, call: (signal: AbortSignal) => Promise<T>): Promise<T>;
  /** Call if the server throttled a query for `name`. */
  pauseServer(server: string, seconds: number, name: string): void;
  /** Call if the server answered a call made at `calledAt` (monotonic milliseconds): ends an older pause. */
  resume(server: string, calledAt: number): void;
}

/** Maximum accepted `Retry-After`. */
const MAX_RETRY_AFTER_SECONDS = 3_600;

/**
 * Gate for root, registries and registrars, by host: adds the pauses that servers demand. Rejects like `gate`, and with
 * the ServerFault `paused` after throttling. It does not retry: the look-up queries the registry's other service instead.
 */
export function createRegistryGate(gate: Gate, clock: Clock): RegistryGate {
  const pauses = createPauses(clock);

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
      refuseWhilePaused(request);
      const callInTurn = async (callSignal: AbortSignal) => {
        // The server may have throttled us while this call waited.
        refuseWhilePaused(request);
        pauses.noteProbe(request.server);
        return call(callSignal).catch((error: unknown) => applyRetryAfter(error, request));
      };
      return gate.run(request, callInTurn);
    },
    pauseServer: pauses.pauseServer,
    resume: pauses.resume,
  };
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
  const pauses = new Memory<ServerPause>({ clock, max: MAX_SERVERS });
  return {
    pauseServer: (server: string, seconds: number, name: string): void => {
      const began = clock.monotonic();
      const until = Math.max(began + seconds * 1_000, pauses.get(server)?.value.until ?? 0);
      pauses.set(server, { began, until, probeAt: began + PROBE_AFTER_MS, name });
    },
    resume: (server: string, calledAt: number): void => {
      const pause = pauses.get(server)?.value;
      if (pause !== undefined && pause.began < calledAt) pauses.delete(server);
    },
    /** Milliseconds until the server may be queried for the name; 0: now. */
    refusingForMs: (server: string, name: string): number => {
      const pause = pauses.get(server)?.value;
      if (pause === undefined) return 0;
      const openAt = name === pause.name ? pause.until : Math.min(pause.until, pause.probeAt);
      return Math.max(0, openAt - clock.monotonic());
    },
    /** Call before a query to a paused server: the next other name waits for the same time. */
    noteProbe: (server: string): void => {
      const pause = pauses.get(server)?.value;
      if (pause !== undefined) pause.probeAt = clock.monotonic() + PROBE_AFTER_MS;
    },
  };
}
