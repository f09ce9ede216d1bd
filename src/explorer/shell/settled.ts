import { useLayoutEffect } from 'preact/hooks';
import { usePageNavigator } from './navigator.ts';

/** Tells the navigator when a view is drawn in full, so that it can scroll to where the reader was. */
export function useSettled(isDrawn: boolean): void {
  const navigator = usePageNavigator();
  useLayoutEffect(() => {
    if (isDrawn) navigator.settle();
  });
}
