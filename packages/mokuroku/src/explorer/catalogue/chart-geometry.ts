import { dateOfDay } from '@mokuroku/narou';
import type { HistoryPoint } from './rank-history.ts';

/** The drawing area inside the margins, in pixels. */
interface Plot {
  left: number;
  top: number;
  width: number;
  height: number;
}

interface ValueAxis {
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

/** The axis of points, from 0 to a round number above the maximum, with ticks at quarters or fifths of it. */
export function pointAxis(points: readonly number[], plot: Plot): ValueAxis {
  const highest = Math.max(1, ...points);
  const unit = 10 ** Math.floor(Math.log10(highest));
  const step = [0.2, 0.5, 1, 2].map((share) => share * unit).find((each) => highest / each <= 5) ?? 2 * unit;
  const top = Math.ceil(highest / step) * step;
  const ticks = Array.from({ length: Math.round(top / step) + 1 }, (_, index) => top - index * step);
  const y = (value: number) => plot.top + (1 - value / top) * plot.height;
  return { y, ticks: thin(ticks, y) };
}

/** Omits ticks that would touch their neighbour; the first and the last always stay. */
function thin(steps: readonly number[], y: (value: number) => number): number[] {
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

/** A part of a chart with an axis of its own. */
export type Band = Plot & ValueAxis;

/** Two bands over the same time: ranks above, points below. */
export type HistoryPlots = ReturnType<typeof historyPlots>;

/** Pixels around the bands: for the values, the label of the first band, and the ticks of episodes above the dates. */
export const CHART_MARGIN = { left: 44, right: 12, top: 16, bottom: 31 };
const BETWEEN_BANDS = 32;
const MIN_HEIGHT = 240;

/** The bands of a history in a given size; `share`: the part of the height for the points. */
export function historyPlots(
  points: readonly HistoryPoint[],
  firstDay: number,
  lastDay: number,
  size: { width: number; height: number },
  share = 0.25,
) {
  const { left, right, top, bottom } = CHART_MARGIN;
  const width = size.width - left - right;
  const height = Math.max(MIN_HEIGHT, size.height) - top - bottom;
  const low = Math.round(height * share);
  const rankPlot = { left, top, width, height: height - low - BETWEEN_BANDS };
  const pointPlot = { left, top: top + height - low, width, height: low };
  const [ranks, pts] = [points.map(({ rank }) => rank), points.map(({ pt }) => pt)];
  return {
    rankBand: { ...rankPlot, ...rankAxis(ranks, rankPlot) },
    pointBand: { ...pointPlot, ...pointAxis(pts, pointPlot) },
    time: timeAxis(firstDay, lastDay, rankPlot),
  };
}

const MAX_COLUMN_WIDTH = 8;

/** A column for each point, as one SVG path stroked in that width. */
export function pointColumns(
  points: readonly HistoryPoint[],
  time: TimeAxis,
  pt: Pick<ValueAxis, 'y'>,
): { path: string; width: number } {
  const base = pt.y(0).toFixed(1);
  const path = points.map((point) => `M${time.x(point.day).toFixed(1)} ${base}V${pt.y(point.pt).toFixed(1)}`);
  const xs = points.map(({ day }) => time.x(day));
  const apart = Math.min(...xs.slice(1).map((x, index) => x - (xs[index] ?? x)));
  return { path: path.join(''), width: Math.max(1, Math.min(MAX_COLUMN_WIDTH, 0.7 * apart)) };
}

/** An SVG path through a run of points. */
export const linePathOf = (
  run: readonly HistoryPoint[],
  time: TimeAxis,
  yOf: (point: HistoryPoint) => number,
): string => `M${run.map((point) => `${time.x(point.day).toFixed(1)} ${yOf(point).toFixed(1)}`).join('L')}`;

/** The index in `points` (sorted by time) of the point nearest to a day; -1 without points. */
export function nearestPlace(points: readonly HistoryPoint[], day: number): number {
  const next = points.findIndex((point) => point.day >= day);
  const [before, after] = [points[next - 1], points[next]];
  // All are earlier; without points -1.
  if (!after) return points.length - 1;
  return before && day - before.day <= after.day - day ? next - 1 : next;
}
