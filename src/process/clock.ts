import { setTimeout as sleepFor } from 'node:timers/promises';

/** Where time comes from. Handed in everywhere, so that tests move it by hand and never sleep. */
export interface Clock {
  /** Wall time in milliseconds since 1970-01-01 UTC. */
  now(): number;
  /** Milliseconds from any fixed point, never going back: for durations. */
  monotonic(): number;
}

/** Resolves after so many milliseconds; rejects when the signal aborts. */
export type Sleep = (milliseconds: number, signal: AbortSignal) => Promise<void>;

export const systemSleep: Sleep = (milliseconds, signal) => sleepFor(milliseconds, undefined, { signal });

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
};
