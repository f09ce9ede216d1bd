import { useMemo } from 'preact/hooks';
import { useSize } from './chart-parts.tsx';
import { FLOW_DEPTH, bigGenreIn, courseNear, coursePath, marksApart, onBoard, smoothed } from './flow.ts';
import type { Course, FlowState } from './flow.ts';
import { dayOfBoard, nameOfBoard, useCatalogue } from './words.ts';

/** Height in pixels of a row of names (styles/flow.css), and so between two ranks of the chart. */
const ROW = 30;
/** Below this total width, the names stand below the chart, and its rows are lower. */
export const NARROW = 640;
const NARROW_ROW = 20;
/** Height below the last rank: for lines that enter and leave, and for the dates. */
const AXIS = 40;
const LEFT = 26;
const RIGHT = 10;
/** If days are nearer to each other than this, lines are smoothed over at most this many days each way. */
const CALM_STEP = 26;
const MAX_SMOOTHED = 3;
/** The text anchor that keeps a text within the chart. */
const anchorAt = (x: number, width: number) =>
  x > width - DATE_WIDTH / 2 ? 'end' : x < DATE_WIDTH / 2 ? 'start' : 'middle';

/** Width of a date on the axis, with spacing. */
const DATE_WIDTH = 64;

/** The lines, with ranks on the left and dates below; full up to the ranking shown, faint after it. */
export function FlowChart(state: FlowState) {
  const { flow, courses, board, type, light, show } = state;
  const { format } = useCatalogue();
  const [{ width }, measure] = useSize({ width: 400, height: 0 });
  const row = state.isNarrow ? NARROW_ROW : ROW;
  const last = flow.dates.length - 1;
  const step = (width - LEFT - RIGHT) / Math.max(1, last);
  const x = (column: number) => LEFT + (last === 0 ? width - LEFT - RIGHT : column * step);
  const y = (rank: number) => (rank - 0.5) * row;
  const height = FLOW_DEPTH * row;
  const half = type === 'daily' ? Math.min(MAX_SMOOTHED, Math.floor(CALM_STEP / step)) : 0;
  const paths = useMemo(
    () =>
      new Map(
        courses.map(({ ncode, ranks }) => [ncode, coursePath(smoothed(ranks, half, board), x, y, half > 0)]),
      ),
    [courses, width, row, board],
  );
  const onPointer = (event: PointerEvent) => {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    const column = Math.max(0, Math.min(last, Math.round((event.clientX - box.left - LEFT) / step)));
    if (event.type === 'pointerdown' || event.buttons === 1) show(column);
    light(courseNear(courses, column, (event.clientY - box.top) / row + 0.5)?.ncode ?? null);
  };
  const backwards = Array.from({ length: last + 1 }, (_, column) => last - column);
  const marked = marksApart([board, 0, ...backwards], x, DATE_WIDTH);
  return (
    <div class="flow-chart" ref={measure}>
      <svg
        width={width}
        height={height + AXIS}
        aria-hidden="true"
        onPointerMove={onPointer}
        onPointerDown={onPointer}
        onPointerLeave={() => light(null)}
      >
        <clipPath id="flow-shown">
          <rect width={x(board) + 1} height={height + AXIS} />
        </clipPath>
        {Array.from({ length: FLOW_DEPTH }, (_, column) => (
          <g key={column}>
            <line class="grid" x1={LEFT} x2={width} y1={y(column + 1)} y2={y(column + 1)} />
            <text class="tick" x={LEFT - 8} y={y(column + 1) + 4} text-anchor="end">
              {column + 1}
            </text>
          </g>
        ))}
        <line class="flow-day" x1={x(board)} x2={x(board)} y1={0} y2={height} />
        <g class="flow-rest">{board < last && <FlowLines {...state} paths={paths} />}</g>
        <g clip-path="url(#flow-shown)">
          <FlowLines {...state} paths={paths} />
        </g>
        <Ends {...state} x={x} y={y} />
        {marked.map((column) => (
          <text
            key={column}
            class={column === board ? 'tick tick-shown' : 'tick'}
            x={x(column)}
            y={height + AXIS - 7}
            text-anchor={anchorAt(x(column), width)}
          >
            {dayOfBoard(format, type, flow.dates[column] ?? '')}
          </text>
        ))}
      </svg>
      <Reading {...state} half={half} />
    </div>
  );
}

/** Lines in drawing order: quiet ones, those that moved most, and the highlighted one on top. */
function FlowLines(props: FlowState & { paths: ReadonlyMap<string, string> }) {
  const { flow, courses, mostMoved, lit, paths } = props;
  const weight = ({ ncode }: Course) => (ncode === lit ? 2 : mostMoved.has(ncode) ? 1 : 0);
  const looks = ['course', 'course course-most', 'course course-lit'];
  return (
    <g class={lit === null ? undefined : 'flow-lit'}>
      {[...courses]
        .sort((a, b) => weight(a) - weight(b))
        .map((course) => (
          <path
            key={course.ncode}
            class={looks[weight(course)]}
            data-big={bigGenreIn(flow, course.ncode)}
            d={paths.get(course.ncode)}
          />
        ))}
    </g>
  );
}

/** A dot in the colour of its genre where a line ends at the ranking shown. */
function Ends(props: FlowState & { x: (board: number) => number; y: (rank: number) => number }) {
  const { flow, courses, board, x, y } = props;
  return (
    <>
      {onBoard(courses, board).map(({ ncode, ranks }) => (
        <g key={ncode} transform={`translate(${x(board)} ${y(ranks[board] ?? 0)})`}>
          <circle class="end" data-big={bigGenreIn(flow, ncode)} r="4" />
        </g>
      ))}
    </>
  );
}

/** Title, rank and points of the highlighted line on the ranking shown. */
function Reading({ flow, courses, lit, board, type, half }: FlowState & { half: number }) {
  const { words, format } = useCatalogue();
  const course = courses.find(({ ncode }) => ncode === lit);
  const entry = flow.boards[board]?.find(({ ncode }) => ncode === lit);
  const name = nameOfBoard(words, format, type, flow.dates[board] ?? '');
  return (
    <p class="reading soft" aria-hidden="true">
      {!course && [words.flow.hint, half > 0 && words.flow.smoothed(2 * half + 1)].filter(Boolean).join(' ')}
      {course && (
        <>
          <span lang="ja">{flow.novels.get(course.ncode)?.title ?? course.ncode}</span>{' '}
          {entry
            ? words.history.value(name, format.number(entry.rank), format.number(entry.pt))
            : words.flow.notThere(name)}
        </>
      )}
    </p>
  );
}
