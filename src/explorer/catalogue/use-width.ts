import { useCallback, useRef, useState } from 'preact/hooks';

/** The width of an element in whole pixels, kept up to date; `first` until it is known. */
export function useWidth(first: number): [number, (element: Element | null) => void] {
  const [width, setWidth] = useState(first);
  const observer = useRef<ResizeObserver>(undefined);
  const measure = useCallback((element: Element | null) => {
    observer.current?.disconnect();
    if (!element) return;
    setWidth(Math.max(200, Math.floor(element.clientWidth)));
    observer.current = new ResizeObserver(([entry]) => {
      if (entry) setWidth(Math.max(200, Math.floor(entry.contentRect.width)));
    });
    observer.current.observe(element);
  }, []);
  return [width, measure];
}
