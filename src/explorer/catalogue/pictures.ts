import { FLOW_DEPTH, coursePath, goneBy, largestMovements, onBoard, smoothed } from './flow.ts';
import type { Course } from './flow.ts';
import { historyPlots, linePathOf, pointColumns } from './chart-geometry.ts';
import type { Band } from './chart-geometry.ts';
import { PAPER, tintOf } from './picture.ts';
import type { Mark, Picture } from './picture.ts';
import type { RankChartProps } from './rank-chart.tsx';
import { splitAtGaps } from './rank-history.ts';

export { savePicture } from './picture.ts';

const WIDTH = 1_200;
const MARGIN = 40;
const HEAD = 112;
const FOOT = 56;

/** The frame of every picture. */
interface Around {
  title: string;
  subtitle: string;
  /** The source of the data, which marks invented ones. */
  credit: string;
}

function framed({ title, subtitle, credit }: Around, height: number, marks: Mark[]): Picture {
  const whole = HEAD + height + FOOT;
  const rule = (y: number): Mark => ({ path: `M${MARGIN} ${y}H${WIDTH - MARGIN}`, stroke: PAPER.rule });
  const maxWidth = WIDTH - 2 * MARGIN;
  return {
    width: WIDTH,
    height: whole,
    marks: [
      { text: title, x: MARGIN, y: 52, size: 28, isBold: true, maxWidth },
      { text: subtitle, x: MARGIN, y: 82, size: 16, fill: PAPER.soft, maxWidth },
      rule(HEAD - 12),
      ...marks,
      rule(whole - FOOT + 14),
      { text: credit, x: MARGIN, y: whole - 18, size: 14, fill: PAPER.soft, maxWidth: maxWidth - 160 },
      {
        text: 'mokuroku',
        x: WIDTH - MARGIN,
        y: whole - 18,
        size: 16,
        isBold: true,
        fill: PAPER.seal,
        anchor: 'end',
      },
    ],
  };
}

const dot = (x: number, y: number, fill: string): Mark => ({
  path: `M${x - 5} ${y}a5 5 0 1 0 10 0a5 5 0 1 0 -10 0`,
  fill,
});

interface FlowDrawing extends Around {
  courses: readonly Course[];
  board: number;
  /** The first date and the one shown. */
  dates: readonly [string, string];
  nameOf: (ncode: string) => string;
  bigOf: (ncode: string) => number | undefined;
}

/** The lines up to the ranking shown, with the names at both ends. */
export function flowPicture({ courses, board, dates, nameOf, bigOf, ...around }: FlowDrawing): Picture {
  const row = 32;
  const [left, right] = [370, 800];
  const drawn = [...onBoard(courses, board), ...goneBy(courses, board)];
  const mostMoved = largestMovements(drawn, board);
  const x = (index: number) => (board === 0 ? right : left + (index / board) * (right - left));
  const y = (rank: number) => HEAD + 14 + (rank - 0.5) * row;
  const half = Math.min(3, Math.floor((26 * board) / (right - left)));
  const lines = drawn
    .map(({ ncode, ranks }): Mark & { isMost: boolean } => ({
      path: coursePath(smoothed(ranks.slice(0, board + 1), half, board), x, y, half > 0),
      isMost: mostMoved.has(ncode),
      ...(mostMoved.has(ncode)
        ? { stroke: PAPER.ink, width: 3.5 }
        : { stroke: tintOf(bigOf(ncode)), width: 2, opacity: 0.45 }),
    }))
    .sort((a, b) => Number(a.isMost) - Number(b.isMost));
  const names = (index: number, isStart: boolean) =>
    onBoard(courses, index).flatMap(({ ncode, ranks }): Mark[] => {
      const at = y(ranks[index] ?? 1);
      const text = { y: at + 5, isBold: mostMoved.has(ncode) };
      return [
        { ...text, text: String(ranks[index]), x: isStart ? left - 14 : right + 34, size: 15, anchor: 'end' },
        isStart
          ? {
              ...text,
              text: nameOf(ncode),
              x: left - 44,
              size: 15,
              anchor: 'end',
              maxWidth: left - 44 - MARGIN,
            }
          : { ...text, text: nameOf(ncode), x: right + 46, size: 15, maxWidth: WIDTH - MARGIN - right - 46 },
        dot(isStart ? left : right, at, tintOf(bigOf(ncode))),
      ];
    });
  const height = 14 + (FLOW_DEPTH + 1) * row + 22;
  const date = { y: HEAD + height - 8, size: 14, fill: PAPER.soft, anchor: 'middle' } as const;
  return framed(around, height, [
    ...lines,
    ...(board === 0 ? [] : names(0, true)),
    ...names(board, false),
    { ...date, text: board === 0 ? '' : dates[0], x: left },
    { ...date, text: dates[1], x: right },
  ]);
}

