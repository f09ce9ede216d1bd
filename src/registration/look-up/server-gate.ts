import type { Clock } from '../../process/clock.ts';
import { habitsOf } from '../whois/servers.ts';
import { createRegistryLimits } from './registry-limits.ts';

/** How much may be asked of one registry server. */
export interface ServerLimits {
  /** Queries under way at one registry server. */
  concurrentPerRegistry: number;
  /** Queries a second at one registry server in the long run; 0: not limited. */
  perSecondPerRegistry: number;
  burstPerRegistry: number;
}

/**
 * The limits of each server; `deadline` is in monotonic milliseconds. Rejects with a ServerFault `busy` where they
 * leave no room.
 */
export interface ServerGate {
  run: <T>(server: string, call: (signal: AbortSignal) => Promise<T>, deadline: number) => Promise<T>;
  /** Nothing goes to this server for so many seconds. */
  pause: (server: string, seconds: number) => void;
}

export function createServerGate(limits: ServerLimits, clock: Clock): ServerGate {
  const { run, leaveAlone } = createRegistryLimits({
    random: Math.random,
    clock,
    concurrent: limits.concurrentPerRegistry,
    perSecond: limits.perSecondPerRegistry,
    burst: limits.burstPerRegistry,
  });
  return {
    run: (server, call, deadline) =>
      run(server, deadline, habitsOf(server).spacingMs, () =>
        call(AbortSignal.timeout(Math.max(0, Math.ceil(deadline - clock.monotonic())))),
      ),
    pause: leaveAlone,
  };
}
