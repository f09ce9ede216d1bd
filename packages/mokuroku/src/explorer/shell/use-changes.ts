import { useEffect, useReducer } from 'preact/hooks';

/** Renders again after each change. */
export function useChanges<Changing extends { onChange: (listener: () => void) => () => void }>(
  changing: Changing,
): Changing {
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  useEffect(() => changing.onChange(() => redraw(undefined)), [changing]);
  return changing;
}
