export { systemSleep } from '../deadline.ts';

/** The source of time, passed as an argument, so that tests control it and never sleep. */
export interface Clock {
  /** Wall time in milliseconds since 1970-01-01 UTC. */
  now(): number;
  /** Milliseconds from any fixed point, never decreasing: for durations. */
  monotonic(): number;
}

/** Resolves after this many milliseconds; rejects when the signal aborts. */
export type Sleep = (milliseconds: number, signal: AbortSignal) => Promise<void>;

export const systemClock: Clock = {
  now: Date.now,
  monotonic: performance.now.bind(performance),
};
