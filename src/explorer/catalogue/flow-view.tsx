import { useMemo, useState } from 'preact/hooks';
import type { RankingType } from '../../catalogue/novels/ranking-date.ts';
import { AnswerView } from '../shell/answer-view.tsx';
import { ForeignText } from '../shell/foreign-text.tsx';
import { moveAmongRows } from '../shell/keyboard.ts';
import { useAnswer } from '../shell/use-answer.ts';
import { FLOW_DEPTH, coursePath, coursesOf, flowDates } from './flow.ts';
import type { Course } from './flow.ts';
import { MovementMark } from './movement-mark.tsx';
import { hrefOfNovel } from './novel-row.tsx';
import { flowQuestion } from './questions.ts';
import type { Flow } from './questions.ts';
import { TableBehind } from './table-behind.tsx';
import { nameOfBoard, useCatalogue } from './words.ts';

/** The first twenty of a board, and how they came there: who rose, who fell, who is new, who has gone. */
export function FlowView({ type, last }: { type: RankingType; last: string }) {
  const asked = useAnswer(flowQuestion(type, flowDates(type, last)));
  return (
    <section class="results" aria-busy={asked.loading}>
      <AnswerView asked={asked} rows={10} notes={false}>
        {({ data }) => <FlowChart type={type} flow={data} />}
      </AnswerView>
    </section>
  );
}

/** Pixels: of a row of names, and so between two places of the drawing. */
const ROW = 32;
const WIDTH = 400;
const EDGE = 6;

function FlowChart({ type, flow }: { type: RankingType; flow: Flow }) {
  const { words, format } = useCatalogue();
  const courses = useMemo(() => coursesOf(flow.boards), [flow]);
  const [lit, setLit] = useState<string | null>(null);
  const x = (board: number) => EDGE + (board / Math.max(1, flow.dates.length - 1)) * (WIDTH - 2 * EDGE);
  const y = (rank: number) => (rank - 0.5) * ROW;
  const there = courses.filter(({ change }) => change !== 'gone');
  const gone = courses.filter(({ change }) => change === 'gone');
  const name = ({ ncode }: Course) => <FlowName ncode={ncode} flow={flow} light={setLit} />;
  return (
    <>
      <p class="fine">
        {words.flow.between(format.date(flow.dates[0] ?? ''), format.date(flow.dates.at(-1) ?? ''))}
      </p>
      <div class="flow">
        <svg
          viewBox={`0 0 ${WIDTH} ${FLOW_DEPTH * ROW}`}
          preserveAspectRatio="none"
          height={FLOW_DEPTH * ROW}
          aria-hidden="true"
        >
          {/* What is lit comes last, above the others. */}
          {[...courses]
            .sort((a, b) => Number(a.ncode === lit) - Number(b.ncode === lit))
            .map((course) => (
              <path
                key={course.ncode}
                class={course.ncode === lit ? 'course course-lit' : `course course-${course.change}`}
                d={coursePath(course.ranks, x, y)}
              />
            ))}
        </svg>
        <ol class="flow-names" onKeyDown={moveAmongRows}>
          {there.map((course) => (
            <li key={course.ncode} class={course.ncode === lit ? 'lit' : undefined}>
              <b>{course.ranks.at(-1)}</b>
              <MovementMark by={movementOf(course)} entered={words.flow.entered} />
              {name(course)}
            </li>
          ))}
        </ol>
      </div>
      {gone.length > 0 && (
        <section class="flow-gone">
          <h2>{words.flow.gone}</h2>
          <ul onKeyDown={moveAmongRows}>
            {gone.map((course) => (
              <li key={course.ncode}>
                <span class="fine">{words.flow.was(format.number(course.ranks[0] ?? 0))}</span> {name(course)}
              </li>
            ))}
          </ul>
        </section>
      )}
      <FlowTable type={type} flow={flow} courses={courses} />
    </>
  );
}

function FlowName(props: { ncode: string; flow: Flow; light: (ncode: string | null) => void }) {
  const { ncode, flow, light } = props;
  const { gone } = useCatalogue().words.ranking;
  const title = flow.titles.get(ncode);
  const on = () => light(ncode);
  const off = () => light(null);
  return (
    <a
      class="main"
      lang={title === undefined ? undefined : 'ja'}
      href={hrefOfNovel(ncode, false)}
      onFocus={on}
      onPointerEnter={on}
      onBlur={off}
      onPointerLeave={off}
    >
      <ForeignText text={title ?? `${gone} ${ncode}`} inLink />
    </a>
  );
}

/** Between the first board and the last; one that is gone has no mark. */
const movementOf = ({ ranks, change }: Course): number | 'entered' =>
  change === 'new' ? 'entered' : (ranks[0] ?? 0) - (ranks.at(-1) ?? 0);

/** The ranks of each on each board. */
function FlowTable(props: { type: RankingType; flow: Flow; courses: Course[] }) {
  const { type, flow, courses } = props;
  const { words, format } = useCatalogue();
  const columns = flow.dates.map((date) => (
    <>
      <span class="hidden">{nameOfBoard(words, format, type, date)}</span>
      <span aria-hidden="true">{date.slice(5).replace('-', '/')}</span>
    </>
  ));
  return (
    <TableBehind
      summary={words.history.table}
      label={words.flow.title}
      look="flow-table"
      columns={[words.flow.novel, ...columns]}
    >
      {() =>
        courses.map(({ ncode, ranks }) => (
          <tr key={ncode}>
            <th scope="row" lang="ja">
              <ForeignText text={flow.titles.get(ncode) ?? ncode} inLink most={60} />
            </th>
            {ranks.map((rank, board) => (
              <td key={board}>{rank ?? '–'}</td>
            ))}
          </tr>
        ))
      }
    </TableBehind>
  );
}
