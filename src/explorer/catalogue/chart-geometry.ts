import { dateOfDay } from '../../catalogue/novels/japan-date.ts';
import type { HistoryPoint } from './rank-history.ts';

/** The drawing area inside the margins, in pixels. */
export interface Plot {
  left: number;
  top: number;
  width: number;
  height: number;
}

export interface ValueAxis {
  /** Pixels from the top. */
  y: (value: number) => number;
  /** Values of the ticks, from the top. */
  ticks: number[];
}

export interface TimeAxis {
  x: (day: number) => number;
  /** The day under a pixel, fractional. */
  dayAt: (x: number) => number;
  ticks: { day: number; date: string }[];
}

const RANK_STEPS = [1, 2, 3, 5, 10, 20, 30, 50, 100, 150, 200, 300];
const MIN_TICK_DISTANCE = 17;

/**
 * The inverted rank axis, from the tick at or above the best rank to the tick at or below the worst. The scale is
 * logarithmic, as readers perceive ranks: from 2 to 1 is as far as from 200 to 100.
 */
export function rankAxis(ranks: readonly number[], plot: Plot): ValueAxis {
  const [best, worst] = [Math.min(...ranks), Math.max(1, ...ranks)];
  const top = RANK_STEPS.findLast((step) => step <= best) ?? 1;
  const lowest = RANK_STEPS.find((step) => step >= worst) ?? worst;
  const bottom = lowest > top ? lowest : (RANK_STEPS.find((step) => step > top) ?? top + 1);
  const span = Math.log(bottom) - Math.log(top);
  const y = (rank: number) => plot.top + ((Math.log(rank) - Math.log(top)) / span) * plot.height;
  const inside = RANK_STEPS.filter((step) => step >= top && step <= bottom);
  if (inside.at(-1) !== bottom) inside.push(bottom);
  return { y, ticks: thin(inside, y) };
}

/** The axis of points, from 0 to a round number above the maximum, with a tick at each quarter or fifth of it. */
export function pointAxis(points: readonly number[], plot: Plot): ValueAxis {
  const highest = Math.max(1, ...points);
  const unit = 10 ** Math.floor(Math.log10(highest));
  const step = [0.2, 0.5, 1, 2].map((share) => share * unit).find((each) => highest / each <= 5) ?? 2 * unit;
  const top = Math.ceil(highest / step) * step;
  const ticks = Array.from({ length: Math.round(top / step) + 1 }, (_, index) => top - index * step);
  return { y: (value) => plot.top + (1 - value / top) * plot.height, ticks };
}

/** Omits ticks that would touch their neighbour; the first and the last always stay. */
function thin(steps: readonly number[], y: (rank: number) => number): number[] {
  const last = steps.at(-1) ?? 1;
  const visible: number[] = [];
  for (const step of steps) {
    const above = visible.at(-1);
    const clearOfAbove = above === undefined || y(step) - y(above) >= MIN_TICK_DISTANCE;
    if (step === last || (clearOfAbove && y(last) - y(step) >= MIN_TICK_DISTANCE)) visible.push(step);
  }
  return visible;
}

/** The time axis from the first to the last day, with ticks at starts of months or years, as many as fit. */
export function timeAxis(firstDay: number, lastDay: number, plot: Plot): TimeAxis {
  const span = Math.max(1, lastDay - firstDay);
  const x = (day: number) => plot.left + ((day - firstDay) / span) * plot.width;
  const dayAt = (pixel: number) => firstDay + ((pixel - plot.left) / plot.width) * span;
  return { x, dayAt, ticks: monthTicks(firstDay, lastDay, (plot.width / span) * 30.44) };
}

/** Minimum distance between the ticks of two months. */
const MONTH_DISTANCE = 56;
const MONTH_STEPS = [1, 2, 3, 6, 12, 24, 60];

