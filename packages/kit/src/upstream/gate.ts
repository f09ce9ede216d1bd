import type { Requester } from './budget.ts';
import { ServerGate } from './server-gate.ts';
import type { ServerGateOptions, ServerRules, Totals } from './server-gate.ts';

export interface GateOptions extends ServerGateOptions {
  /** Called at the first call to a server. */
  rulesOf: (server: string) => ServerRules;
}

interface GateStats extends Totals {
  servers: number;
  /** Number of circuits that are not closed. */
  open: number;
  running: number;
  waiting: number;
}

export interface Gate {
  /**
   * Makes a call in its turn, and retries it if that is safe. Settles by `deadline` (monotonic milliseconds), including
   * the wait: then the call's signal is aborted and no call starts. The same happens if the requester's signal is aborted.
   */
  run<T>(
    server: string,
    call: (signal: AbortSignal) => Promise<T>,
    deadline: number,
    requester?: Requester,
  ): Promise<T>;
  stats(): GateStats;
}

/** Beyond this, the state of unused servers is dropped: responses of other servers name them, so there may be many. */
const MAX_SERVERS = 2_000;

/** Controls the calls to all servers. Each has its own limits; the budget is shared. */
export function createGate(options: GateOptions): Gate {
  const servers = new Map<string, ServerGate>();
  const totals: Totals = { calls: 0, retries: 0, refused: 0 };

  /** Drops all idle servers, or the oldest unused one. */
  function forgetSome(): void {
    const unused = [...servers].filter(([, { isUsed }]) => !isUsed);
    const idle = unused.filter(([, { isIdle }]) => isIdle);
    for (const [server] of idle.length > 0 ? idle : unused.slice(0, 1)) servers.delete(server);
  }

  function gateOf(server: string): ServerGate {
    const existing = servers.get(server);
    if (existing) return existing;
    if (servers.size >= MAX_SERVERS) forgetSome();
    const gate = new ServerGate(options.rulesOf(server), options, totals);
    servers.set(server, gate);
    return gate;
  }

  return {
    run: (server, call, deadline, requester) => gateOf(server).run(call, deadline, requester),
    stats: () => {
      const stats: GateStats = { ...totals, servers: servers.size, open: 0, running: 0, waiting: 0 };
      for (const { breaker, queue } of servers.values()) {
        if (breaker.state !== 'closed') stats.open++;
        stats.running += queue.running;
        stats.waiting += queue.waiting;
      }
      return stats;
    },
  };
}
