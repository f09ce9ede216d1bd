import type { Clock } from '../../process/clock.ts';
import { ServiceError } from '../../errors.ts';
import type { OutgoingBudget } from '../../upstream/outgoing-budget.ts';
import { createUpstreamGuard } from '../../upstream/upstream-guard.ts';
import type { UpstreamGuard, Verdict } from '../../upstream/upstream-guard.ts';
import { UpstreamUnavailable, overloaded, timedOut, unavailable } from './upstream-failure.ts';

export interface NarouGuardOptions {
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
}

/** An answer that makes no sense is still an answer: it may be due to this one question. */
function judge(error: unknown): Verdict {
  const failed =
    error instanceof ServiceError &&
    (error.code === 'upstream_unavailable' || error.code === 'upstream_timeout');
  if (!(error instanceof UpstreamUnavailable)) return { failed, retry: false };
  return { failed, retry: error.mayPass, leaveAloneSeconds: error.statedRetryAfter };
}

/** Stands before every request to the upstream. */
export function createNarouGuard({ connections, ...options }: NarouGuardOptions): UpstreamGuard {
  return createUpstreamGuard({
    ...options,
    concurrent: connections,
    judge,
    errors: {
      unavailable: (reason, retryAfterSeconds) => unavailable(new Error(reason), retryAfterSeconds),
      overloaded,
      late: (deadlineMs) => timedOut(new Error(`no complete answer within ${deadlineMs} ms`)),
    },
  });
}
