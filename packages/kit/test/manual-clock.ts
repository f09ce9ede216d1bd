/** A clock that stands still until a test moves `time`, for both kinds of time. */
export function manualClock(ms = 1_000_000_000_000) {
  const time = { ms };
  return { time, clock: { now: () => time.ms, monotonic: () => time.ms } };
}
