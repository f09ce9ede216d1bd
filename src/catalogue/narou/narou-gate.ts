import type { Clock } from '../../process/clock.ts';
import { ServiceError } from '../../errors.ts';
import { createGate } from '../../upstream/gate.ts';
import type { Gate } from '../../upstream/gate.ts';
import type { Classification } from '../../upstream/gate-rules.ts';
import type { Asker, OutgoingBudget } from '../../upstream/budget.ts';
import { UpstreamUnavailable, budgetSpent, overloaded, timedOut, unavailable } from './upstream-failure.ts';

export interface NarouGateOptions {
  clock: Clock;
  random: () => number;
  wait: (milliseconds: number) => Promise<unknown>;
  /** Requests under way at once. */
  connections: number;
  /** Requests that may wait for their turn. */
  maxWaiting: number;
  /** Requests that would probably wait longer than this are refused (overloaded). */
  tolerableWaitMs: number;
  /** undefined: nothing is counted (the sample). */
  budget: OutgoingBudget | undefined;
  /** Called whenever the budget was asked. */
  onBudget?: () => void;
}

const RETRIES = 2;

/** An answer that makes no sense is still an answer: it may be due to this one question. */
function classify(error: unknown): Classification {
  const failed =
    error instanceof ServiceError &&
    (error.code === 'upstream_unavailable' || error.code === 'upstream_timeout');
  if (!(error instanceof UpstreamUnavailable)) return { failed, retry: false };
  return { failed, retry: error.mayPass, pauseSeconds: error.statedSeconds };
}

/** Stands before every request to the upstream. */
export function createNarouGate(options: NarouGateOptions): Gate {
  const { clock, random, wait, budget, connections, maxWaiting, tolerableWaitMs } = options;

  async function admit(asker: Asker | undefined): Promise<void> {
    const decision = await budget?.take(asker);
    options.onBudget?.();
    if (decision?.spent) throw budgetSpent(decision.spent, decision.secondsLeft, clock.now());
  }

  return createGate({
    clock,
    random,
    wait,
    admit: budget && admit,
    rulesOf: () => ({ places: connections, maxWaiting, tolerableWaitMs, retries: RETRIES }),
    classify,
    errors: {
      unavailable: (reason, retryAfterSeconds) => unavailable(new Error(reason), retryAfterSeconds),
      overloaded,
      late: () => timedOut(new Error('no complete answer before the deadline')),
    },
  });
}
