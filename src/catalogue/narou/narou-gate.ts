import { ServiceError } from '../../errors.ts';
import { createGate } from '../../upstream/gate.ts';
import type { Gate } from '../../upstream/gate.ts';
import type { Classification, ServerGateOptions } from '../../upstream/gate-rules.ts';
import type { Requester, OutgoingBudget } from '../../upstream/budget.ts';
import {
  UpstreamUnavailable,
  budgetSpent,
  upstreamOverloaded,
  timedOut,
  upstreamUnavailable,
} from './upstream-failure.ts';

export interface NarouGateOptions extends Pick<ServerGateOptions, 'clock' | 'random' | 'wait'> {
  /** Maximum concurrent requests. */
  connections: number;
  /** Maximum waiting requests. */
  maxWaiting: number;
  /** Requests that would probably wait longer are rejected (overloaded). */
  tolerableWaitMs: number;
  /** False for the sample, whose server runs in this process. */
  hasBreaker?: boolean | undefined;
  /** undefined: no counting (the sample). */
  budget: OutgoingBudget | undefined;
  /** Called after each check of the budget. */
  onBudget?: () => void;
  /** Requests wait until this resolves. */
  untilQuiet?: (() => Promise<void>) | undefined;
}

const RETRIES = 2;

/** An unreadable response is still a response: it may concern this one query only. */
function classify(error: unknown): Classification {
  const failed =
    error instanceof ServiceError &&
    (error.code === 'upstream_unavailable' || error.code === 'upstream_timeout');
  if (!(error instanceof UpstreamUnavailable)) return { failed, retry: false };
  return { failed, retry: error.isTemporary, pauseSeconds: error.statedSeconds };
}

/** The gate before every request to the upstream. */
export function createNarouGate(options: NarouGateOptions): Gate {
  const { clock, random, wait, budget, connections, maxWaiting, tolerableWaitMs, hasBreaker, untilQuiet } =
    options;

  async function admit(requester: Requester | undefined): Promise<void> {
    await untilQuiet?.();
    if (!budget) return;
    const decision = await budget.spend(requester);
    options.onBudget?.();
    if (decision.spent) throw budgetSpent(decision.spent, decision.secondsLeft, clock.now());
  }

  return createGate({
    clock,
    random,
    wait,
    admit,
    rulesOf: () => ({
      maxConcurrent: connections,
      maxWaiting,
      tolerableWaitMs,
      retries: RETRIES,
      hasBreaker,
    }),
    classify,
    errors: {
      unavailable: (reason, retryAfterSeconds) => upstreamUnavailable(new Error(reason), retryAfterSeconds),
      overloaded: upstreamOverloaded,
      timedOut: () => timedOut(new Error('no complete response before the deadline')),
    },
  });
}
