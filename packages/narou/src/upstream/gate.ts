import { ServiceError } from '@mokuroku/kit';
import { DeadlineError, withDeadline, withSignal } from '@mokuroku/kit/deadline';
import { Breaker } from '@mokuroku/kit/process';
import type { Clock, Permit } from '@mokuroku/kit/process';
import { Turns } from '@mokuroku/kit/turns';
import type { Requester } from './budget.ts';

/** Meaning of an error. */
export interface Classification {
  /** False if the server works and only refused this request. */
  failed: boolean;
  /** True if a quick retry is safe and may help. */
  retry: boolean;
  /** Set if the server requested a pause. */
  pauseSeconds?: number | undefined;
}

/** `paused`: the server requested a pause; `failing`: its circuit is open. */
type UnavailableReason = 'paused' | 'failing';

export interface GateOptions {
  /** Maximum concurrent calls. */
  maxConcurrent: number;
  /** Maximum waiting callers; one network may have half of them. */
  maxWaiting: number;
  /** A caller with a longer expected wait is refused, unless it is shorter than one mean call. Default: no limit. */
  tolerableWaitMs?: number | undefined;
  clock: Clock;
  random: () => number;
  wait: (milliseconds: number) => Promise<unknown>;
  /** Called before every call, including retries; throws if the daily budget is spent. */
  admit?: ((requester: Requester | undefined) => void | Promise<void>) | undefined;
  classify: (error: unknown) => Classification;
  /** Errors of calls that were not made, or were abandoned. */
  errors: {
    unavailable: (reason: UnavailableReason, retryAfterSeconds: number) => Error;
    /** Too many calls wait. */
    overloaded: (retryAfterSeconds: number) => Error;
    /** The deadline has passed; `wasCalled`: whether the call was made. */
    timedOut: (call: { readonly wasCalled: boolean }) => Error;
  };
}

interface GateStats {
  calls: number;
  retries: number;
  refused: number;
  /** Whether the circuit is not closed. */
  isOpen: boolean;
  running: number;
  waiting: number;
}

/** The state of one call of `run`. */
interface Run<T> {
  call: (signal: AbortSignal) => Promise<T>;
  deadline: number;
  signal: AbortSignal;
  requester: Requester | undefined;
  /** The permit of the current call. */
  permit: Permit | undefined;
  /** The permit of the failed call before a retry: to the breaker, both count as one call. */
  retried: Permit | undefined;
}

/** Each run earns a tenth of a retry, so that retries add at most a tenth to the calls. */
const EARNED_BY_RUN = 0.1;
/** Maximum number of saved retries. */
const MAX_SAVED_RETRIES = 5;
/** Full jitter: the delay is random up to this maximum, which doubles with each retry. */
const FIRST_BACKOFF_MS = 100;
/** Longer pauses requested by a server are cut to this. */
const MAX_STATED_PAUSE_SECONDS = 600;
/** Maximum retries of a call. */
const MAX_RETRIES = 2;
/** Weight of the newest call in the mean duration. */
const NEWEST_SHARE = 0.1;

const toSeconds = (milliseconds: number) => Math.max(1, Math.ceil(milliseconds / 1000));

/** Controls the calls to the upstream: queue, circuit breaker, requested pauses, retries. */
export class Gate {
  readonly #turns: Turns;
  readonly #breaker: Breaker;
  readonly #options: GateOptions;
  readonly #clock: Clock;
  readonly #totals = { calls: 0, retries: 0, refused: 0 };
  #pausedUntil = 0;
  #savedRetries = 0;
  /** Mean duration of a call. */
  #meanMs = 0;

  constructor(options: GateOptions) {
    this.#options = options;
    this.#clock = options.clock;
    this.#turns = new Turns(options.maxConcurrent, options.maxWaiting);
    this.#breaker = new Breaker(options);
  }

  stats(): GateStats {
    const { running, waiting } = this.#turns;
    return { ...this.#totals, isOpen: this.#breaker.state !== 'closed', running, waiting };
  }

  /**
   * Makes a call in its turn, and retries it if that is safe. Settles by `deadline` (monotonic milliseconds), including
   * the wait: then the call's signal is aborted and no call starts. The same happens if the requester's signal is aborted.
   */
  async run<T>(call: Run<T>['call'], deadline: number, requester?: Requester): Promise<T> {
    const run = { call, deadline, requester, permit: undefined, retried: undefined };
    const made: Partial<Run<T>> = {};
    try {
      const leftMs = Math.max(0, deadline - this.#clock.monotonic());
      return await withDeadline(leftMs, requester?.signal, (signal) =>
        this.#callWithRetries(Object.assign(made, run, { signal })),
      );
    } catch (error) {
      if (!(error instanceof DeadlineError)) throw error;
      throw this.#options.errors.timedOut({ wasCalled: (made.permit ?? made.retried) !== undefined });
    }
  }

  #pause(seconds: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#clock.monotonic() + seconds * 1_000);
  }

  async #callWithRetries<T>(run: Run<T>): Promise<T> {
    const { random, wait } = this.#options;
    this.#savedRetries = Math.min(MAX_SAVED_RETRIES, this.#savedRetries + EARNED_BY_RUN);
    for (let retries = 0; ; retries++) {
      try {
        run.permit = undefined;
        if (retries > 0) {
          this.#savedRetries--;
          this.#totals.retries++;
          await withSignal(wait(random() * FIRST_BACKOFF_MS * 2 ** (retries - 1)), run.signal);
        }
        return await this.#callInTurn(run);
      } catch (error) {
        this.#afterFailure(run, error, retries);
      }
    }
  }

