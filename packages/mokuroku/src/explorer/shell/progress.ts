import { useEffect, useMemo, useState } from 'preact/hooks';
import type { Answered } from './answers.ts';
import { useChanges } from './listeners.ts';
import { useShell } from './page-context.ts';
import type { QueryState } from './use-answer.ts';

/** After this time the page reports a slow request. */
const SLOW_SECONDS = 4;
const TICK_MS = 250;

/** Renders again after each request and response. */
export const useLog = () => useChanges(useShell().log);

/** The current time while `isOn`, in milliseconds of `performance`; a little late. */
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

/** The reason of a long wait: the end of a limit, or a slow response. */
export function useProgress({ key, loading }: Pick<QueryState<Answered>, 'key' | 'loading'>): string | null {
  const { words, format } = useShell();
  const log = useLog();
  const now = useClock(loading);
  const began = useMemo(() => performance.now(), [key, loading]);
  if (!loading || key === null) return null;
  const { waitsUntil, isLimited } = log.sent(key);
  if (waitsUntil !== null) {
    const secondsLeft = format.number(Math.max(1, Math.ceil((waitsUntil - now) / 1_000)));
    return isLimited ? words.waits(secondsLeft) : words.retryIn(secondsLeft);
  }
  const seconds = Math.floor((now - began) / 1_000);
  return seconds >= SLOW_SECONDS ? words.slow(format.number(seconds)) : null;
}

/** The number of parts to render: the first at once, the rest soon after, so that a slow phone stays responsive. */
export function usePortions(all: number, portion: number): number {
  const [drawn, setDrawn] = useState(portion);
  useEffect(() => {
    if (drawn >= all) return undefined;
    const timer = setTimeout(() => setDrawn(drawn + portion));
    return () => clearTimeout(timer);
  }, [drawn, all, portion]);
  return Math.max(drawn, portion);
}
