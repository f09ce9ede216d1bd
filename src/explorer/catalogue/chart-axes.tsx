import type { ComponentChildren } from 'preact';
import { useCallback, useRef, useState } from 'preact/hooks';
import { usePage } from '../shell/page-context.ts';
import { CHART_MARGIN } from './chart-geometry.ts';
import type { Plot, TimeAxis, ValueAxis } from './chart-geometry.ts';

interface AxesProps {
  plot: Plot;
  time: TimeAxis;
  axis: ValueAxis;
  /** Pixels between the plot and the dates. */
  below?: number;
  /** Drawn above the axes. */
  children: ComponentChildren;
}

/** The axes of a chart with their ticks; the chart's content is repeated as text beside it. */
export function Axes({ plot, time, axis, below = 0, children }: AxesProps) {
  const { format } = usePage();
  const { left, top } = plot;
  const right = left + plot.width;
  const [width, height] = [right + CHART_MARGIN.right, top + plot.height + below + CHART_MARGIN.bottom];
  return (
    <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      {axis.ticks.map((tick) => (
        <g key={tick}>
          <line class="grid" x1={left} x2={right} y1={axis.y(tick)} y2={axis.y(tick)} />
          <text class="tick" x={left - 6} y={axis.y(tick) + 4} text-anchor="end">
            {format.number(tick)}
          </text>
        </g>
      ))}
      {time.ticks.map(({ day, date }) => (
        <g key={day}>
          <line class="grid grid-time" x1={time.x(day)} x2={time.x(day)} y1={top} y2={height - 20} />
          <text class="tick" x={time.x(day)} y={height - 6} text-anchor="middle">
            {format.axisMonth(date)}
          </text>
        </g>
      ))}
      {children}
    </svg>
  );
}

interface Size {
  width: number;
  height: number;
}

/** The size of an element in whole pixels, updated; `first` until it is known. */
export function useSize(first: Size): [Size, (element: Element | null) => void] {
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
  return [size, measure];
}

/** The width of an element. */
export function useWidth(first: number): [number, (element: Element | null) => void] {
  const [{ width }, measure] = useSize({ width: first, height: 0 });
  return [width, measure];
}
