import type { Clock } from '../process/clock.ts';
import type { Asker } from './budget.ts';
import type { QueueLimits } from './queue.ts';
import type { BucketLimits } from './token-bucket.ts';

// What whoever opens a gate says: what a server may be asked for, what its errors mean, what is said in their place.

/** What one server may be asked for. */
export interface ServerRules extends QueueLimits, BucketLimits {
  /** How often a call may be repeated at most. */
  retries: number;
  /** False for a server of this process: it is slow only when we are, and there is nobody to spare. */
  hasBreaker?: boolean | undefined;
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

/** `paused`: it asked to be left alone; `failing`: its circuit is open. */
type UnavailableReason = 'paused' | 'failing';

export interface ServerGateOptions {
  clock: Clock;
  random: () => number;
  wait: (milliseconds: number) => Promise<unknown>;
  /** Asked before every call, repeated ones too; throws where it may not be made: the day's budget is spent. */
  admit?: ((asker: Asker | undefined) => void | Promise<void>) | undefined;
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

/** Totals of all servers since the start. */
export interface Totals {
  calls: number;
  retries: number;
  refused: number;
}