interface RankedRow {
  rank: string;
  title: string;
  facts: string;
  points: string;
  /** Part of the first rank's points. */
  share: number;
  big: number | undefined;
}

/** The top of a ranking with points. */
export function rankingPicture({ rows, ...around }: Around & { rows: readonly RankedRow[] }): Picture {
  const row = 58;
  const [text, bar, end] = [112, 860, WIDTH - MARGIN];
  return framed(
    around,
    rows.length * row + 8,
    rows.flatMap(({ rank, title, facts, points, share, big }, index): Mark[] => {
      const y = HEAD + 26 + index * row;
      const isTop = index < 3;
      return [
        {
          text: rank,
          x: 88,
          y: y + 8,
          size: isTop ? 28 : 22,
          isBold: true,
          anchor: 'end',
          fill: isTop ? PAPER.seal : PAPER.soft,
        },
        { text: title, x: text, y, size: 18, isBold: true, maxWidth: bar - text - 24 },
        { path: facts && `M${text} ${y + 11}h4v14h-4z`, fill: tintOf(big) },
        { text: facts, x: text + 12, y: y + 24, size: 14, fill: PAPER.soft, maxWidth: bar - text - 36 },
        {
          path: `M${bar} ${y - 2}h${(160 * share).toFixed(1)}v5h${(-160 * share).toFixed(1)}z`,
          fill: PAPER.soft,
        },
        { text: points, x: end, y: y + 4, size: 18, isBold: true, anchor: 'end' },
      ];
    }),
  );
}

interface NovelDrawing extends Around, RankChartProps {
  labels: { rank: string; points: string };
  monthOf: (date: string) => string;
  numberOf: (value: number) => string;
}

/** The ranks of a novel over time, with points below and the days of its episodes. */
export function novelPicture({ type, points, firstDay, lastDay, ...drawing }: NovelDrawing): Picture {
  const { episodes, labels, monthOf, numberOf } = drawing;
  const height = 470;
  const inner = { width: WIDTH - 2 * MARGIN, height };
  const { rankBand, pointBand, time } = historyPlots(points, firstDay, lastDay, inner);
  const [dx, dy] = [MARGIN + 8, HEAD];
  const moved = { ...time, x: (day: number) => time.x(day) + dx };
  const right = rankBand.left + rankBand.width + dx;
  const base = pointBand.top + pointBand.height + dy;
  const label = { size: 13, fill: PAPER.soft } as const;
  const grid = (band: Band, write: (value: number) => string) =>
    band.ticks.flatMap((tick): Mark[] => [
      { path: `M${band.left + dx} ${band.y(tick) + dy}H${right}`, stroke: PAPER.rule },
      { ...label, text: write(tick), x: band.left + dx - 8, y: band.y(tick) + dy + 5, anchor: 'end' },
    ]);
  const columns = pointColumns(points, moved, { y: (value) => pointBand.y(value) + dy });
  return framed(drawing, height, [
    ...grid(rankBand, String),
    ...grid(pointBand, numberOf),
    ...time.ticks.map(({ day, date }): Mark => {
      return { ...label, text: monthOf(date), x: moved.x(day), y: HEAD + height - 8, anchor: 'middle' };
    }),
    { path: columns.path, stroke: PAPER.soft, width: columns.width, opacity: 0.55 },
    ...episodes
      .filter((day) => day >= firstDay && day <= lastDay)
      .map((day): Mark => ({ path: `M${moved.x(day).toFixed(1)} ${base}v8`, stroke: PAPER.ink, width: 2 })),
    ...splitAtGaps(type, points).map((run): Mark => {
      const stub = run.length === 1 ? 'h0.1' : '';
      const path = linePathOf(run, moved, (point) => rankBand.y(point.rank) + dy) + stub;
      return { path, stroke: PAPER.seal, width: 3 };
    }),
    { ...label, text: labels.rank, x: right, y: rankBand.top + dy - 6, anchor: 'end' },
    { ...label, text: labels.points, x: right, y: pointBand.top + dy - 6, anchor: 'end' },
  ]);
}
