import { ServiceError } from '../errors.ts';
import { networkOf } from '../limits/rules.ts';
import type { Clock } from '../process/clock.ts';
import { withSignal } from '../process/clock.ts';
import { Breaker } from '../process/breaker.ts';
import type { Permit } from '../process/breaker.ts';
import type { Requester } from './budget.ts';
import { Queue, QueueFull, TokenBucket } from './queue.ts';
import type { BucketLimits, QueueLimits } from './queue.ts';

/** Limits of one server. */
export interface ServerRules extends QueueLimits, BucketLimits {
  /** Maximum retries of a call. */
  retries: number;
  /** False for a server in this process: it is slow only when we are. */
  hasBreaker?: boolean | undefined;
}

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

export interface ServerGateOptions {
  clock: Clock;
  random: () => number;
  wait: (milliseconds: number) => Promise<unknown>;
  /** Called before every call, including retries; throws if the daily budget is spent. */
  admit?: ((requester: Requester | undefined) => void | Promise<void>) | undefined;
  classify: (error: unknown) => Classification;
  /** Errors of calls that were not made, or were abandoned. */
  errors: {
    unavailable: (reason: UnavailableReason, retryAfterSeconds: number) => Error;
    /** Too many calls wait, or the rate allows none before the deadline. */
    overloaded: (retryAfterSeconds: number) => Error;
    /** The deadline has passed; `wasCalled`: whether the call was made. */
    timedOut: (call: { readonly wasCalled: boolean }) => Error;
  };
}

/** Totals of all servers since the start. */
export interface Totals {
  calls: number;
  retries: number;
  refused: number;
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
/** Node runs a longer timer after a millisecond. */
const MAX_TIMER_MS = 2 ** 31 - 1;

const toSeconds = (milliseconds: number) => Math.max(1, Math.ceil(milliseconds / 1000));

/** Controls the calls to one server: queue, rate, circuit breaker, requested pauses, retries. */
export class ServerGate {
  readonly queue: Queue;
  readonly breaker: Breaker;
  readonly #rules: ServerRules;
  readonly #options: ServerGateOptions;
  readonly #totals: Totals;
  readonly #clock: Clock;
  readonly #bucket: TokenBucket;
  #pausedUntil = 0;
  #savedRetries = 0;
  /** Pending runs. */
  #runs = 0;
  /** Calls that wait for a token. */
  #awaitingToken = 0;

  constructor(rules: ServerRules, options: ServerGateOptions, totals: Totals) {
    this.#rules = rules;
    this.#options = options;
    this.#totals = totals;
    this.#clock = options.clock;
    this.queue = new Queue(rules);
    this.#bucket = new TokenBucket(options.clock, rules);
    this.breaker = new Breaker({ ...options, isDisabled: rules.hasBreaker === false });
  }

  get isUsed(): boolean {
    return this.#runs > 0;
  }

  /** Whether this server's state can be dropped. */
  get isIdle(): boolean {
    const isShut = this.#pausedUntil > this.#clock.monotonic() || this.breaker.state !== 'closed';
    return !this.isUsed && !isShut && this.#bucket.isFull;
  }

  #pause(seconds: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, this.#clock.monotonic() + seconds * 1_000);
  }

  /** See `Gate.run`. */
  async run<T>(call: Run<T>['call'], deadline: number, requester?: Requester): Promise<T> {
    const { errors } = this.#options;
    const leftMs = Math.max(0, deadline - this.#clock.monotonic());
    const controller = new AbortController();
    const own = controller.signal;
    const signal = requester?.signal ? AbortSignal.any([own, requester.signal]) : own;
    const run: Run<T> = { call, deadline, signal, requester, permit: undefined, retried: undefined };
    const end = () =>
      controller.abort(errors.timedOut({ wasCalled: (run.permit ?? run.retried) !== undefined }));
    const timer = setTimeout(end, Math.min(leftMs, MAX_TIMER_MS));
    this.#runs++;
    try {
      return await this.#callWithRetries(run);
    } finally {
      this.#runs--;
      clearTimeout(timer);
    }
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
    const network = run.requester && networkOf(run.requester.client);
    this.#refuseTooLate(run, this.#bucket.startAt(this.#awaitingToken - this.queue.countOvertaken(network)));
    await this.#waitForTurn(run.signal, network);
    const acquiredAt = this.#clock.monotonic();
    try {
      // The token is acquired last: the rate limits calls, not waiting.
      this.#refuseTooLate(run, this.#bucket.startAt(0));
      const waitMs = this.#bucket.acquire() - this.#clock.monotonic();
      if (waitMs > 0) await withSignal(this.#options.wait(waitMs), run.signal);
      return await this.#callWithBudget(run);
    } finally {
      // Only calls count for the mean duration.
      this.queue.release(run.permit && this.#clock.monotonic() - acquiredAt);
    }
  }

  /** Makes the call, with a place and a token. */
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
    if (this.#clock.monotonic() >= run.deadline) throw errors.timedOut({ wasCalled: false });
    const permit = this.breaker.acquire();
    if (!permit)
      throw this.#countRefusal(errors.unavailable('failing', toSeconds(this.breaker.refusingForMs)));
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
    // An abort by the caller is not a failure of the server, but a probe must be reported. A deadline, whose reason is
    // a ServiceError, is one.
    const isAbandoned =
      isAborted && error === run.requester?.signal?.reason && !(error instanceof ServiceError);
    if (isAbandoned) {
      if (this.breaker.state === 'probing') permit.fail();
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
    const isAdmitting = this.breaker.state === 'closed' && this.#pausedUntil <= now;
    return isInTime && isAdmitting && retries < this.#rules.retries && this.#savedRetries >= 1;
  }

  async #waitForTurn(signal: AbortSignal, network: string | undefined): Promise<void> {
    this.#awaitingToken++;
    try {
      await this.queue.acquire(signal, network);
    } catch (error) {
      if (!(error instanceof QueueFull)) throw error;
      throw this.#countRefusal(this.#options.errors.overloaded(toSeconds(error.waitMs)));
    } finally {
      this.#awaitingToken--;
    }
  }

  #refuseWhileShut(): void {
    const pausedMs = this.#pausedUntil - this.#clock.monotonic();
    const shutMs = Math.max(pausedMs, this.breaker.refusingForMs);
    if (shutMs <= 0) return;
    const reason = pausedMs === shutMs ? 'paused' : 'failing';
    throw this.#countRefusal(this.#options.errors.unavailable(reason, toSeconds(shutMs)));
  }

  /** Refuses a call that the rate would allow only after its deadline. */
  #refuseTooLate({ deadline }: Run<unknown>, startAt: number): void {
    const { errors } = this.#options;
    const now = this.#clock.monotonic();
    if (now >= deadline) throw errors.timedOut({ wasCalled: false });
    if (startAt >= deadline) throw this.#countRefusal(errors.overloaded(toSeconds(startAt - now)));
  }

  #countRefusal(error: Error): Error {
    this.#totals.refused++;
    return error;
  }
}
