import { onTestFinished, vi } from 'vitest';

/** Stops `setTimeout` until the test ends. The returned function lets so many milliseconds pass at once. */
export function stopTimers(): (ms: number) => void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  return (ms) => void vi.advanceTimersByTime(ms);
}
