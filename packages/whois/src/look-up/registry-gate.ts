import type { Clock } from '@mokuroku/kit/clock';
import { Memory } from '../net/memory.ts';
import { ServerHealth } from '@mokuroku/kit/server-health';
import { ServerFault, isOfServer } from '../net/server-fault.ts';
import type { Gate, GateRequest } from './gate.ts';

/** One query to a server. */
export interface RegistryRequest extends GateRequest {
  /** The queried name: a paused server may be probed with another one. */
  name: string;
}

const MAX_SERVERS = 2_000;

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
    const isAtRest = (health: ServerHealth) => health.shutForMs === 0 && health.pausedForMs() === 0;
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
      made.begunAt = this.healthOf(server).begin();
      return call(signal);
    };
    try {
      const answer = await this.#gate.run(request, callInTurn);
      this.healthOf(server).answered();
      return answer;
    } catch (error) {
      if (made.begunAt === undefined || !(error instanceof ServerFault)) throw error;
      this.#noteFault(error, made.begunAt, request);
      throw error;
    }
  }

  /** What is known of a server. */
  healthOf(server: string): ServerHealth {
    const known = this.#servers.get(server)?.value;
    if (known !== undefined) return known;
    const health = new ServerHealth(this.#clock);
    this.#servers.set(server, health);
    return health;
  }

  #refuse({ server, name }: RegistryRequest): void {
    const health = this.healthOf(server);
    const pausedMs = health.pausedForMs(name);
    const closedMs = Math.max(pausedMs, health.shutForMs);
    if (closedMs === 0) return;
    const retryAfterSeconds = Math.ceil(closedMs / 1_000);
    if (pausedMs === 0)
      throw new ServerFault('unreachable', { detail: 'is failing and paused', retryAfterSeconds });
    throw new ServerFault('paused', {
      detail: `throttled our queries ${retryAfterSeconds} s`,
      retryAfterSeconds,
    });
  }

  /** A 503 with Retry-After is an answer, and a pause. */
  #noteFault(fault: ServerFault, begunAt: number, { server, name }: RegistryRequest): void {
    const health = this.healthOf(server);
    if (isOfServer(fault)) health.failed(begunAt, fault.reason === 'timeout');
    else health.answered();
    if (fault.retryAfterSeconds !== undefined) health.pause(fault.retryAfterSeconds, name);
  }
}
