import { useLayoutEffect, useRef } from 'preact/hooks';
import { ForeignText } from '../shell/foreign-text.tsx';
import { moveAmongRows } from '../shell/keyboard.ts';
import { FollowMark } from '../shell/shelf-parts.tsx';
import { bigGenreIn, changeBy, onBoard } from './flow.ts';
import type { Course, FlowState } from './flow.ts';
import { MovementMark } from './board.tsx';
import { hrefOfNovel } from './novel-row.tsx';
import { untitled } from './novel-record.ts';
import { dayOfBoard, useCatalogue } from './words.ts';

interface FlowNamesProps extends FlowState {
  /** The ranking that determines the order. */
  orderedBy: number;
  label: string;
  /** The names on the left, without movements. */
  isStart?: boolean;
  /** The listed courses; by default all of the ranking. */
  only?: readonly Course[];
}

/** The names at one end of the lines, one row per rank. */
export function FlowNames(props: FlowNamesProps) {
  const { courses, orderedBy, label, isStart, only, lit, mostMoved } = props;
  const list = useRef<HTMLOListElement>(null);
  const listed = only ?? onBoard(courses, orderedBy);
  useSlide(list, orderedBy);
  return (
    <ol
      ref={list}
      class={isStart ? 'flow-names flow-names-start' : 'flow-names'}
      aria-label={label}
      onKeyDown={moveAmongRows}
    >
      {listed.map((course) => {
        const looks = [course.ncode === lit && 'lit', mostMoved.has(course.ncode) && 'flow-most'];
        return (
          <li key={course.ncode} class={looks.filter(Boolean).join(' ')}>
            <b>{course.ranks[orderedBy]}</b>
            {!isStart && <NameMark {...props} course={course} />}
            <Name {...props} ncode={course.ncode} />
          </li>
        );
      })}
    </ol>
  );
}

/** Ranks gained or lost since the first ranking, or since when the novel has been ranked. */
function NameMark({ course, board, type, flow }: FlowState & { course: Course }) {
  const { words, format } = useCatalogue();
  const change = changeBy(course, board);
  if ('by' in change) return <MovementMark by={change.by} />;
  return (
    <span class="movement soft">
      {words.flow.since(dayOfBoard(format, type, flow.dates[change.since] ?? ''))}
    </span>
  );
}

function Name({ ncode, flow, light }: FlowState & { ncode: string }) {
  const { words } = useCatalogue();
  const novel = flow.novels.get(ncode);
  const title = novel?.title;
  const on = () => light(ncode);
  const off = () => light(null);
  return (
    <a
      class="main genre"
      data-big={bigGenreIn(flow, ncode)}
      lang={title === undefined ? undefined : 'ja'}
      href={hrefOfNovel(ncode, false)}
      onFocus={on}
      onPointerEnter={on}
      onBlur={off}
      onPointerLeave={off}
    >
      <FollowMark kind="novel" id={ncode} />
      <ForeignText text={title ?? `${untitled(words, novel)} ${ncode}`} inLink />
    </a>
  );
}

const SLIDE: KeyframeAnimationOptions = { duration: 300, easing: 'ease-in-out' };

/** Animates rows from their previous position, except with reduced motion. */
function useSlide(list: { current: HTMLElement | null }, board: number): void {
  const before = useRef(new Map<Element, number>());
  useLayoutEffect(() => {
    const rows = [...(list.current?.children ?? [])] as HTMLElement[];
    const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
    for (const row of rows) {
      const from = before.current.get(row);
      if (isCalm || from === undefined || from === row.offsetTop) continue;
      row.animate([{ transform: `translateY(${from - row.offsetTop}px)` }, { transform: 'none' }], SLIDE);
    }
    before.current = new Map(rows.map((row) => [row, row.offsetTop]));
  }, [board]);
}
