import { useEffect, useMemo, useState } from 'preact/hooks';
import type { RankingType } from '@mokuroku/narou';
import { ForeignText } from '../shell/foreign-text.tsx';
import { useSize, TableBehind } from './chart-parts.tsx';
import { bigGenreIn, coursesOf, goneBy, largestMovements, onBoard } from './flow.ts';
import type { Course, Flow, FlowState } from './flow.ts';
import { FlowChart, NARROW } from './flow-chart.tsx';
import { FlowNames } from './flow-names.tsx';
import { SaveDrawing } from './save-drawing.tsx';
import { dayOfBoard, genreName, nameOfBoard, rankingTitle, useCatalogue } from './words.ts';

/** The top twenty of a ranking and their past: which novels rose, fell, entered or left. */
export function FlowView({ type, flow }: { type: RankingType; flow: Flow }) {
  const { words, format } = useCatalogue();
  const [{ width }, measure] = useSize({ width: 1_000, height: 0 });
  const all = useMemo(() => coursesOf(flow.boards), [flow]);
  const [board, show] = useState(flow.dates.length - 1);
  const [lit, light] = useState<string | null>(null);
  const state = useMemo((): FlowState => {
    const courses = [...onBoard(all, board), ...goneBy(all, board)];
    const isNarrow = width < NARROW;
    return {
      type,
      flow,
      courses,
      board,
      mostMoved: largestMovements(courses, board),
      lit,
      light,
      show,
      isNarrow,
    };
  }, [type, flow, all, board, lit, width]);
  const day = (index: number) => dayOfBoard(format, type, flow.dates[index] ?? '');
  const gone = goneBy(all, board);
  return (
    <section class="flow" ref={measure} aria-label={words.flow.title}>
      <FlowControls {...state} />
      <FlowLegend {...state} />
      <div class={`drawing ${state.isNarrow ? 'flow-narrow' : 'flow-wide'}`}>
        {!state.isNarrow && <FlowNames {...state} orderedBy={0} label={words.flow.boardOf(day(0))} isStart />}
        <FlowChart {...state} />
        <FlowNames {...state} orderedBy={board} label={words.flow.boardOf(day(board))} />
      </div>
      {state.isNarrow && gone.length > 0 && (
        <>
          <h2>{words.flow.gone}</h2>
          <FlowNames {...state} orderedBy={0} label={words.flow.gone} isStart only={gone} />
        </>
      )}
      <FlowTable type={type} flow={flow} courses={all} />
      <SaveDrawing
        name={`${type}-flow-${flow.dates[board] ?? ''}`}
        title={`${rankingTitle(words, type)} – ${words.flow.boardOf(day(board))}`}
      />
    </section>
  );
}

/** Explains the colours (big genres in use) and the weights of the lines. */
function FlowLegend({ flow, courses }: FlowState) {
  const { words } = useCatalogue();
  const genres = courses.flatMap(({ ncode }) => bigGenreIn(flow, ncode) ?? []);
  return (
    <p class="flow-legend beside soft">
      <span class="flow-most">{words.flow.most}</span>
      {[...new Set(genres)]
        .sort((a, b) => a - b)
        .map((big) => (
          <span key={big} class="genre" data-big={big}>
            {genreName(words, big)}
          </span>
        ))}
    </p>
  );
}

/** The ranks of each novel on each date. */
function FlowTable({ type, flow, courses }: Pick<FlowState, 'type' | 'flow'> & { courses: Course[] }) {
  const { words, format } = useCatalogue();
  const columns = flow.dates.map((date) => (
    <>
      <span class="hidden">{nameOfBoard(words, format, type, date)}</span>
      <span aria-hidden="true">{date.slice(5).replace('-', '/')}</span>
    </>
  ));
  const last = flow.dates.length - 1;
  const ordered = useMemo(() => {
    const now = onBoard(courses, last);
    return [...now, ...courses.filter((course) => !now.includes(course))];
  }, [courses, last]);
  return (
    <TableBehind
      summary={words.history.table}
      label={words.flow.title}
      look="flow-table"
      columns={[words.titles.novel, ...columns]}
    >
      {() =>
        ordered.map(({ ncode, ranks }) => (
          <tr key={ncode}>
            <th scope="row" lang="ja">
              <ForeignText text={flow.novels.get(ncode)?.title ?? ncode} inLink maxLength={60} />
            </th>
            {ranks.map((rank, index) => (
              <td key={index}>{rank ?? '–'}</td>
            ))}
          </tr>
        ))
      }
    </TableBehind>
  );
}

/** Milliseconds per ranking: thirty days take some twenty seconds, twelve months ten. */
const SHOWN_MS = { daily: 600, weekly: 800, monthly: 900, quarterly: 900 };

/** Plays the rankings in order, and selects any of them; both support the arrow keys. */
function FlowControls({ type, flow, board, show }: FlowState) {
  const { words, format } = useCatalogue();
  const [isPlaying, setPlaying] = useState(false);
  const last = flow.dates.length - 1;
  useEffect(() => {
    if (!isPlaying) return undefined;
    if (board >= last) {
      setPlaying(false);
      return undefined;
    }
    const timer = setTimeout(() => show(board + 1), SHOWN_MS[type]);
    return () => clearTimeout(timer);
  }, [isPlaying, board]);
  const play = () => {
    if (!isPlaying && board >= last) show(0);
    setPlaying(!isPlaying && last > 0);
  };
  const goTo = (position: number) => {
    setPlaying(false);
    show(Math.max(0, Math.min(last, position)));
  };
  const name = nameOfBoard(words, format, type, flow.dates[board] ?? '');
  return (
    <div class="flow-controls beside">
      <button
        type="button"
        onClick={play}
        onKeyDown={({ key }) => {
          if (key === 'ArrowLeft') goTo(board - 1);
          if (key === 'ArrowRight') goTo(board + 1);
        }}
      >
        <span aria-hidden="true">{isPlaying ? '❚❚' : '▶'}</span>{' '}
        {isPlaying ? words.flow.pause : words.flow.play}
      </button>
      <input
        type="range"
        min={0}
        max={last}
        value={board}
        aria-label={words.flow.shown}
        aria-valuetext={name}
        onInput={(event) => goTo(Number(event.currentTarget.value))}
      />
      <output>{name}</output>
    </div>
  );
}
