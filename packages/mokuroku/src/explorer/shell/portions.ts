import { useEffect, useState } from 'preact/hooks';

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
