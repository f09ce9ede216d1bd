import { useMemo, useState } from 'preact/hooks';
import type { RankingType } from '@mokuroku/narou';
import { Axes, useSize } from './chart-parts.tsx';
import { historyPlots, nearestPlace, linePathOf, pointColumns } from './chart-geometry.ts';
import type { HistoryPlots } from './chart-geometry.ts';
import { splitAtGaps } from './rank-history.ts';
import type { HistoryPoint } from './rank-history.ts';
import { nameOfBoard, useCatalogue } from './words.ts';

interface RankChartProps {
  type: RankingType;
  points: HistoryPoint[];
  firstDay: number;
  lastDay: number;
  /** Days with episodes. */
  episodes: readonly number[];
}

const FIRST_SIZE = { width: 480, height: 300 };

/** The ranks of one type over time, with points below, readable by pointer and, through an unseen slider, by keyboard. */
export function RankChart({ type, points, firstDay, lastDay, episodes }: RankChartProps) {
  const { words, format } = useCatalogue();
  const [chosen, setChosen] = useState<number | null>(null);
  const [size, measure] = useSize(FIRST_SIZE);
  const drawing = useMemo(
    () => ({ ...historyPlots(points, firstDay, lastDay, size), runs: splitAtGaps(type, points) }),
    [points, firstDay, lastDay, type, size],
  );
  const last = points.length - 1;
  const index = Math.min(chosen ?? last, last);
  const point = points[index];
  if (!point) return null;
  const isAfterGap = index > 0 && drawing.runs.some((run) => run[0] === point);
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
      class="plot plot-of-novel"
      onPointerMove={onPointer}
      onPointerDown={onPointer}
      onPointerLeave={() => setChosen(null)}
    >
      <input
        type="range"
        max={last}
        value={index}
        aria-label={words.history.chart(words.ranking.types[type])}
        aria-valuetext={isAfterGap ? `${value} (${words.history.afterGap})` : value}
        onInput={(event) => setChosen(Number(event.currentTarget.value))}
        onBlur={() => setChosen(null)}
      />
      <div class="plot-area" ref={measure}>
        <HistoryPlot
          {...drawing}
          points={points}
          chosen={chosen === null ? null : point}
          episodes={episodes.filter((day) => day >= firstDay && day <= lastDay)}
        />
      </div>
      <p class={chosen === null ? 'reading soft' : 'reading'} aria-hidden="true">
        {value}
      </p>
    </div>
  );
}

interface HistoryPlotProps extends HistoryPlots {
  points: readonly HistoryPoint[];
  runs: HistoryPoint[][];
  chosen: HistoryPoint | null;
  episodes: readonly number[];
}

/** Up to this number of points each has a dot; more dots would hide the line. */
const MAX_DOTS = 60;
const EPISODE_TICK = 7;

/**
 * The chart's drawing: lines with gaps where the novel was unranked, points as columns, episodes as ticks over the
 * dates, and the selected point.
 */
function HistoryPlot(props: HistoryPlotProps) {
  const { rankBand, pointBand, time, points, runs, chosen, episodes } = props;
  const { words } = useCatalogue();
  const dots = runs.flatMap((run) => (points.length <= MAX_DOTS || run.length === 1 ? run : []));
  const base = pointBand.top + pointBand.height;
  const columns = pointColumns(points, time, pointBand);
  const bands = [
    { ...rankBand, label: words.history.rank },
    { ...pointBand, label: words.history.pointsAndEpisodes },
  ];
  return (
    <Axes bands={bands} time={time}>
      <path class="columns-of-points" stroke-width={columns.width} d={columns.path} />
      {episodes.map((day) => (
        <path key={day} class="episode" d={`M${time.x(day).toFixed(1)} ${base}v${EPISODE_TICK}`} />
      ))}
      {runs.map((run) => (
        <path key={run[0]?.day} class="line" d={linePathOf(run, time, (point) => rankBand.y(point.rank))} />
      ))}
      {dots.map((point) => (
        <circle key={point.day} class="dot" cx={time.x(point.day)} cy={rankBand.y(point.rank)} r="2.25" />
      ))}
      {chosen && (
        <g class="chosen">
          <line x1={time.x(chosen.day)} x2={time.x(chosen.day)} y1={rankBand.top} y2={base} />
          <circle cx={time.x(chosen.day)} cy={rankBand.y(chosen.rank)} r="4.5" />
        </g>
      )}
    </Axes>
  );
}
