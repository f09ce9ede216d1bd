import type { ComponentChildren } from 'preact';
import { useCallback, useRef, useState } from 'preact/hooks';
import { usePage } from '../shell/page-context.ts';
import { CHART_MARGIN } from './chart-geometry.ts';
import type { Band, TimeAxis } from './chart-geometry.ts';

interface AxesProps {
  /** From the top; each has its label above its end. */
  bands: readonly (Band & { label: string })[];
  time: TimeAxis;
  /** Drawn above the axes. */
  children: ComponentChildren;
}

/** The bands of a chart with their ticks; the chart's content is repeated as text beside it. */
export function Axes({ bands, time, children }: AxesProps) {
  const { format } = usePage();
  const edge = (side: (band: Band) => number) => Math.max(...bands.map(side));
  const width = edge((band) => band.left + band.width) + CHART_MARGIN.right;
  const height = edge((band) => band.top + band.height) + CHART_MARGIN.bottom;
  return (
    <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      {bands.map(({ label, y, ticks, ...band }) => (
        <g key={label}>
          <rect class="band" x={band.left} y={band.top} width={band.width} height={band.height} />
          <text class="tick" x={band.left + band.width} y={band.top - 6} text-anchor="end">
            {label}
          </text>
          {ticks.map((tick) => (
            <g key={tick}>
              <line class="grid" x1={band.left} x2={band.left + band.width} y1={y(tick)} y2={y(tick)} />
              <text class="tick" x={band.left - 6} y={y(tick) + 4} text-anchor="end">
                {format.short(tick)}
              </text>
            </g>
          ))}
          {time.ticks.map(({ day }) => (
            <path key={day} class="grid grid-time" d={`M${time.x(day)} ${band.top}v${band.height}`} />
          ))}
        </g>
      ))}
      {time.ticks.map(({ day, date }) => (
        <text key={day} class="tick" x={time.x(day)} y={height - 6} text-anchor="middle">
          {format.axisMonth(date)}
        </text>
      ))}
      {children}
    </svg>
  );
}

/** The size of an element in whole pixels, updated; `first` until it is known. */
export function useSize(first: { width: number; height: number }) {
  const [size, setSize] = useState(first);
  const observer = useRef<ResizeObserver>(undefined);
  const measure = useCallback((element: Element | null) => {
    observer.current?.disconnect();
    if (!element) return;
    const note = (width: number, height: number) => {
      const noted = { width: Math.max(200, Math.floor(width)), height: Math.floor(height) };
      setSize((before) => (before.width === noted.width && before.height === noted.height ? before : noted));
    };
    note(element.clientWidth, element.clientHeight);
    observer.current = new ResizeObserver(([entry]) => {
      if (entry) note(entry.contentRect.width, entry.contentRect.height);
    });
    observer.current.observe(element);
  }, []);
  return [size, measure] as const;
}
