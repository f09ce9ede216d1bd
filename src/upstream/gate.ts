import type { Asker } from './budget.ts';
import type { ServerGateOptions, ServerRules, Totals } from './gate-rules.ts';
import { ServerGate } from './server-gate.ts';

export interface GateOptions extends ServerGateOptions {
  /** Read when a server is first asked. */
  rulesOf: (server: string) => ServerRules;
}

interface GateStats extends Totals {
  servers: number;
  /** Circuits that are not closed. */
  open: number;
  underWay: number;
  waiting: number;
}

export interface Gate {
  /**
   * Makes a call when its turn comes, and again when it failed in a way that is safe to repeat. Settles by `deadline`
   * (monotonic milliseconds), waiting included: the call's signal is aborted then, and no call starts after it. So it
   * is when the asker's own signal is aborted.
   */
  run<T>(
    server: string,
    call: (signal: AbortSignal) => Promise<T>,
    deadline: number,
    asker?: Asker,
  ): Promise<T>;
  stats(): GateStats;
}

/** What is known of servers that have not been asked for long is forgotten beyond so many: others name them. */
const MAX_SERVERS = 2_000;

/** Stands before every server that is asked for something, each with limits of its own; the budget is for all. */
export function createGate(options: GateOptions): Gate {
  const servers = new Map<string, ServerGate>();
  const totals: Totals = { calls: 0, retries: 0, refused: 0 };

  /** Forgets all servers of which there is nothing to remember; where there are none, the one known longest. */
  function forgetSome(): void {
    const unused = [...servers].filter(([, { isUsed }]) => !isUsed);
    const idle = unused.filter(([, { isIdle }]) => isIdle);
    for (const [server] of idle.length > 0 ? idle : unused.slice(0, 1)) servers.delete(server);
  }

  function gateOf(server: string): ServerGate {
    const known = servers.get(server);
    if (known) return known;
    if (servers.size >= MAX_SERVERS) forgetSome();
    const gate = new ServerGate(options.rulesOf(server), options, totals);
    servers.set(server, gate);
    return gate;
  }

  return {
    run: (server, call, deadline, asker) => gateOf(server).run(call, deadline, asker),
    stats: () => {
      const stats: GateStats = { ...totals, servers: servers.size, open: 0, underWay: 0, waiting: 0 };
      for (const { breaker, queue } of servers.values()) {
        if (breaker.state !== 'closed') stats.open++;
        stats.underWay += queue.underWay;
        stats.waiting += queue.waiting;
      }
      return stats;
    },
  };
}
