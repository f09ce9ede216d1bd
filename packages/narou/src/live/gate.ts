import { ServiceError } from '@mokuroku/kit';
import { withDeadline, withSignal } from '@mokuroku/kit/deadline';
import type { Clock } from '@mokuroku/kit/process';
import { ServerHealth } from '@mokuroku/kit/server-health';
import { Turns } from '@mokuroku/kit/turns';
import type { OutgoingBudget, Requester } from '../upstream/index.ts';
import { UpstreamUnavailable, budgetSpent, timedOut, upstreamOverloaded } from './upstream-failure.ts';

export interface NarouGateOptions {
  /** Maximum concurrent requests. */
  connections: number;
  /** Maximum waiting requests; one network may have half of them. */
  maxWaiting: number;
  /** A request with a longer expected wait is refused, unless it is shorter than one mean request. */
  tolerableWaitMs: number;
  clock: Clock;
  random: () => number;
  wait: (milliseconds: number) => Promise<unknown>;
  /** undefined: no counting (the sample). */
  budget: Pick<OutgoingBudget, 'spend'> | undefined;
  /** Called after each check of the budget. */
  onBudget?: () => void;
}

interface GateStats {
  calls: number;
  retries: number;
  refused: number;
  isFailing: boolean;
  running: number;
  waiting: number;
}

/** One request, with what may end it: its deadline, or its client. */
interface Run<T> {
  call: (signal: AbortSignal) => Promise<T>;
  signal: AbortSignal;
  requester: Requester | undefined;
}

/** Each run earns a tenth of a retry, so that retries add at most a tenth to the requests. */
const EARNED_BY_RUN = 0.1;
const MAX_SAVED_RETRIES = 5;
const MAX_RETRIES = 2;
/** Full jitter: the delay is random up to this maximum, which doubles with each retry. */
const FIRST_BACKOFF_MS = 100;
/** Weight of the newest request in the mean duration. */
const NEWEST_SHARE = 0.1;

const toSeconds = (milliseconds: number) => Math.max(1, Math.ceil(milliseconds / 1000));

/** The gate before every request to the upstream: queue, pauses, budget, retries. */
export class NarouGate {
  readonly #turns: Turns;
  readonly #health: ServerHealth;
  readonly #options: NarouGateOptions;
  readonly #totals = { calls: 0, retries: 0, refused: 0 };
  #savedRetries = 0;
  /** Mean duration of a request. */
  #meanMs = 0;

  constructor(options: NarouGateOptions) {
    this.#options = options;
    this.#turns = new Turns(options.connections, options.maxWaiting);
    this.#health = new ServerHealth(options.clock);
  }

  stats(): GateStats {
    const { running, waiting } = this.#turns;
    return { ...this.#totals, isFailing: this.#health.isFailing, running, waiting };
  }

  /**
   * Makes a call in its turn, and retries it if that is safe. Settles within `deadlineMs`, including the wait: then the
   * call's signal is aborted and no call begins. The same happens if the requester's signal is aborted.
   */
  run<T>(call: Run<T>['call'], deadlineMs: number, requester?: Requester): Promise<T> {
    return withDeadline(
      deadlineMs,
      requester?.signal,
      (signal) => this.#callWithRetries({ call, signal, requester }),
      () => timedOut(new Error('no complete response before the deadline')),
    );
  }

  async #callWithRetries<T>(run: Run<T>): Promise<T> {
    const { random, wait } = this.#options;
    this.#savedRetries = Math.min(MAX_SAVED_RETRIES, this.#savedRetries + EARNED_BY_RUN);
    for (let retries = 0; ; retries++) {
      try {
        return await this.#callInTurn(run);
      } catch (error) {
        const isTemporary = error instanceof UpstreamUnavailable && error.isTemporary;
        if (!isTemporary || this.#shutMs > 0 || retries === MAX_RETRIES || this.#savedRetries < 1)
          throw error;
        this.#savedRetries--;
        this.#totals.retries++;
        await wait(random() * FIRST_BACKOFF_MS * 2 ** retries);
      }
    }
  }

  async #callInTurn<T>(run: Run<T>): Promise<T> {
    const { connections, tolerableWaitMs, budget, clock, onBudget } = this.#options;
    const { signal, requester } = run;
    const client = requester?.client;
    const waitMs = ((this.#turns.aheadOf(client) + 1) / connections) * this.#meanMs;
    const isTolerable = waitMs <= Math.max(tolerableWaitMs, this.#meanMs);
    if (!isTolerable || !(await this.#turns.enter(signal, client)))
      this.#refuse(upstreamOverloaded(toSeconds(waitMs)));
    try {
      // The server may have failed, or requested a pause, while this call waited.
      const shutMs = this.#shutMs;
      if (shutMs > 0) {
        const notSent = { isTemporary: false, statedSeconds: toSeconds(shutMs) };
        this.#refuse(new UpstreamUnavailable(new Error('failing or paused'), notSent));
      }
      const begunAt = this.#health.begin();
      if (budget) {
        const { spent, secondsLeft } = await budget.spend(requester);
        onBudget?.();
        if (spent) this.#refuse(budgetSpent(spent, secondsLeft, clock.now()));
      }
      return await this.#call(run, begunAt);
    } finally {
      this.#turns.leave();
    }
  }

  async #call<T>({ call, signal }: Run<T>, begunAt: number): Promise<T> {
    this.#totals.calls++;
    try {
      const value = await withSignal(call(signal), signal);
      this.#health.answered();
      return value;
    } catch (error) {
      this.#noteFailure(error, begunAt);
      throw error;
    } finally {
      this.#meanMs += (this.#options.clock.monotonic() - begunAt - this.#meanMs) * NEWEST_SHARE;
    }
  }

  /** An unreadable response is still an answer: it may concern this one query only. */
  #noteFailure(error: unknown, begunAt: number): void {
    // A client that has left says nothing about the server.
    if (!(error instanceof ServiceError)) return;
    if (error.code !== 'upstream_unavailable' && error.code !== 'upstream_timeout') this.#health.answered();
    else this.#health.failed(begunAt);
    const stated = error instanceof UpstreamUnavailable ? error.statedSeconds : undefined;
    if (stated !== undefined) this.#health.pause(stated);
  }

  get #shutMs(): number {
    return Math.max(this.#health.pausedForMs(), this.#health.shutForMs);
  }

  #refuse(error: ServiceError): never {
    this.#totals.refused++;
    throw error;
  }
}
