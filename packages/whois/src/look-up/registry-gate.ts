import type { Clock } from '../net/clock.ts';
import { Memory } from '../net/memory.ts';
import { waitSeconds } from '@mokuroku/kit/requests';
import { ServerHealth } from '@mokuroku/kit/server-health';
import { ServerFault, isOfServer } from '../net/server-fault.ts';
import type { Gate, GateRequest } from './gate.ts';

/** One query to a server. */
export interface RegistryRequest extends GateRequest {
  /** The queried name: a paused server may be probed with another one. */
  name: string;
}

/** Also what a server demands. Times are monotonic milliseconds. */
class RegistryHealth extends ServerHealth {
  /** Throttled for the query of a name. */
  pausedUntil = -Infinity;
  pausedName = '';
  /** When another name may be queried: the throttling may concern only the first name. */
  probeAt = -Infinity;
  /** Of the last call, if none was answered since. */
  timedOutAt = -Infinity;

  override answered(): void {
    super.answered();
    this.timedOutAt = -Infinity;
  }
}

const MAX_SERVERS = 2_000;
const PROBE_AFTER_MS = 60_000;

/**
 * Gate for root, registries and registrars, by host: adds the pauses that servers demand, and what their failures mean.
 * It does not retry: the look-up queries the registry's other service instead.
 */
export class RegistryGate {
  readonly #gate: Gate;
  readonly #clock: Clock;
  readonly #servers: Memory<RegistryHealth>;

  constructor(gate: Gate, clock: Clock) {
    this.#gate = gate;
    this.#clock = clock;
    const isAtRest = ({ pausedUntil, shutForMs }: RegistryHealth) =>
      shutForMs === 0 && pausedUntil <= clock.monotonic();
    this.#servers = new Memory({ clock, max: MAX_SERVERS, isAtRest });
  }

  /**
   * Makes the call in its turn. Rejects like `gate`, and with the ServerFault `paused` after throttling, `unreachable`
   * after failures.
   */
  async run<T>(request: RegistryRequest, call: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { server } = request;
    this.#refuse(request);
    const made: { begunAt?: number } = {};
    const callInTurn = async (signal: AbortSignal) => {
      // The server may have failed, or throttled us, while this call waited.
      this.#refuse(request);
      const health = this.#of(server);
      // The next other name waits for the same time.
      health.probeAt = this.#clock.monotonic() + PROBE_AFTER_MS;
      made.begunAt = health.begin();
      return call(signal);
    };
    try {
      const answer = await this.#gate.run(request, callInTurn);
      this.#of(server).answered();
      return answer;
    } catch (error) {
      if (made.begunAt === undefined || !(error instanceof ServerFault)) throw error;
      throw this.#noteFault(error, made.begunAt, request);
    }
  }

  /** Call if the server throttled a query for `name`. */
  pause(server: string, seconds: number, name: string): void {
    const health = this.#of(server);
    const now = this.#clock.monotonic();
    health.pausedUntil = now + seconds * 1_000;
    health.pausedName = name;
    health.probeAt = now + PROBE_AFTER_MS;
  }

  /** Call if the server answered about a name: ends a pause. */
  resume(server: string): void {
    this.#of(server).pausedUntil = -Infinity;
  }

  /** Whether a call timed out within this time, and none was answered since. */
  timedOutWithin(server: string, ms: number): boolean {
    return this.#of(server).timedOutAt + ms > this.#clock.monotonic();
  }

  #of(server: string): RegistryHealth {
    const known = this.#servers.get(server)?.value;
    if (known !== undefined) return known;
    const health = new RegistryHealth(this.#clock);
    this.#servers.set(server, health);
    return health;
  }

  #refuse({ server, name }: RegistryRequest): void {
    const { pausedName, pausedUntil, probeAt, shutForMs } = this.#of(server);
    const openAt = name === pausedName ? pausedUntil : Math.min(pausedUntil, probeAt);
    const now = this.#clock.monotonic();
    if (openAt > now) {
      const retryAfterSeconds = Math.ceil((openAt - now) / 1_000);
      const detail = `throttled our queries ${retryAfterSeconds} s`;
      throw new ServerFault('paused', { detail, retryAfterSeconds });
    }
    if (shutForMs > 0) {
      const retryAfterSeconds = Math.ceil(shutForMs / 1_000);
      throw new ServerFault('unreachable', { detail: 'is failing and paused', retryAfterSeconds });
    }
  }

  /** Returns the fault, with the wait that it states within our bounds: a 503 with Retry-After is a pause too. */
  #noteFault(fault: ServerFault, begunAt: number, { server, name }: RegistryRequest): ServerFault {
    const health = this.#of(server);
    if (!isOfServer(fault)) health.answered();
    else health.failed(begunAt);
    if (fault.reason === 'timeout') health.timedOutAt = this.#clock.monotonic();
    if (fault.retryAfterSeconds === undefined) return fault;
    const { reason, message: detail, part, cause, httpStatus } = fault;
    const retryAfterSeconds = waitSeconds(fault.retryAfterSeconds);
    this.pause(server, retryAfterSeconds, name);
    return new ServerFault(reason, { detail, cause, retryAfterSeconds, part, httpStatus });
  }
}
