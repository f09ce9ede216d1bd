import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dayOfDate } from '@mokuroku/narou';
import {
  historyPlots,
  nearestPlace,
  linePathOf,
  pointAxis,
  pointColumns,
  rankAxis,
  timeAxis,
} from './chart-geometry.ts';

const PLOT = { left: 34, top: 12, width: 400, height: 132 };
const ranks = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 40 });
const point = (day: number, rank = 1, pt = 0) => ({ date: '', day, rank, pt });
const day = (date: string) => dayOfDate(date) ?? Number.NaN;

describe('the rank axis', () => {
  it('is inverted: the better, the higher, and everything within the plot', () => {
    fc.assert(
      fc.property(ranks, (given) => {
        const { y } = rankAxis(given, PLOT);
        const sorted = [...new Set(given)].sort((a, b) => a - b);
        for (const [index, rank] of sorted.entries()) {
          expect(y(rank)).toBeGreaterThanOrEqual(PLOT.top - 1e-9);
          expect(y(rank)).toBeLessThanOrEqual(PLOT.top + PLOT.height + 1e-9);
          if (index > 0) expect(y(rank)).toBeGreaterThan(y(sorted[index - 1] ?? 0));
        }
      }),
    );
  });
  it('marks both ends, and no two marks touch', () => {
    fc.assert(
      fc.property(ranks, (given) => {
        const { y, ticks } = rankAxis(given, PLOT);
        expect(ticks[0]).toBeLessThanOrEqual(Math.min(...given));
        expect(ticks.at(-1)).toBeGreaterThanOrEqual(Math.max(...given));
        for (let index = 1; index < ticks.length; index += 1) {
          expect(y(ticks[index] ?? 0) - y(ticks[index - 1] ?? 0)).toBeGreaterThanOrEqual(17 - 1e-9);
        }
      }),
    );
  });
  it('ends at ranks that are ticks themselves, and has room for a novel that was always first', () => {
    const { ticks } = rankAxis([10, 100], PLOT);
    expect([ticks[0], ticks.at(-1)]).toEqual([10, 100]);
    const { y, ticks: ofFirst } = rankAxis([1, 1], PLOT);
    expect([y(1), ofFirst]).toEqual([PLOT.top, [1, 2]]);
  });
});

describe('the axis of points', () => {
  it('runs from nothing at the bottom to a round number above the most, in at most six marks', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 5_000_000 })), (points) => {
        const { y, ticks } = pointAxis(points, PLOT);
        expect([ticks.at(-1), y(0), y(ticks[0] ?? 0)]).toEqual([0, PLOT.top + PLOT.height, PLOT.top]);
        expect(ticks[0]).toBeGreaterThanOrEqual(Math.max(1, ...points));
        expect(ticks.length).toBeGreaterThanOrEqual(2);
        expect(ticks.length).toBeLessThanOrEqual(6);
      }),
    );
  });
  it('is marked at fifths of a round number, or fewer', () => {
    expect(pointAxis([100], PLOT).ticks).toEqual([100, 80, 60, 40, 20, 0]);
    expect(pointAxis([101], PLOT).ticks).toEqual([150, 100, 50, 0]);
  });
});

describe('the plots of a history', () => {
  const points = [point(0, 1, 100), point(10, 4, 50)];
  const size = { width: 600, height: 400 };
  const { rankBand, pointBand, time } = historyPlots(points, 0, 10, size);

  it('are above each other over the same time, a quarter of the height for the points', () => {
    expect(rankBand).toMatchObject({ left: 44, top: 16, width: 544, height: 233 });
    expect(pointBand).toMatchObject({ left: 44, top: 281, width: 544, height: 88 });
    expect([rankBand.y(1), rankBand.y(5), pointBand.y(100), pointBand.y(0)]).toEqual([16, 249, 281, 369]);
    expect([time.x(0), time.x(10), pointBand.ticks]).toEqual([44, 588, [100, 80, 60, 40, 20, 0]]);
    expect(historyPlots(points, 0, 10, size, 0.5).pointBand).toMatchObject({ top: 192, height: 177 });
  });
  it('have at least 240 pixels', () => {
    const low = historyPlots(points, 0, 10, { width: 600, height: 50 });
    expect(low.pointBand.top + low.pointBand.height).toBe(240 - 31);
  });
  it('have a column for each point, from one to eight pixels wide', () => {
    expect(pointColumns(points, time, pointBand)).toEqual({
      path: 'M44.0 369.0V281.0M588.0 369.0V325.0',
      width: 8,
    });
    const widthOver = (days: number) => pointColumns(points, timeAxis(0, days, rankBand), pointBand).width;
    expect(widthOver(1_000)).toBeCloseTo(0.7 * 5.44);
    expect(widthOver(100_000)).toBe(1);
    expect(pointColumns([], time, pointBand)).toEqual({ path: '', width: 8 });
    // A gap after the first point does not widen the columns into each other.
    const afterGap = [0, 900, 901, 902].map((day) => point(day));
    expect(pointColumns(afterGap, timeAxis(0, 1_000, rankBand), pointBand).width).toBe(1);
  });
});

describe('the time axis', () => {
  it('runs from edge to edge and can be read backwards', () => {
    const axis = timeAxis(100, 200, PLOT);
    expect([axis.x(100), axis.x(200)]).toEqual([34, 434]);
    expect(axis.dayAt(axis.x(137))).toBeCloseTo(137);
  });
  it('marks firsts of months, fewer the longer the span', () => {
    const datesOf = (first: string, last: string) =>
      timeAxis(day(first), day(last), PLOT).ticks.map(({ date }) => date);
    expect(datesOf('2026-08-20', '2026-11-20')).toEqual(['2026-09-01', '2026-10-01', '2026-11-01']);
    expect(datesOf('2026-09-01', '2026-11-01')).toEqual(['2026-09-01', '2026-10-01', '2026-11-01']);
    const years = [2014, 2016, 2018, 2020, 2022, 2024, 2026];
    expect(datesOf('2013-05-01', '2026-11-20')).toEqual(years.map((year) => `${year}-01-01`));
  });
  it('of a single day divides by nothing', () => {
    const axis = timeAxis(100, 100, PLOT);
    expect([axis.x(100), Number.isFinite(axis.dayAt(200))]).toEqual([34, true]);
  });
});

describe('reading', () => {
  it('finds the point nearest to the pointer, the earlier of two equally near', () => {
    const points = [point(10), point(20), point(40)];
    expect([0, 14, 15, 16, 31, 99].map((at) => nearestPlace(points, at))).toEqual([0, 0, 0, 1, 2, 2]);
    expect(nearestPlace([], 5)).toBe(-1);
  });
  it('agrees with looking at every point', () => {
    const days = fc.uniqueArray(fc.integer({ min: 0, max: 500 }), { minLength: 1 });
    fc.assert(
      fc.property(days, fc.double({ min: -50, max: 550, noNaN: true }), (given, at) => {
        const points = given.sort((a, b) => a - b).map((each) => point(each));
        const result = points[nearestPlace(points, at)];
        const least = Math.min(...given.map((each) => Math.abs(each - at)));
        expect(Math.abs((result?.day ?? Number.NaN) - at)).toBeCloseTo(least);
      }),
    );
  });
});

it('a path moves to its first point and draws on from there', () => {
  const axis = timeAxis(0, 400, PLOT);
  const { y } = rankAxis([1, 2], PLOT);
  const path = linePathOf([point(0, 1), point(400, 2)], axis, ({ rank }) => y(rank));
  expect(path).toBe('M34.0 12.0L434.0 144.0');
});
