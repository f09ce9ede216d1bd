import type { Clock } from '../net/clock.ts';
import { Memory } from '../net/memory.ts';
import { waitSeconds } from '@mokuroku/kit/requests';
import { ServerFault, isLimit, isOfServer } from '../net/server-fault.ts';
import type { Gate, GateRequest } from './gate.ts';

/** One query to a server. */
export interface RegistryRequest extends GateRequest {
  /** The queried name: a paused server may be probed with another one. */
  name: string;
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
  /** Of the last call, if none was answered since. */
  timedOutAt: number;
}

const HEALTHY: ServerHealth = {
  pausedUntil: -Infinity,
  pausedAt: -Infinity,
  pausedName: '',
  probeAt: -Infinity,
  shutUntil: -Infinity,
  failures: 0,
  timedOutAt: -Infinity,
};

const MAX_SERVERS = 2_000;
const PROBE_AFTER_MS = 60_000;
/** So many failures in a row shut a server; the time doubles with each further one. */
const FAILURES_TO_SHUT = 5;
const FIRST_SHUT_MS = 2_000;
const MAX_SHUT_MS = 30_000;

/**
 * Gate for root, registries and registrars, by host: adds the pauses that servers demand, and what their failures mean.
 * It does not retry: the look-up queries the registry's other service instead.
 */
export class RegistryGate {
  readonly #gate: Gate;
  readonly #clock: Clock;
  readonly #servers: Memory<ServerHealth>;

  constructor(gate: Gate, clock: Clock) {
    this.#gate = gate;
    this.#clock = clock;
    const isAtRest = ({ pausedUntil, shutUntil }: ServerHealth) =>
      Math.max(pausedUntil, shutUntil) <= clock.monotonic();
    this.#servers = new Memory({ clock, max: MAX_SERVERS, isAtRest });
  }

  /**
   * Makes the call in its turn. Rejects like `gate`, and with the ServerFault `paused` after throttling, `unreachable`
   * after failures.
   */
  async run<T>(request: RegistryRequest, call: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { server } = request;
    this.#refuse(request);
    const made = { isCalled: false };
    const callInTurn = async (signal: AbortSignal) => {
      // The server may have failed, or throttled us, while this call waited.
      this.#refuse(request);
      made.isCalled = true;
      // The next other name waits for the same time.
      if (this.#servers.get(server))
        this.#change(server, { probeAt: this.#clock.monotonic() + PROBE_AFTER_MS });
      return call(signal);
    };
    try {
      const answer = await this.#gate.run(request, callInTurn);
      this.#noteAnswer(server);
      return answer;
    } catch (error) {
      if (!made.isCalled || !(error instanceof ServerFault)) throw error;
      throw this.#noteFault(error, request);
    }
  }

  /** Call if the server throttled a query for `name`. */
  pause(server: string, seconds: number, name: string): void {
    const pausedAt = this.#clock.monotonic();
    const pausedUntil = Math.max(pausedAt + seconds * 1_000, this.#of(server).pausedUntil);
    this.#change(server, { pausedUntil, pausedAt, pausedName: name, probeAt: pausedAt + PROBE_AFTER_MS });
  }

  /** Call if the server answered a call made at `calledAt` (monotonic milliseconds): ends an older pause. */
  resume(server: string, calledAt: number): void {
    if (this.#of(server).pausedAt < calledAt && this.#servers.get(server))
      this.#change(server, { pausedUntil: -Infinity });
  }

  /** Whether a call timed out within this time, and none was answered since. */
  timedOutWithin(server: string, ms: number): boolean {
    return this.#of(server).timedOutAt + ms > this.#clock.monotonic();
  }

  #of(server: string): ServerHealth {
    return this.#servers.get(server)?.value ?? HEALTHY;
  }

  #change(server: string, changes: Partial<ServerHealth>): void {
    this.#servers.set(server, { ...this.#of(server), ...changes });
  }

  #refuse({ server, name }: RegistryRequest): void {
    const { pausedName, pausedUntil, probeAt, shutUntil } = this.#of(server);
    const openAt = name === pausedName ? pausedUntil : Math.min(pausedUntil, probeAt);
    const now = this.#clock.monotonic();
    if (openAt > now) {
      const retryAfterSeconds = Math.ceil((openAt - now) / 1_000);
      const detail = `throttled our queries ${retryAfterSeconds} s`;
      throw new ServerFault('paused', { detail, retryAfterSeconds });
    }
    if (shutUntil > now) {
      const retryAfterSeconds = Math.ceil((shutUntil - now) / 1_000);
      throw new ServerFault('unreachable', { detail: 'is failing and paused', retryAfterSeconds });
    }
  }

  #noteAnswer(server: string): void {
    if (this.#servers.get(server))
      this.#change(server, { failures: 0, shutUntil: -Infinity, timedOutAt: -Infinity });
  }

  /** Returns the fault, with the wait that it states within our bounds: a 503 with Retry-After is a pause too. */
  #noteFault(fault: ServerFault, { server, name }: RegistryRequest): ServerFault {
    if (isLimit(fault)) return fault;
    if (isOfServer(fault)) this.#noteFailure(server, fault);
    else this.#noteAnswer(server);
    if (fault.retryAfterSeconds === undefined) return fault;
    const { reason, message: detail, part, cause, httpStatus } = fault;
    const retryAfterSeconds = waitSeconds(fault.retryAfterSeconds);
    this.pause(server, retryAfterSeconds, name);
    return new ServerFault(reason, { detail, cause, retryAfterSeconds, part, httpStatus });
  }

  #noteFailure(server: string, { reason }: ServerFault): void {
    const now = this.#clock.monotonic();
    if (reason === 'timeout') this.#change(server, { timedOutAt: now });
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
}
