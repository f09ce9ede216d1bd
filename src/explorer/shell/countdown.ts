import { useEffect, useRef, useState } from 'preact/hooks';

/** Whole seconds left of a wait that began when `key` last changed; calls `onEnd` once when it is over. */
export function useCountdown(key: unknown, seconds: number | null, onEnd: () => void): number | null {
  const [left, setLeft] = useState(seconds);
  const end = useRef(onEnd);
  end.current = onEnd;
  useEffect(() => {
    setLeft(seconds);
    if (seconds === null) return undefined;
    const over = performance.now() + seconds * 1_000;
    const timer = setInterval(() => {
      const rest = Math.max(0, Math.ceil((over - performance.now()) / 1_000));
      setLeft(rest);
      if (rest > 0) return;
      clearInterval(timer);
      end.current();
    }, 200);
    return () => {
      clearInterval(timer);
    };
  }, [key, seconds]);
  return left;
}
