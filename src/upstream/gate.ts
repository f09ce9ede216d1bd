import type { Clock } from '../process/clock.ts';
import { Breaker } from './breaker.ts';
import type { Pass } from './breaker.ts';
import type { OutgoingBudget } from './outgoing-budget.ts';
import { Queue, QueueFull } from './queue.ts';
import type { QueueLimits } from './queue.ts';
import { TokenBucket } from './token-bucket.ts';
import type { BucketLimits } from './token-bucket.ts';

/** What one server may be asked for. */
export interface ServerRules extends QueueLimits, BucketLimits {
  /** How often a call may be repeated at most. */
  retries: number;
}

/** What an error says about the server. */
export interface Classification {
  /** False when the server works and has only said no. */
  failed: boolean;
  /** True when asking again soon is safe and may help. */
  retry: boolean;
  /** Set when the server wants to be left alone for a time. */
  pauseSeconds?: number | undefined;
}

/** `paused`: it asked to be left alone; `failing`: its circuit is open; `budget`: all of the day's calls are made. */
export type UnavailableReason = 'paused' | 'failing' | 'budget';

export interface GateOptions {
  clock: Clock;
  random: () => number;
  wait: (milliseconds: number) => Promise<unknown>;
  /** Read once for each server, when it is first asked. */
  rulesOf: (server: string) => ServerRules;
  budget?: OutgoingBudget | undefined;
  classify: (error: unknown) => Classification;
  /** The errors of calls that are not made, or not waited for any longer. */
  errors: {
    unavailable: (reason: UnavailableReason, retryAfterSeconds: number) => Error;
    /** Too many calls are waiting, or its rate allows none before the deadline. */
    overloaded: (retryAfterSeconds: number) => Error;
    /** The deadline is over; `asked` says whether the call was made or still waiting for its turn. */
    late: (asked: boolean) => Error;
  };
}

export interface GateFigures {
  servers: number;
  /** Circuits that are not closed. */
  open: number;
  underWay: number;
  waiting: number;
  /** Totals since the start. */
  calls: number;
  retries: number;
  refused: number;
}

export interface Gate {
  /**
   * Makes a call when its turn comes, and again when it failed in a way that is safe to repeat. Settles by `deadline`
   * (monotonic milliseconds), waiting included: the call's signal is aborted then, and no call starts after it.
   */
  run<T>(server: string, call: (signal: AbortSignal) => Promise<T>, deadline: number): Promise<T>;
  /** The server asked to be left alone: nothing goes there for so long. */
  pause(server: string, seconds: number): void;
  /** Of one server, or of all. */
  figures(server?: string): GateFigures;
}

interface ServerState {
  rules: ServerRules;
  queue: Queue;
  bucket: TokenBucket;
  breaker: Breaker;
  pausedUntil: number;
  /** Retries saved up, see EARNED_BY_CALL. */
  savedRetries: number;
  /** Runs that have not settled. */
  runs: number;
  /** Calls on their way to a token. */
  untokened: number;
  totals: Totals;
}

type Totals = Pick<GateFigures, 'calls' | 'retries' | 'refused'>;

/** One `run`. */
interface Run<T> {
  state: ServerState;
  call: (signal: AbortSignal) => Promise<T>;
  deadline: number;
  signal: AbortSignal;
  /** Of the call under way. */
  pass: Pass | undefined;
  /** Of the call before, which is made again: together they are one failure or one success to the breaker. */
  retried: Pass | undefined;
}

/** Each run earns this much of a retry, so that in the long run calls grow by a tenth at most. */
const EARNED_BY_RUN = 0.1;
/** Retries saved up for a bad moment. */
const MOST_SAVED_RETRIES = 5;
/** Full jitter: a retry comes after a random time up to this, doubled for each further one. */
const FIRST_BACKOFF_MS = 100;
/** A server that asks for more with a failure is asked again all the same. */
const LONGEST_STATED_PAUSE_SECONDS = 600;
/** What is known of servers that have not been asked for long is forgotten beyond so many. */
const MAX_SERVERS = 2_000;
/** Node takes a timer of more for one of a millisecond. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

const toSeconds = (milliseconds: number) => Math.max(1, Math.ceil(milliseconds / 1000));

/**
 * Stands before every server that is asked for something. For each: a queue with places, a rate, a circuit breaker,
 * a pause that it asked for, careful retries; for all together a budget.
 */