function monthTicks(firstDay: number, lastDay: number, monthWidth: number) {
  const step = MONTH_STEPS.find((months) => months * monthWidth >= MONTH_DISTANCE) ?? 120;
  const ticks: { day: number; date: string }[] = [];
  const [year = 1970, month = 1] = dateOfDay(firstDay).split('-').map(Number);
  for (let number = year * 12 + month - 1; ; number += 1) {
    if (number % step !== 0) continue;
    const day = Date.UTC(Math.floor(number / 12), number % 12, 1) / 86_400_000;
    if (day > lastDay) return ticks;
    if (day >= firstDay) ticks.push({ day, date: dateOfDay(day) });
  }
}

/** Two plots over the same time: ranks above, points below. */
export interface HistoryPlots {
  rankPlot: Plot;
  pointPlot: Plot;
  time: TimeAxis;
  rank: ValueAxis;
  pt: ValueAxis;
}

const HISTORY_LEFT = 44;
const BETWEEN_PLOTS = 28;
const MIN_HEIGHT = 240;

/** The plots of a history in a given size: a quarter of it for the points. */
export function historyPlots(
  points: readonly HistoryPoint[],
  firstDay: number,
  lastDay: number,
  { width, height }: { width: number; height: number },
): HistoryPlots {
  // The remaining height contains the ticks between the plots and the dates.
  const whole = plotIn(width, Math.max(MIN_HEIGHT, height) - 7, HISTORY_LEFT);
  const low = Math.round(whole.height / 4);
  const rankPlot = { ...whole, height: whole.height - low - BETWEEN_PLOTS };
  const pointPlot = { ...whole, top: whole.top + whole.height - low, height: low };
  const pt = pointAxis(
    points.map((point) => point.pt),
    pointPlot,
  );
  return {
    rankPlot,
    pointPlot,
    time: timeAxis(firstDay, lastDay, whole),
    rank: rankAxis(
      points.map((point) => point.rank),
      rankPlot,
    ),
    // Only the ends have ticks: there is hardly space for more.
    pt: { ...pt, ticks: [pt.ticks[0] ?? 1, 0] },
  };
}

const MAX_COLUMN_WIDTH = 8;

/** A column for each point, as one SVG path stroked in that width. */
export function pointColumns(
  points: readonly HistoryPoint[],
  time: TimeAxis,
  pt: ValueAxis,
): { path: string; width: number } {
  const base = pt.y(0).toFixed(1);
  const path = points.map((point) => `M${time.x(point.day).toFixed(1)} ${base}V${pt.y(point.pt).toFixed(1)}`);
  const xs = points.map(({ day }) => time.x(day));
  const apart = Math.min(...xs.slice(1).map((x, index) => x - (xs[index] ?? x)));
  return { path: path.join(''), width: Math.max(1, Math.min(MAX_COLUMN_WIDTH, 0.7 * apart)) };
}

/** An SVG path through a run of points. */
export function linePathOf(
  run: readonly HistoryPoint[],
  time: TimeAxis,
  yOf: (point: HistoryPoint) => number,
): string {
  return run
    .map(
      (point, index) => `${index === 0 ? 'M' : 'L'}${time.x(point.day).toFixed(1)} ${yOf(point).toFixed(1)}`,
    )
    .join('');
}

/** The index in `points` (sorted by time) of the point nearest to a day; -1 without points. */
export function nearestPlace(points: readonly HistoryPoint[], day: number): number {
  const next = points.findIndex((point) => point.day >= day);
  const [before, after] = [points[next - 1], points[next]];
  // All are earlier; without points -1.
  if (!after) return points.length - 1;
  return before && day - before.day <= after.day - day ? next - 1 : next;
}

/** Margins of a plot in pixels; each chart adds the left one for its ticks. */
export const CHART_MARGIN = { right: 12, top: 12, bottom: 24 };

export function plotIn(width: number, height: number, left: number): Plot {
  const { right, top, bottom } = CHART_MARGIN;
  return { left, top, width: width - left - right, height: height - top - bottom };
}
