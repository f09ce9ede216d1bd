import { formatAxisMonth } from '../shell/format.ts';
import type { Language } from '../shell/language.ts';
import { pathOf } from './rank-chart-geometry.ts';
import type { RankAxis, TimeAxis } from './rank-chart-geometry.ts';
import type { HistoryPoint } from './rank-history.ts';

interface RankPlotProps {
  /** Pixels. */
  width: number;
  height: number;
  time: TimeAxis;
  rank: RankAxis;
  runs: HistoryPoint[][];
  chosen: HistoryPoint | null;
  language: Language;
}

/** Up to this many points each has its own dot; beyond, dots would be all there is to see. */
const MOST_DOTS = 60;

/** The drawing alone: marks, lines that break where the novel was unranked, the point being read. */
export function RankPlot({ width, height, time, rank, runs, chosen, language }: RankPlotProps) {
  const count = runs.reduce((sum, run) => sum + run.length, 0);
  const dots = runs.flatMap((run) => (count <= MOST_DOTS || run.length === 1 ? run : []));
  return (
    <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
      {rank.ticks.map((tick) => (
        <g key={tick}>
          <line class="grid" x1="34" x2={width - 12} y1={rank.y(tick)} y2={rank.y(tick)} />
          <text class="tick" x="28" y={rank.y(tick) + 4} text-anchor="end">
            {tick}
          </text>
        </g>
      ))}
      {time.ticks.map(({ day, date }) => (
        <g key={day}>
          <line class="grid grid-time" x1={time.x(day)} x2={time.x(day)} y1="12" y2={height - 20} />
          <text class="tick" x={time.x(day)} y={height - 6} text-anchor="middle">
            {formatAxisMonth(language, date)}
          </text>
        </g>
      ))}
      {runs.map((run) => (
        <path key={run[0]?.day} class="line" d={pathOf(run, time, rank)} />
      ))}
      {dots.map((point) => (
        <circle key={point.day} class="dot" cx={time.x(point.day)} cy={rank.y(point.rank)} r="2.25" />
      ))}
      {chosen && (
        <g class="chosen">
          <line x1={time.x(chosen.day)} x2={time.x(chosen.day)} y1="12" y2={height - 24} />
          <circle cx={time.x(chosen.day)} cy={rank.y(chosen.rank)} r="4.5" />
        </g>
      )}
    </svg>
  );
}
