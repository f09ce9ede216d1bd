import { setTimeout as sleepFor } from 'node:timers/promises';

/** The source of time, passed as an argument, so that tests control it and never sleep. */
export interface Clock {
  /** Wall time in milliseconds since 1970-01-01 UTC. */
  now(): number;
  /** Milliseconds from any fixed point, never decreasing: for durations. */
  monotonic(): number;
}

/** Resolves after this many milliseconds; rejects when the signal aborts. */
export type Sleep = (milliseconds: number, signal: AbortSignal) => Promise<void>;

export const systemSleep: Sleep = (milliseconds, signal) => sleepFor(milliseconds, undefined, { signal });

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
};

export { withSignal } from '../deadline.ts';

/** Retry-After: seconds or an HTTP date (RFC 9110). Of several headers the first one counts. */
export function readRetryAfter(header: string | string[] | undefined, now: number): number | undefined {
  const text = Array.isArray(header) ? header[0] : header;
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const seconds = / GMT$/.test(text) ? Math.ceil((Date.parse(text) - now) / 1_000) : Number.NaN;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}
