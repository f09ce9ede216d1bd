import { Breaker } from '../../upstream/breaker.ts';
import type { Pass } from '../../upstream/breaker.ts';
import type { Clock } from '../../process/clock.ts';
import { ServerFault } from '../net/server-fault.ts';
import type { FaultReason } from '../net/server-fault.ts';

export interface RegistryLimitsOptions {
  clock: Clock;
  random: () => number;
  /** Queries under way at one server. */
  concurrent: number;
  /** Queries per second at one server in the long run; 0: not limited. */
  perSecond: number;
  /** Queries that may go at once after a quiet time. */
  burst: number;
}

export interface RegistryLimits {
  /**
   * Runs `ask` when this server's limits allow. Rejects with ServerFault `busy` at once when that would be after
   * `deadline` (monotonic milliseconds) or when the server has asked to be left alone, and later when no place
   * becomes free in time; rejects with `unreachable` at once while the server is left alone because it has failed
   * again and again. `spacingMs` is the least time between two queries where the server has a rule of its own.
   */
  run: <T>(
    server: string,
    deadline: number,
    spacingMs: number | undefined,
    ask: () => Promise<T>,
  ) => Promise<T>;
  /** The server said that we ask too much: nothing goes there for so many seconds. */
  leaveAlone: (server: string, seconds: number) => void;
}

interface ServerState {
  underWay: number;
  waiting: (() => void)[];
  /** When the bucket will be full again (GCRA's theoretical arrival time). */
  fullAt: number;
  aloneUntil: number;
  breaker: Breaker;
}

/** Faults of the server, not of what it was asked. */
const BROKEN: ReadonlySet<FaultReason> = new Set(['timeout', 'unreachable']);

const MAX_WAITING = 200;
const MAX_SERVERS = 2_000;

export function createRegistryLimits(options: RegistryLimitsOptions): RegistryLimits {
  const { clock } = options;
  const servers = new Map<string, ServerState>();

  function stateOf(server: string): ServerState {
    const known = servers.get(server);
    if (known) return known;
    if (servers.size >= MAX_SERVERS) forgetIdle();
    const breaker = new Breaker({ clock, random: options.random });
    const state = { underWay: 0, waiting: [], fullAt: 0, aloneUntil: 0, breaker };
    servers.set(server, state);
    return state;
  }

  function forgetIdle(): void {
    const now = clock.monotonic();
    for (const [server, { underWay, waiting, fullAt, aloneUntil, breaker }] of servers) {
      const isIdle = underWay + waiting.length === 0 && breaker.state === 'closed';
      if (isIdle && fullAt <= now && aloneUntil <= now) servers.delete(server);
    }
  }

  /** Takes a token and says when it may be used; takes none when that would be too late. */
  function takeToken(
    state: ServerState,
    now: number,
    deadline: number,
    spacingMs: number | undefined,
  ): number {
    const interval = spacingMs ?? (options.perSecond === 0 ? 0 : 1_000 / options.perSecond);
    const allowance = spacingMs === undefined ? interval * (options.burst - 1) : 0;
    const startAt = Math.max(now, state.fullAt - allowance);
    if (startAt >= deadline) throw busy(startAt - now);
    state.fullAt = Math.max(now, state.fullAt) + interval;
    return startAt;
  }

  function takePlace(state: ServerState, deadline: number): Promise<void> {
    if (state.underWay < options.concurrent) {
      state.underWay++;
      return Promise.resolve();
    }
    if (state.waiting.length >= MAX_WAITING) throw busy(1_000);
    return new Promise((done, fail) => {
      const enter = () => {
        clearTimeout(timer);
        done();
      };
      const timer = setTimeout(() => {
        state.waiting.splice(state.waiting.indexOf(enter), 1);
        fail(busy(1_000));
      }, deadline - clock.monotonic());
      state.waiting.push(enter);
    });
  }

  function leavePlace(state: ServerState): void {
    const next = state.waiting.shift();
    if (next) next();
    else state.underWay--;
  }

  async function waitForTurn(state: ServerState, waitMs: number, deadline: number): Promise<void> {
    if (waitMs > 0) await new Promise((done) => setTimeout(done, waitMs));
    await takePlace(state, deadline);
    // The server may have complained while this query waited for its turn.
    const alone = state.aloneUntil - clock.monotonic();
    if (alone <= 0) return;
    leavePlace(state);
    throw busy(alone);
  }

  /** When a query may go, by the server's rules; throws when that is too late or never. */
  function turnAt(state: ServerState, now: number, deadline: number, spacingMs: number | undefined): number {
    if (state.aloneUntil > now) throw busy(state.aloneUntil - now);
    if (state.breaker.refusingForMs > 0) throw broken(state.breaker.refusingForMs);
    return takeToken(state, now, deadline, spacingMs);
  }

  return {
    run: async (server, deadline, spacingMs, ask) => {
      const state = stateOf(server);
      const now = clock.monotonic();
      const startAt = turnAt(state, now, deadline, spacingMs);
      if (startAt > now || state.underWay >= options.concurrent) {
        await waitForTurn(state, startAt - now, deadline);
      } else state.underWay++;
      let pass: Pass | undefined;
      try {
        pass = state.breaker.enter();
        if (!pass) throw broken(state.breaker.refusingForMs);
        const answer = await ask();
        pass.succeed();
        return answer;
      } catch (error) {
        if (error instanceof ServerFault && BROKEN.has(error.reason)) pass?.fail();
        else pass?.succeed();
        throw error;
      } finally {
        leavePlace(state);
      }
    },
    leaveAlone: (server, seconds) => {
      const state = stateOf(server);
      state.aloneUntil = Math.max(state.aloneUntil, clock.monotonic() + seconds * 1_000);
    },
  };
}

function broken(waitMs: number): ServerFault {
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1_000));
  return new ServerFault('unreachable', {
    detail: 'has been failing, and is left alone',
    retryAfterSeconds,
  });
}

function busy(waitMs: number): ServerFault {
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1_000));
  return new ServerFault('busy', {
    detail: `to be asked again in ${retryAfterSeconds} s`,
    retryAfterSeconds,
  });
}
