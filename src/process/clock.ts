/** Where time comes from. Handed in everywhere, so that tests move it by hand and never sleep. */
export interface Clock {
  /** Wall time in milliseconds since 1970-01-01 UTC. */
  now(): number;
  /** Milliseconds from any fixed point, never going back: for durations. */
  monotonic(): number;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
};
