import { useMemo, useState } from 'preact/hooks';
import type { RankingType } from '../../catalogue/novels/ranking-date.ts';
import { Axes, useWidth } from './chart-axes.tsx';
import { nearestPlace, pathOf, plotIn, rankAxis, timeAxis } from './chart-geometry.ts';
import type { Plot, TimeAxis, ValueAxis } from './chart-geometry.ts';
import { splitAtGaps } from './rank-history.ts';
import type { HistoryPoint } from './rank-history.ts';
import { nameOfBoard, useCatalogue } from './words.ts';

interface RankChartProps {
  type: RankingType;
  points: HistoryPoint[];
  firstDay: number;
  lastDay: number;
}

const HEIGHT = 168;
const LEFT = 34;
const PAGE_OF_POINTS = 10;

const KEYS: Readonly<Record<string, (place: number, last: number) => number>> = {
  ArrowRight: (place) => place + 1,
  ArrowUp: (place) => place + 1,
  ArrowLeft: (place) => place - 1,
  ArrowDown: (place) => place - 1,
  PageUp: (place) => place + PAGE_OF_POINTS,
  PageDown: (place) => place - PAGE_OF_POINTS,
  Home: () => 0,
  End: (_, last) => last,
};

/** One period's ranks over time, readable by pointer and by keyboard. */
export function RankChart({ type, points, firstDay, lastDay }: RankChartProps) {
  const { words, format } = useCatalogue();
  const [chosen, setChosen] = useState<number | null>(null);
  const [width, measure] = useWidth(480);
  const drawing = useMemo(() => {
    const plot = plotIn(width, HEIGHT, LEFT);
    const ranks = points.map((point) => point.rank);
    const time = timeAxis(firstDay, lastDay, plot, 56);
    return { plot, time, rank: rankAxis(ranks, plot), runs: splitAtGaps(type, points) };
  }, [points, firstDay, lastDay, type, width]);
  const last = points.length - 1;
  const place = Math.min(chosen ?? last, last);
  const point = points[place];
  if (!point) return null;
  const isAfterGap = place > 0 && drawing.runs.some((run) => run[0] === point);
  const value = words.history.value(
    nameOfBoard(words, format, type, point.date),
    format.number(point.rank),
    format.number(point.pt),
  );
  const onPointer = (event: PointerEvent) => {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    setChosen(nearestPlace(points, drawing.time.dayAt(event.clientX - box.left)));
  };
  return (
    <div
      ref={measure}
      class="plot"
      role="slider"
      tabIndex={0}
      aria-label={words.history.chart(words.ranking.types[type])}
      aria-valuemin={0}
      aria-valuemax={last}
      aria-valuenow={place}
      aria-valuetext={isAfterGap ? `${value} (${words.history.afterGap})` : value}
      onPointerMove={onPointer}
      onPointerDown={onPointer}
      onPointerLeave={() => setChosen(null)}
      onBlur={() => setChosen(null)}
      onKeyDown={(event) => {
        const step = KEYS[event.key];
        if (!step || event.altKey || event.ctrlKey || event.metaKey) return;
        event.preventDefault();
        setChosen(Math.max(0, Math.min(last, step(place, last))));
      }}
    >
      <RankPlot {...drawing} chosen={chosen === null ? null : point} />
      <p class={chosen === null ? 'reading soft' : 'reading'} aria-hidden="true">
        {value}
      </p>
    </div>
  );
}

interface RankPlotProps {
  plot: Plot;
  time: TimeAxis;
  rank: ValueAxis;
  runs: HistoryPoint[][];
  chosen: HistoryPoint | null;
}

/** Up to this many points each has its own dot; beyond, dots would be all there is to see. */
const MOST_DOTS = 60;

/** The drawing alone: marks, lines that break where the novel was unranked, the point being read. */
function RankPlot({ plot, time, rank, runs, chosen }: RankPlotProps) {
  const count = runs.reduce((sum, run) => sum + run.length, 0);
  const dots = runs.flatMap((run) => (count <= MOST_DOTS || run.length === 1 ? run : []));
  return (
    <Axes plot={plot} time={time} axis={rank}>
      {runs.map((run) => (
        <path key={run[0]?.day} class="line" d={pathOf(run, time, (point) => rank.y(point.rank))} />
      ))}
      {dots.map((point) => (
        <circle key={point.day} class="dot" cx={time.x(point.day)} cy={rank.y(point.rank)} r="2.25" />
      ))}
      {chosen && (
        <g class="chosen">
          <line x1={time.x(chosen.day)} x2={time.x(chosen.day)} y1={plot.top} y2={plot.top + plot.height} />
          <circle cx={time.x(chosen.day)} cy={rank.y(chosen.rank)} r="4.5" />
        </g>
      )}
    </Axes>
  );
}
