import { Breaker } from './breaker.ts';
import type { Pass } from './breaker.ts';
import { CallEnd } from './call-end.ts';
import type { Clock } from '../process/clock.ts';
import type { OutgoingBudget } from './outgoing-budget.ts';
import { RetryBudget } from './retry-budget.ts';
import { LineFull, WaitingLine } from './waiting-line.ts';

/** What an error says about the upstream. */
export interface Verdict {
  /** False when the upstream works and has only said no. */
  failed: boolean;
  /** True when asking again soon is safe and may help. */
  retry: boolean;
  /** Set when the upstream wants to be left alone for a time. */
  leaveAloneSeconds?: number | undefined;
}

export interface UpstreamGuardOptions {
  clock: Clock;
  random: () => number;
  wait: (milliseconds: number) => Promise<unknown>;
  /** Calls under way at once. */
  concurrent: number;
  /** Calls that may wait for their turn. */
  maxWaiting: number;
  /** Calls that would probably wait longer than this are refused. */
  tolerableWaitMs: number;
  budget: OutgoingBudget | undefined;
  judge: (error: unknown) => Verdict;
  /** The errors of calls that are not made, or not waited for any longer. */
  errors: {
    /** The upstream does not work, or its budget is used up. */
    unavailable: (reason: string, retryAfterSeconds: number) => Error;
    /** Too many calls are waiting. */
    overloaded: (retryAfterSeconds: number) => Error;
    /** The deadline is over. */
    late: (deadlineMs: number) => Error;
  };
}

export interface UpstreamGuard {
  /**
   * Makes a call when its turn comes, and again when it failed in a way that is safe to repeat. Settles within the
   * deadline, waiting included; the call is told then that it must end.
   */
  run<T>(call: (end: CallEnd) => Promise<T>, options: { deadlineMs: number }): Promise<T>;
  readonly figures: GuardFigures;
}

export interface GuardFigures {
  breaker: 'closed' | 'open' | 'probing';
  underWay: number;
  waiting: number;
  /** Totals since the start. */
  calls: number;
  retries: number;
  refused: number;
}

interface Attempt<T> {
  call: (end: CallEnd) => Promise<T>;
  end: CallEnd;
  /** Set once the call is made. */
  pass: Pass | undefined;
}

const MAX_RETRIES = 2;

/** Full jitter: a retry comes after a random time up to this, doubled for the second. */
const FIRST_BACKOFF_MS = 100;

const toSeconds = (milliseconds: number) => Math.max(1, Math.ceil(milliseconds / 1000));

/** Between a service and its upstream: breaker, bounded line, deadline, careful retries, the outgoing budget. */
export function createUpstreamGuard(options: UpstreamGuardOptions): UpstreamGuard {
  const { clock, random, errors, budget } = options;
  const breaker = new Breaker({ clock, random });
  const { concurrent: places, maxWaiting, tolerableWaitMs } = options;
  const line = new WaitingLine({ places, maxWaiting, tolerableWaitMs });
  const retryBudget = new RetryBudget();
  const totals = { calls: 0, retries: 0, refused: 0 };

  function refuse(error: Error): never {
    totals.refused++;
    throw error;
  }

  function refuseWhenOpen(): void {
    const { refusingForMs } = breaker;
    if (refusingForMs > 0) refuse(errors.unavailable('the circuit is open', toSeconds(refusingForMs)));
  }

  async function takeBudget(): Promise<void> {
    const decision = await budget?.takeRequest();
    if (decision && !decision.allowed) {
      refuse(errors.unavailable('the outgoing budget is used up', decision.retryAfterSeconds));
    }
  }

  /** With a place taken: one call. */
  async function makeCall<T>(attempt: Attempt<T>): Promise<T> {
    const { end } = attempt;
    refuseWhenOpen();
    if (budget) await takeBudget();
    end.throwIfOver();
    const pass = breaker.enter();
    if (!pass) refuse(errors.unavailable('the circuit is open', toSeconds(breaker.refusingForMs)));
    attempt.pass = pass;
    totals.calls++;
    return attempt.call(end);
  }

  async function callInTurn<T>(attempt: Attempt<T>): Promise<T> {
    refuseWhenOpen();
    try {
      await line.enter(attempt.end);
    } catch (error) {
      if (error instanceof LineFull) refuse(errors.overloaded(toSeconds(error.waitMs)));
      throw error;
    }
    const enteredAt = clock.monotonic();
    try {
      return await makeCall(attempt);
    } finally {
      // A call that was not made says nothing about how long calls take.
      line.leave(attempt.pass && clock.monotonic() - enteredAt);
    }
  }

  /** One try, and whether its failure may be followed by another. Retries that follow count as one failure. */
  async function tryOnce<T>(attempt: Attempt<T>, mayRetry: boolean): Promise<{ value: T } | 'again'> {
    const fail = () => attempt.pass?.fail();
    attempt.end.listen(fail);
    try {
      const value = await callInTurn(attempt);
      attempt.pass?.succeed();
      return { value };
    } catch (error) {
      const { pass } = attempt;
      if (!pass) throw error;
      const { failed, retry, leaveAloneSeconds } = options.judge(error);
      const again = mayRetry && retry && breaker.state === 'closed' && !attempt.end.reason;
      if (again && retryBudget.take()) return 'again';
      if (failed) pass.fail(leaveAloneSeconds && leaveAloneSeconds * 1000);
      else pass.succeed();
      throw error;
    } finally {
      attempt.end.forget(fail);
    }
  }

  async function callWithRetries<T>(call: Attempt<T>['call'], end: CallEnd): Promise<T> {
    retryBudget.noteCall();
    for (let retries = 0; ; retries++) {
      const outcome = await tryOnce({ call, end, pass: undefined }, retries < MAX_RETRIES);
      if (outcome !== 'again') return outcome.value;
      totals.retries++;
      await options.wait(random() * FIRST_BACKOFF_MS * 2 ** retries);
      end.throwIfOver();
    }
  }

  return {
    run: (call, { deadlineMs }) =>
      new Promise((resolve, reject) => {
        const end = new CallEnd();
        const timer = setTimeout(() => {
          const error = errors.late(deadlineMs);
          reject(error);
          end.end(error);
        }, deadlineMs);
        callWithRetries(call, end)
          .then(resolve, reject)
          .finally(() => {
            clearTimeout(timer);
          });
      }),
    get figures() {
      const { underWay, waiting } = line.figures;
      return { breaker: breaker.state, underWay, waiting, ...totals };
    },
  };
}
