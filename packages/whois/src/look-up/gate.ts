import { DeadlineError, withDeadline } from '@mokuroku/kit/deadline';
import { ServerHealth } from '@mokuroku/kit/server-health';
import { Turns } from '@mokuroku/kit/turns';
import { systemSleep } from '@mokuroku/kit/clock';
import type { Clock, Sleep } from '@mokuroku/kit/clock';
import { Memory } from '../net/memory.ts';
import { ServerFault, isOfServer } from '../net/server-fault.ts';
import { spacingOf } from '../whois/servers.ts';

/** One call to a server. */
export interface GateRequest {
  /** Host name. */
  server: string;
  /** Monotonic milliseconds. */
  deadline: number;
  /** Aborted when no client waits any longer. */
  signal?: AbortSignal | undefined;
  /** The client that the server is queried for: an IP address. Undefined for our own calls. */
  client?: string | undefined;
}

/** Limits our calls to each server. */
export interface Gate {
  /**
   * Makes a call in its turn; its signal is aborted at the deadline. Rejects with the error of the call, with the reason
   * of the request's signal, or with a ServerFault: `busy` if our limits allow no call before the deadline, `timeout` if
   * the call took longer.
   */
  run<T>(request: GateRequest, call: (signal: AbortSignal) => Promise<T>): Promise<T>;
}

/** Limits of queries to one registry server. */
export interface ServerLimits {
  /** Simultaneous queries to one registry server. */
  concurrentPerRegistry: number;
  /** Mean queries per second to one registry server; 0: no limit. */
  perSecondPerRegistry: number;
  burstPerRegistry: number;
}

/** Calls that wait for one server, half of them of one network. Further ones are rejected. */
const MAX_WAITING = 200;
/** Answers of other servers name them, so there may be many. */
const MAX_SERVERS = 2_000;

/** The fault of a call that our own limits do not allow. */
function busy(waitMs: number): ServerFault {
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1_000));
  return new ServerFault('busy', { detail: `our own limit, for ${retryAfterSeconds} s`, retryAfterSeconds });
}

/** Per server: so many calls at once, in turns by the networks of clients, and so many a second. */
export function createGate(limits: ServerLimits, clock: Clock, sleep: Sleep = systemSleep): Gate {
  const servers = new Memory<ServerLimiter>({
    clock,
    max: MAX_SERVERS,
    isAtRest: (limiter) => limiter.isAtRest(),
  });

  return {
    run: async ({ server, deadline, signal: given, client }, call) => {
      const limiter = servers.getOrMake(server, () => new ServerLimiter(limits, spacingOf(server), clock));
      const { turns } = limiter;
      const made = { isCalled: false };
      const callInTurn = async (signal: AbortSignal) => {
        limiter.requireStartBefore(deadline, turns.aheadOf(client));
        if (!(await turns.enter(signal, client))) throw busy(0);
        try {
          const waitMs = limiter.acquireToken(deadline);
          if (waitMs > 0) await sleep(waitMs, signal);
          made.isCalled = true;
          return await call(signal);
        } finally {
          turns.leave();
        }
      };
      try {
        return await withDeadline(deadline - clock.monotonic(), given, callInTurn);
      } catch (error) {
        if (!(error instanceof DeadlineError)) throw error;
        throw made.isCalled ? new ServerFault('timeout', { detail: 'timed out' }) : busy(0);
      }
    },
  };
}

/** The turns and the tokens of one server. */
class ServerLimiter {
  readonly turns: Turns;
  readonly #clock: Clock;
  readonly #intervalMs: number;
  readonly #burst: number;
  /** When all tokens are back: monotonic milliseconds. */
  #fullAt = -Infinity;

  constructor(limits: ServerLimits, spacingMs: number | undefined, clock: Clock) {
    const { concurrentPerRegistry, perSecondPerRegistry, burstPerRegistry } = limits;
    this.turns = new Turns(concurrentPerRegistry, MAX_WAITING);
    this.#clock = clock;
    this.#intervalMs = spacingMs ?? (perSecondPerRegistry > 0 ? 1_000 / perSecondPerRegistry : 0);
    this.#burst = spacingMs === undefined ? burstPerRegistry : 1;
  }

  /** Whether no call runs and all tokens are back, as in a new one. */
  isAtRest(): boolean {
    return this.turns.running === 0 && this.#fullAt <= this.#clock.monotonic();
  }

  /** Milliseconds until a call can start after `ahead` others. Throws `busy` if that is too late. */
  requireStartBefore(deadline: number, ahead: number): number {
    const now = this.#clock.monotonic();
    const fullMs = Math.max(0, this.#fullAt - now);
    const waitMs = Math.max(0, fullMs + (ahead + 1 - this.#burst) * this.#intervalMs);
    if (now + waitMs >= deadline) throw busy(waitMs);
    return waitMs;
  }

  /** Acquires a token; returns the milliseconds until the call may start. Throws `busy` if that is too late. */
  acquireToken(deadline: number): number {
    const waitMs = this.requireStartBefore(deadline, 0);
    this.#fullAt = Math.max(this.#fullAt, this.#clock.monotonic()) + this.#intervalMs;
    return waitMs;
  }
}

/** One query to a server. */
export interface RegistryRequest extends GateRequest {
  /** The queried name: a paused server may be probed with another one. */
  name: string;
}

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
    const { server, name } = request;
    requireOpen(this.healthOf(server), name);
    const made: { begunAt?: number } = {};
    const callInTurn = async (signal: AbortSignal) => {
      // The server may have failed, or throttled us, while this call waited.
      const health = this.healthOf(server);
      requireOpen(health, name);
      made.begunAt = health.begin();
      return call(signal);
    };
    try {
      const answer = await this.#gate.run(request, callInTurn);
      this.healthOf(server).answered();
      return answer;
    } catch (error) {
      if (made.begunAt !== undefined && error instanceof ServerFault)
        noteFault(this.healthOf(server), error, made.begunAt);
      throw error;
    }
  }

  /** What is known of a server. Of many servers, one at rest is forgotten, also during a call: find it again then. */
  healthOf(server: string): ServerHealth {
    return this.#servers.getOrMake(server, () => new ServerHealth(this.#clock));
  }
}

function requireOpen(health: ServerHealth, name: string): void {
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

function noteFault(health: ServerHealth, fault: ServerFault, begunAt: number): void {
  if (isOfServer(fault)) health.failed(begunAt, fault.reason === 'timeout');
  else health.answered();
}