  async #callInTurn<T>(run: Run<T>): Promise<T> {
    this.#refuseWhileShut();
    this.#refuseTooLate(run);
    await this.#waitForTurn(run);
    const startedAt = this.#clock.monotonic();
    try {
      return await this.#callWithBudget(run);
    } finally {
      // Only calls count for the mean duration.
      if (run.permit) this.#meanMs += (this.#clock.monotonic() - startedAt - this.#meanMs) * NEWEST_SHARE;
      this.#turns.leave();
    }
  }

  /** Makes the call, in its turn. */
  async #callWithBudget<T>(run: Run<T>): Promise<T> {
    const { admit, errors } = this.#options;
    const { signal } = run;
    // The server may have failed, or requested a pause, while this call waited.
    this.#refuseWhileShut();
    try {
      if (admit) await withSignal(admit(run.requester), signal);
    } catch (error) {
      throw signal.aborted ? error : this.#countRefusal(error as Error);
    }
    signal.throwIfAborted();
    this.#refuseTooLate(run);
    const permit = this.#breaker.acquire();
    if (!permit)
      throw this.#countRefusal(errors.unavailable('failing', toSeconds(this.#breaker.refusingForMs)));
    run.permit = permit;
    this.#totals.calls++;
    const value = await withSignal(run.call(signal), signal);
    permit.succeed();
    return value;
  }

  /** Reports the failure to the breaker and applies a requested pause. Throws the error unless the call is retried. */
  #afterFailure(run: Run<unknown>, error: unknown, retries: number): void {
    const { signal, permit } = run;
    if (!permit) {
      run.retried?.fail();
      throw error;
    }
    const isAborted = signal.aborted && error === signal.reason;
    // An abort by the caller is not a failure of the server, but a probe must be reported. A deadline is one, also that
    // of the caller, whose reason is a ServiceError.
    const isAbandoned = isAborted && !(error instanceof DeadlineError || error instanceof ServiceError);
    if (isAbandoned) {
      if (this.#breaker.state === 'probing') permit.fail();
      throw error;
    }
    const { failed, retry, pauseSeconds } = isAborted
      ? { failed: true, retry: false }
      : this.#options.classify(error);
    if (pauseSeconds) this.#pause(Math.min(pauseSeconds, MAX_STATED_PAUSE_SECONDS));
    if (retry && this.#mayRetry(run, retries)) {
      run.retried = permit;
      return;
    }
    if (failed) permit.fail();
    else permit.succeed();
    throw error;
  }

  #mayRetry({ signal, deadline }: Run<unknown>, retries: number): boolean {
    const now = this.#clock.monotonic();
    const isInTime = !signal.aborted && now + FIRST_BACKOFF_MS * 2 ** retries < deadline;
    const isAdmitting = this.#breaker.state === 'closed' && this.#pausedUntil <= now;
    return isInTime && isAdmitting && retries < MAX_RETRIES && this.#savedRetries >= 1;
  }

  async #waitForTurn({ signal, requester }: Run<unknown>): Promise<void> {
    const { maxConcurrent, tolerableWaitMs = Infinity, errors } = this.#options;
    const client = requester?.client;
    const isFree = this.#turns.running < maxConcurrent;
    const waitMs = isFree ? 0 : ((this.#turns.aheadOf(client) + 1) / maxConcurrent) * this.#meanMs;
    const isTolerable = waitMs <= Math.max(tolerableWaitMs, this.#meanMs);
    if (isTolerable && (await this.#turns.enter(signal, client))) return;
    throw this.#countRefusal(errors.overloaded(toSeconds(waitMs)));
  }

  #refuseWhileShut(): void {
    const pausedMs = this.#pausedUntil - this.#clock.monotonic();
    const shutMs = Math.max(pausedMs, this.#breaker.refusingForMs);
    if (shutMs <= 0) return;
    const reason = pausedMs === shutMs ? 'paused' : 'failing';
    throw this.#countRefusal(this.#options.errors.unavailable(reason, toSeconds(shutMs)));
  }

  #refuseTooLate({ deadline }: Run<unknown>): void {
    if (this.#clock.monotonic() >= deadline) throw this.#options.errors.timedOut({ wasCalled: false });
  }

  #countRefusal(error: Error): Error {
    this.#totals.refused++;
    return error;
  }
}