export function createGate(options: GateOptions): Gate {
  const { clock, random, errors, budget } = options;
  const servers = new Map<string, ServerState>();
  const totals: Totals = { calls: 0, retries: 0, refused: 0 };

  function stateOf(server: string): ServerState {
    const known = servers.get(server);
    if (known) return known;
    if (servers.size >= MAX_SERVERS) forgetSome();
    const rules = options.rulesOf(server);
    const state: ServerState = {
      rules,
      queue: new Queue(rules),
      bucket: new TokenBucket(clock, rules),
      breaker: new Breaker({ clock, random }),
      pausedUntil: 0,
      savedRetries: 0,
      runs: 0,
      untokened: 0,
      totals: { calls: 0, retries: 0, refused: 0 },
    };
    servers.set(server, state);
    return state;
  }

  /** Forgets all servers of which there is nothing to remember; where there are none, the one known longest. */
  function forgetSome(): void {
    const now = clock.monotonic();
    const unused = [...servers].filter(([, { runs }]) => runs === 0);
    const idle = unused.filter(
      ([, { pausedUntil, bucket, breaker }]) =>
        pausedUntil <= now && bucket.isFull && breaker.state === 'closed',
    );
    for (const [server] of idle.length > 0 ? idle : unused.slice(0, 1)) servers.delete(server);
  }

  function count(state: ServerState, what: keyof Totals): void {
    state.totals[what]++;
    totals[what]++;
  }

  function refuse(state: ServerState, error: Error): never {
    count(state, 'refused');
    throw error;
  }

  function refuseWhileShut(state: ServerState): void {
    const pausedMs = state.pausedUntil - clock.monotonic();
    const failingMs = state.breaker.refusingForMs;
    const shutMs = Math.max(pausedMs, failingMs);
    if (shutMs <= 0) return;
    refuse(state, errors.unavailable(pausedMs === shutMs ? 'paused' : 'failing', toSeconds(shutMs)));
  }

  /** `ahead`: how many others will take a token before. */
  function refuseBeyondRate({ state, deadline }: Run<unknown>, ahead: number): void {
    if (clock.monotonic() >= deadline) throw errors.late(false);
    const startAt = state.bucket.startAt(ahead);
    if (startAt >= deadline) refuse(state, errors.overloaded(toSeconds(startAt - clock.monotonic())));
  }

  async function takePlace({ state, signal }: Run<unknown>): Promise<void> {
    state.untokened++;
    try {
      await state.queue.enter(signal);
    } catch (error) {
      if (error instanceof QueueFull) refuse(state, errors.overloaded(toSeconds(error.waitMs)));
      throw error;
    } finally {
      state.untokened--;
    }
  }

  /** With a place and a token taken. */
  async function callNow<T>(run: Run<T>): Promise<T> {
    const { state, signal } = run;
    // The server may have failed or complained while this call waited for its turn.
    refuseWhileShut(state);
    if (budget) {
      const { allowed, retryAfterSeconds } = await orAborted(budget.takeRequest(), signal);
      if (!allowed) refuse(state, errors.unavailable('budget', retryAfterSeconds));
    }
    signal.throwIfAborted();
    if (clock.monotonic() >= run.deadline) throw errors.late(false);
    const pass = state.breaker.enter();
    if (!pass) refuse(state, errors.unavailable('failing', toSeconds(state.breaker.refusingForMs)));
    run.pass = pass;
    count(state, 'calls');
    const value = await orAborted(run.call(signal), signal);
    pass.succeed();
    return value;
  }

  async function callInTurn<T>(run: Run<T>): Promise<T> {
    const { state, signal } = run;
    refuseWhileShut(state);
    refuseBeyondRate(run, state.untokened);
    await takePlace(run);
    const enteredAt = clock.monotonic();
    try {
      // The token comes behind the place, so that the rate holds between the calls themselves.
      refuseBeyondRate(run, 0);
      const waitMs = state.bucket.take() - clock.monotonic();
      if (waitMs > 0) await orAborted(options.wait(waitMs), signal);
      return await callNow(run);
    } finally {
      // Without a call it says nothing about how long places are held.
      state.queue.leave(run.pass && clock.monotonic() - enteredAt);
    }
  }

  function mayRetry({ state, signal, deadline }: Run<unknown>, retries: number): boolean {
    const { rules, breaker, savedRetries, pausedUntil } = state;
    const now = clock.monotonic();
    const isInTime = !signal.aborted && now + FIRST_BACKOFF_MS * 2 ** retries < deadline;
    const isOpen = breaker.state === 'closed' && pausedUntil <= now;
    return isInTime && isOpen && retries < rules.retries && savedRetries >= 1;
  }

  /** Tells the breaker, and heeds a pause that was asked for. Throws the error, unless the call is made again. */
  function afterFailure(run: Run<unknown>, error: unknown, retries: number): void {
    const { state, signal, pass } = run;
    if (!pass) {
      run.retried?.fail();
      throw error;
    }
    const isLate = signal.aborted && error === signal.reason;
    const { failed, retry, pauseSeconds } = isLate ? { failed: true, retry: false } : options.classify(error);
    if (pauseSeconds) pauseState(state, Math.min(pauseSeconds, LONGEST_STATED_PAUSE_SECONDS));
    if (retry && mayRetry(run, retries)) {
      run.retried = pass;
      return;
    }
    if (failed) pass.fail();
    else pass.succeed();
    throw error;
  }

  async function callWithRetries<T>(run: Run<T>): Promise<T> {
    const { state, signal } = run;
    state.savedRetries = Math.min(MOST_SAVED_RETRIES, state.savedRetries + EARNED_BY_RUN);
    for (let retries = 0; ; retries++) {
      try {
        run.pass = undefined;
        if (retries > 0) {
          state.savedRetries--;
          count(state, 'retries');
          await orAborted(options.wait(random() * FIRST_BACKOFF_MS * 2 ** (retries - 1)), signal);
        }
        return await callInTurn(run);
      } catch (error) {
        afterFailure(run, error, retries);
      }
    }
  }

  function pauseState(state: ServerState, seconds: number): void {
    state.pausedUntil = Math.max(state.pausedUntil, clock.monotonic() + seconds * 1_000);
  }

  return {
    run: async <T>(server: string, call: Run<T>['call'], deadline: number) => {
      const leftMs = deadline - clock.monotonic();
      if (leftMs <= 0) throw errors.late(false);
      const controller = new AbortController();
      const { signal } = controller;
      const state = stateOf(server);
      const run: Run<T> = { state, call, deadline, signal, pass: undefined, retried: undefined };
      const end = () => {
        controller.abort(errors.late((run.pass ?? run.retried) !== undefined));
      };
      const timer = setTimeout(end, Math.min(leftMs, LONGEST_TIMER_MS));
      state.runs++;
      try {
        return await callWithRetries(run);
      } finally {
        state.runs--;
        clearTimeout(timer);
      }
    },
    pause: (server, seconds) => {
      pauseState(stateOf(server), seconds);
    },
    figures: (server) => {
      const one = server === undefined ? undefined : servers.get(server);
      const states = server === undefined ? [...servers.values()] : one ? [one] : [];
      const figures = { servers: states.length, open: 0, underWay: 0, waiting: 0 };
      for (const { breaker, queue } of states) {
        if (breaker.state !== 'closed') figures.open++;
        figures.underWay += queue.underWay;
        figures.waiting += queue.waiting;
      }
      const none: Totals = { calls: 0, retries: 0, refused: 0 };
      return { ...figures, ...(server === undefined ? totals : (one?.totals ?? none)) };
    },
  };
}

/** What the promise gives, or at once the signal's reason when it is aborted: nothing outlives its deadline. */
function orAborted<T>(promise: T | Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      reject(signal.reason as Error);
    };
    signal.addEventListener('abort', abort, { once: true });
    Promise.resolve(promise)
      .then(resolve, reject)
      .finally(() => {
        signal.removeEventListener('abort', abort);
      });
  });
}
