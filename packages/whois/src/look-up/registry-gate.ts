import type { Clock } from '../net/clock.ts';
import { Memory } from '../net/memory.ts';
import { ServerFault, isLimit, isOfServer } from '../net/server-fault.ts';
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
  /** Whether a call timed out within a minute, and none was answered since. */
  timedOutRecently(server: string): boolean;
  /**
   * Whether a call timed out within ten seconds, and none was answered since: long enough that not every look-up waits
   * for a silent root, short enough to notice its return.
   */
  isSilent(server: string): boolean;
}

/** What is known of a server that fails or throttles. Times are monotonic milliseconds. */
interface ServerHealth {
  /** Throttled for the query of a name. */
  pausedUntil: number;
  pausedAt: number;
  pausedName: string;
  /** When another name may be queried: the throttling may concern only the first name. */
  probeAt: number;
  /** Not called: each call would wait for a timeout. */
  shutUntil: number;
  /** Failed calls since the last answer. */
  failures: number;
  /** Other services of the registry are queried first. */
  timedOutUntil: number;
}

const HEALTHY: ServerHealth = {
  pausedUntil: -Infinity,
  pausedAt: -Infinity,
  pausedName: '',
  probeAt: -Infinity,
  shutUntil: -Infinity,
  failures: 0,
  timedOutUntil: -Infinity,
};

const MAX_SERVERS = 2_000;
/** Maximum accepted `Retry-After`. */
const MAX_RETRY_AFTER_SECONDS = 3_600;
const PROBE_AFTER_MS = 60_000;
const TIMED_OUT_MS = 60_000;
const SILENT_MS = 10_000;
/** So many failures in a row shut a server; the time doubles with each further one. */
const FAILURES_TO_SHUT = 5;
const FIRST_SHUT_MS = 2_000;
const MAX_SHUT_MS = 30_000;

/** What is known of each server. */
class HealthRecords {
  readonly #clock: Clock;
  readonly #servers: Memory<ServerHealth>;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#servers = new Memory({ clock, max: MAX_SERVERS });
  }

  #of(server: string): ServerHealth {
    return this.#servers.get(server)?.value ?? HEALTHY;
  }

  #change(server: string, changes: Partial<ServerHealth>): void {
    this.#servers.set(server, { ...this.#of(server), ...changes });
  }

  refuse({ server, name }: RegistryRequest): void {
    const health = this.#of(server);
    const openAt =
      name === health.pausedName ? health.pausedUntil : Math.min(health.pausedUntil, health.probeAt);
    const now = this.#clock.monotonic();
    if (openAt > now) {
      const retryAfterSeconds = Math.ceil((openAt - now) / 1_000);
      const detail = `throttled our queries ${retryAfterSeconds} s`;
      throw new ServerFault('paused', { detail, retryAfterSeconds });
    }
    if (health.shutUntil > now) {
      const retryAfterSeconds = Math.ceil((health.shutUntil - now) / 1_000);
      throw new ServerFault('unreachable', { detail: 'is failing and paused', retryAfterSeconds });
    }
  }

  /** Any fault but a failure is an answer; other errors say nothing about the server. */
  noteOutcome(server: string, fault?: ServerFault): void {
    if (fault && isLimit(fault)) return;
    if (!fault || !isOfServer(fault)) {
      if (this.#servers.get(server))
        this.#change(server, { failures: 0, shutUntil: -Infinity, timedOutUntil: -Infinity });
      return;
    }
    const now = this.#clock.monotonic();
    if (fault.reason === 'timeout') this.#change(server, { timedOutUntil: now + TIMED_OUT_MS });
    const { failures, shutUntil } = this.#of(server);
    // Calls that began together count as one when the server is shut.
    if (shutUntil > now) return;
    const furtherFailures = failures + 1 - FAILURES_TO_SHUT;
    const shutMs = Math.min(FIRST_SHUT_MS * 2 ** furtherFailures, MAX_SHUT_MS);
    this.#change(server, {
      failures: failures + 1,
      ...(furtherFailures >= 0 && { shutUntil: now + shutMs }),
    });
  }

  pause(server: string, seconds: number, name: string): void {
    const pausedAt = this.#clock.monotonic();
    const pausedUntil = Math.max(pausedAt + seconds * 1_000, this.#of(server).pausedUntil);
    this.#change(server, { pausedUntil, pausedAt, pausedName: name, probeAt: pausedAt + PROBE_AFTER_MS });
  }

  /** The next other name waits for the same time. */
  noteCall(server: string): void {
    if (this.#servers.get(server))
      this.#change(server, { probeAt: this.#clock.monotonic() + PROBE_AFTER_MS });
  }

  resume(server: string, calledAt: number): void {
    if (this.#servers.get(server) && this.#of(server).pausedAt < calledAt)
      this.#change(server, { pausedUntil: -Infinity });
  }

  /** Whether a call timed out so recently, and none was answered since. */
  timedOutWithin(server: string, ms: number): boolean {
    return this.#of(server).timedOutUntil - TIMED_OUT_MS + ms > this.#clock.monotonic();
  }
}

/**
 * Gate for root, registries and registrars, by host: adds the pauses that servers demand, and what their failures mean.
 * Rejects like `gate`, and with the ServerFault `paused` after throttling, `unreachable` after failures. It does not
 * retry: the look-up queries the registry's other service instead.
 */
export function createRegistryGate(gate: Gate, clock: Clock): RegistryGate {
  const health = new HealthRecords(clock);

  /** A 503 with Retry-After is a pause too. */
  function applyRetryAfter(fault: ServerFault, { server, name }: RegistryRequest): ServerFault {
    if (fault.retryAfterSeconds === undefined || isLimit(fault)) return fault;
    const { reason, message: detail, part, cause, httpStatus } = fault;
    const retryAfterSeconds = Math.min(Math.max(1, fault.retryAfterSeconds), MAX_RETRY_AFTER_SECONDS);
    health.pause(server, retryAfterSeconds, name);
    return new ServerFault(reason, { detail, cause, retryAfterSeconds, part, httpStatus });
  }

  return {
    run: async (request, call) => {
      const { server } = request;
      health.refuse(request);
      const made = { isCalled: false };
      const callInTurn = async (signal: AbortSignal) => {
        // The server may have failed, or throttled us, while this call waited.
        health.refuse(request);
        made.isCalled = true;
        health.noteCall(server);
        return call(signal);
      };
      try {
        const answer = await gate.run(request, callInTurn);
        health.noteOutcome(server);
        return answer;
      } catch (error) {
        if (!made.isCalled || !(error instanceof ServerFault)) throw error;
        health.noteOutcome(server, error);
        throw applyRetryAfter(error, request);
      }
    },
    pauseServer: (server, seconds, name) => health.pause(server, seconds, name),
    resume: (server, calledAt) => health.resume(server, calledAt),
    timedOutRecently: (server) => health.timedOutWithin(server, TIMED_OUT_MS),
    isSilent: (server) => health.timedOutWithin(server, SILENT_MS),
  };
}
