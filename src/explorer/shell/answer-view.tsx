import type { ComponentChildren } from 'preact';
import { useEffect, useErrorBoundary } from 'preact/hooks';
import type { ResponseFacts } from '../../client/index.ts';
import type { Answered } from './answers.ts';
import { usePlace, useShell, useWords } from './page-context.ts';
import { Notice, ProblemNotice } from './problem-notice.tsx';
import type { Asked } from './use-answer.ts';
import { SAMPLE_TEXT, problemOf } from './words.ts';

interface AnswerViewProps<Whole extends Answered> {
  asked: Asked<Whole>;
  /** Of the skeleton, while nothing is there yet. */
  rows: number;
  /** Whether what the answer says of itself is shown; not where another answer beside it says the same. */
  notes?: boolean;
  children: (answer: Whole) => ComponentChildren;
}

/** An answer as soon as it is there; until then its outline; or why there is none. */
export function AnswerView<Whole extends Answered>(props: AnswerViewProps<Whole>) {
  const { asked, rows, notes = true, children } = props;
  const { answer, problem, again } = asked;
  if (problem) return <ProblemNotice problem={problem} again={again} />;
  if (!answer) return <Skeleton rows={rows} />;
  return (
    <>
      {notes && <ResponseNotes response={answer.response} asOf={answer.meta?.asOf} />}
      {children(answer)}
    </>
  );
}

/** Says so when what is shown is invented, kept by the service since `asOf`, or older than it should be. */
export function ResponseNotes({ response, asOf }: { response: ResponseFacts; asOf?: string | undefined }) {
  const { words, format } = useShell();
  const { words: sampleText } = useWords(SAMPLE_TEXT);
  return (
    <>
      {response.stale && (
        <p class="note note-stale soft" role="status">
          {words.stale(format.age(response.ageSeconds))}
        </p>
      )}
      {asOf !== undefined && !response.stale && (
        <p class="note soft">
          <time dateTime={asOf}>{words.asOf(format.moment(asOf), format.age(response.ageSeconds))}</time>
        </p>
      )}
      {response.sample && (
        <p class="note note-sample soft">
          <b class="tag">{words.sample}</b> {sampleText}
        </p>
      )}
    </>
  );
}

/** Where rows will be. The widths differ as those of titles do. */
function Skeleton({ rows }: { rows: number }) {
  const { words } = useShell();
  return (
    <div class="skeleton" role="status">
      <span class="hidden">{words.loading}</span>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} class={`skeleton-row skeleton-row-${row % 4}`} aria-hidden="true">
          <i />
          <i />
        </div>
      ))}
    </div>
  );
}

/**
 * Stands around what is drawn from answers: where that fails it is told, and the rest of the page stays. Another place,
 * or the same once more, is another try.
 */
export function Guarded({ children }: { children: ComponentChildren }) {
  const { words, answers } = useShell();
  const { search, arrivals } = usePlace();
  const [fault, reset] = useErrorBoundary() as [unknown, () => void];
  const again = () => {
    // What has been remembered would fail again.
    answers.forget();
    reset();
  };
  useEffect(() => {
    if (fault !== undefined) again();
  }, [search, arrivals]);
  if (fault === undefined) return <>{children}</>;
  const [title, text] = problemOf(words, 'not_json');
  return (
    <Notice code="not_json" title={title} text={text} isFault>
      <button type="button" onClick={again}>
        {words.retry}
      </button>
    </Notice>
  );
}
