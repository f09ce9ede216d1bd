import { useEffect, useReducer } from 'preact/hooks';

/** Calls its listeners with each change. */
export function createListeners<Facts extends unknown[] = []>() {
  const listeners = new Set<(...facts: Facts) => void>();
  return {
    notify: (...facts: Facts): void => listeners.forEach((listener) => listener(...facts)),
    /** Returns a function that removes the listener. */
    onChange: (listener: (...facts: Facts) => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Renders again after each change. */
export function useChanges<Changing extends { onChange: (listener: () => void) => () => void }>(
  changing: Changing,
): Changing {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  useEffect(() => changing.onChange(() => redraw(undefined)), [changing]);
  return changing;
}
