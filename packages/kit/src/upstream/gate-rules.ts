import type { Clock } from '../process/clock.ts';
import type { Requester } from './budget.ts';
import type { BucketLimits, QueueLimits } from './queue.ts';

// Options of a gate: the limits of a server, the meaning of its errors, and the errors to throw instead.

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
