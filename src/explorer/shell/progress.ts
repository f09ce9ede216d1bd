import { useEffect, useReducer, useState } from 'preact/hooks';
import type { Answered } from './answers.ts';
import type { Call } from './calls.ts';
import { useShell } from './page-context.ts';
import type { QueryState } from './use-answer.ts';

/** After this the page says that a request is slow. */
const SLOW_SECONDS = 4;
const TICK_MS = 250;

/** Redraws whenever something has been sent or answered. */
function useLog() {
  const { log } = useShell();
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  useEffect(() => log.onChange(() => redraw(undefined)), [log]);
  return log;
}

/** The requests of all that is shown. */
export const useCalls = (): readonly Call[] => useLog().shown();

/** The present time while `isOn`, in milliseconds of `performance`; a little behind. */
export function useClock(isOn: boolean): number {
  const [now, setNow] = useState(() => performance.now());
  useEffect(() => {
    if (!isOn) return undefined;
    setNow(performance.now());
    const timer = setInterval(() => setNow(performance.now()), TICK_MS);
    return () => clearInterval(timer);
  }, [isOn]);
  return now;
}

/** What a load waits for, where that is worth a word: the end of a limit, or an answer that is slow. */
export function useProgress({ key, loading }: Pick<QueryState<Answered>, 'key' | 'loading'>): string | null {
  const { words, format } = useShell();
  const log = useLog();
  const now = useClock(loading);
  const [began, setBegan] = useState(now);
  useEffect(() => setBegan(performance.now()), [key, loading]);
  if (!loading || key === null) return null;
  const { calls, waitsUntil } = log.sent(key);
  if (waitsUntil !== null) {
    const left = format.number(Math.max(1, Math.ceil((waitsUntil - now) / 1_000)));
    // A limit stands in the response, or in lines of a good one.
    return [200, 429].includes(calls.at(-1)?.status ?? 0) ? words.waits(left) : words.retryIn(left);
  }
  const seconds = Math.floor((now - began) / 1_000);
  return seconds >= SLOW_SECONDS ? words.slow(format.number(seconds)) : null;
}
