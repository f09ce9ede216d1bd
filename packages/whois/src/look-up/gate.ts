import { systemSleep } from '../net/clock.ts';
import type { Clock, Sleep } from '../net/clock.ts';
import { ServerFault, isOfServer } from '../net/server-fault.ts';
import { withSignal } from '@mokuroku/kit/deadline';
import { spacingOf } from '../whois/servers.ts';

/** One call to a server. */
export interface GateRequest {
  /** Host name. */
  server: string;
  /** Monotonic milliseconds. */
  deadline: number;
  /** Aborted when no client waits any longer. */
  signal?: AbortSignal | undefined;
  /** The client that the server is queried for; undefined for our own calls. */
  client?: string | undefined;
}

/** Limits our calls to each server. */
export interface Gate {
  /**
   * Makes a call in its turn; its signal is aborted at the deadline. Rejects with the error of the call, with the reason
   * of the request's signal, or with a ServerFault: `busy` if our limits allow no call before the deadline, `timeout` if
   * the call took longer, `unreachable` for a server that is not called for a while because it fails.
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

/** Calls that wait for one server. Further ones are rejected. */
const MAX_WAITING = 200;
/** Beyond this, idle servers are dropped: answers of other servers name them, so there may be many. */
const MAX_SERVERS = 2_000;
/** After so many failures in a row a server is not called for a while: each would wait for a timeout. */
const MAX_FAILURES = 5;
const SHUT_MS = 10_000;
/** Node runs a longer timer after a millisecond. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** The fault of a call that our own limits do not allow. */
export function busy(retryAfterSeconds: number): ServerFault {
  return new ServerFault('busy', { detail: `our own limit, for ${retryAfterSeconds} s`, retryAfterSeconds });
}

/** Per server: so many calls at once, in the order of their arrival, and so many a second. */
export function createGate(limits: ServerLimits, clock: Clock, sleep: Sleep = systemSleep): Gate {
  const servers = new Map<string, ServerTurns>();

  function turnsOf(server: string): ServerTurns {
    const existing = servers.get(server);
    if (existing !== undefined) return existing;
    if (servers.size >= MAX_SERVERS)
      for (const [name, { isIdle }] of servers) if (isIdle) servers.delete(name);
    const turns = new ServerTurns(limits, spacingOf(server), clock);
    servers.set(server, turns);
    return turns;
  }

  return {
    run: async (request, call) => {
      const { server, deadline } = request;
      const turns = turnsOf(server);
      let isCalled = false;
      const late = new AbortController();
      const giveUp = () =>
        late.abort(isCalled ? new ServerFault('timeout', { detail: 'timed out' }) : busy(1));
      const leftMs = Math.max(0, deadline - clock.monotonic());
      const timer = setTimeout(giveUp, Math.min(leftMs, MAX_TIMER_MS));
      const signal = request.signal ? AbortSignal.any([request.signal, late.signal]) : late.signal;
      try {
        turns.refuseWhileFailing();
        turns.requireStartBefore(deadline, turns.waiting);
        await turns.enter(signal);
        try {
          const waitMs = turns.acquireToken(deadline);
          if (waitMs > 0) await withSignal(sleep(waitMs, signal), signal);
          signal.throwIfAborted();
          turns.requireStartBefore(deadline);
          turns.refuseWhileFailing();
          isCalled = true;
          return await turns.observe(withSignal(call(signal), signal));
        } finally {
          turns.leave();
        }
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

/** The places and the tokens of one server. */
class ServerTurns {
  readonly #clock: Clock;
  readonly #maxRunning: number;
  readonly #intervalMs: number;
  readonly #burst: number;
  readonly #queue = new Set<() => void>();
  #running = 0;
  /** When all tokens are back: monotonic milliseconds. */
  #fullAt = -Infinity;
  /** Failed calls since the last answer. */
  #failures = 0;
  #shutUntil = -Infinity;

  constructor(limits: ServerLimits, spacingMs: number | undefined, clock: Clock) {
    const { concurrentPerRegistry, perSecondPerRegistry, burstPerRegistry } = limits;
    this.#clock = clock;
    this.#maxRunning = concurrentPerRegistry;
    this.#intervalMs = spacingMs ?? (perSecondPerRegistry > 0 ? 1_000 / perSecondPerRegistry : 0);
    this.#burst = spacingMs !== undefined ? 1 : burstPerRegistry;
  }

  get waiting(): number {
    return this.#queue.size;
  }

  get isIdle(): boolean {
    const isFree = Math.max(this.#fullAt, this.#shutUntil) <= this.#clock.monotonic();
    return isFree && this.#running === 0 && this.waiting === 0;
  }

  /** When a call can start after `ahead` others. */
  #startAt(ahead: number): number {
    const now = this.#clock.monotonic();
    const fullAt = Math.max(this.#fullAt, now);
    return Math.max(now, fullAt + (ahead + 1 - this.#burst) * this.#intervalMs);
  }

  /** Throws `busy` if the deadline has passed. */
  requireStartBefore(deadline: number, ahead?: number): void {
    const now = this.#clock.monotonic();
    const startAt = ahead === undefined ? now : this.#startAt(ahead);
    if (startAt >= deadline) throw busy(Math.max(1, Math.ceil((startAt - now) / 1_000)));
  }

  refuseWhileFailing(): void {
    const shutMs = this.#shutUntil - this.#clock.monotonic();
    if (shutMs <= 0) return;
    const retryAfterSeconds = Math.ceil(shutMs / 1_000);
    throw new ServerFault('unreachable', { detail: 'is failing and paused', retryAfterSeconds });
  }

  /** Counts the failures in a row. Any other fault is an answer of the server; other errors say nothing about it. */
  async observe<T>(call: Promise<T>): Promise<T> {
    try {
      const value = await call;
      this.#failures = 0;
      return value;
    } catch (error) {
      if (error instanceof ServerFault) this.#failures = isOfServer(error) ? this.#failures + 1 : 0;
      if (this.#failures >= MAX_FAILURES) this.#shutUntil = this.#clock.monotonic() + SHUT_MS;
      throw error;
    }
  }

  /** Resolves in its turn. Then call `leave`. */
  async enter(signal: AbortSignal): Promise<void> {
    if (this.#running < this.#maxRunning) {
      this.#running++;
      return;
    }
    if (this.waiting >= MAX_WAITING) throw busy(1);
    let next: () => void = () => undefined;
    const turn = new Promise<void>((resolve) => (next = resolve));
    this.#queue.add(next);
    try {
      await withSignal(turn, signal);
    } catch (error) {
      // Its turn may have come in the same tick.
      if (!this.#queue.delete(next)) this.leave();
      throw error;
    }
  }

  /** Passes the place on. */
  leave(): void {
    const [next] = this.#queue;
    if (next === undefined) {
      this.#running--;
      return;
    }
    this.#queue.delete(next);
    next();
  }

  /** Acquires a token; returns the milliseconds until the call may start. Throws `busy` if that is too late. */
  acquireToken(deadline: number): number {
    this.requireStartBefore(deadline, 0);
    const startAt = this.#startAt(0);
    const now = this.#clock.monotonic();
    this.#fullAt = Math.max(this.#fullAt, now) + this.#intervalMs;
    return startAt - now;
  }
}
