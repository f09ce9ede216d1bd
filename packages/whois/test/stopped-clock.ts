/** A clock that stands still but for `advance`, and for waits of the gate. */
export function stoppedClock() {
  const time = { ms: 0, waits: [] as number[] };
  const clock = { now: () => time.ms, monotonic: () => time.ms };
  const sleep = (ms: number) => {
    time.waits.push(ms);
    time.ms += ms;
    return Promise.resolve();
  };
  return { time, clock, sleep };
}
