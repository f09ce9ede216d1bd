import { setTimeout as sleepFor } from 'node:timers/promises';
import type { Clock } from '../../process/clock.ts';
import { createGate } from '../../upstream/gate.ts';
import type { Gate } from '../../upstream/gate.ts';
import { ServerFault } from '../net/server-fault.ts';
import type { FaultReason } from '../net/server-fault.ts';
import { habitsOf } from '../whois/servers.ts';

/** How much may be asked of one registry server. */
export interface ServerLimits {
  /** Queries under way at one registry server. */
  concurrentPerRegistry: number;
  /** Queries a second at one registry server in the long run; 0: not limited. */
  perSecondPerRegistry: number;
  burstPerRegistry: number;
}

const MAX_WAITING = 200;
/** Faults of the server, not of what it was asked. */
const FAILURES: ReadonlySet<FaultReason> = new Set(['timeout', 'unreachable']);

/**
 * One gate for root, registries and registrars, by host. Rejects with a ServerFault: `busy` where our limits or the
 * server's own wish leave no room before the deadline, `unreachable` while it is left alone because it fails again and
 * again. Nothing is repeated: the look-up asks the registry's other service instead.
 */
export function createRegistryGate(limits: ServerLimits, clock: Clock): Gate {
  return createGate({
    clock,
    random: Math.random,
    wait: (milliseconds) => sleepFor(milliseconds),
    rulesOf: (server) => ({
      places: limits.concurrentPerRegistry,
      maxWaiting: MAX_WAITING,
      perSecond: limits.perSecondPerRegistry,
      burst: limits.burstPerRegistry,
      spacingMs: habitsOf(server).spacingMs,
      retries: 0,
    }),
    classify: (error) =>
      error instanceof ServerFault
        ? { failed: FAILURES.has(error.reason), retry: false, pauseSeconds: error.retryAfterSeconds }
        : { failed: false, retry: false },
    errors: {
      unavailable: (reason, retryAfterSeconds) =>
        reason === 'failing'
          ? new ServerFault('unreachable', { detail: 'fails, and is left alone', retryAfterSeconds })
          : busy(retryAfterSeconds),
      overloaded: busy,
      late: (asked) => (asked ? new ServerFault('timeout', { detail: 'time was over' }) : busy(1)),
    },
  });
}

function busy(retryAfterSeconds: number): ServerFault {
  return new ServerFault('busy', {
    detail: `to be asked again in ${retryAfterSeconds} s`,
    retryAfterSeconds,
  });
}
