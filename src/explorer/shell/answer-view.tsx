import type { ComponentChildren } from 'preact';
import { useEffect, useErrorBoundary } from 'preact/hooks';
import type { ResponseFacts } from '../../client/index.ts';
import type { Answered } from './answers.ts';
import { usePlace, useShell } from './page-context.ts';
import { Notice, ProblemNotice, useRetry } from './problem-notice.tsx';
import { useProgress } from './progress.ts';
import type { QueryState } from './use-answer.ts';
import { problemOf } from './words.ts';

interface AnswerViewProps<Whole extends Answered> {
  asked: QueryState<Whole>;
  /** Of the skeleton, while nothing is there yet. */
  rows: number;
  /** In place of rows, where the answer has another shape. */
  skeleton?: ComponentChildren;
  /** Whether it is said how old the data are; not where another answer beside it says the same. */
  notes?: boolean;
  children: (answer: Whole) => ComponentChildren;
}

/** An answer as soon as it is there; until then its outline, and what it waits for; or why there is none. */
export function AnswerView<Whole extends Answered>(props: AnswerViewProps<Whole>) {
  const { asked, rows, skeleton, notes = true, children } = props;
  const { answer, problem, retry: again } = asked;
  if (problem) return <ProblemNotice problem={problem} again={again} />;
  return (
    <>
      <ProgressNote asked={asked} />
      {answer ? (
        <>
          <ResponseNotes response={answer.response} asOf={notes ? answer.meta?.asOf : undefined} />
          {children(answer)}
        </>
      ) : (
        <Skeleton rows={rows}>{skeleton}</Skeleton>
      )}
    </>
  );
}

/** Says what is being waited for, as soon as that takes longer than one expects. */
export function ProgressNote({ asked }: { asked: Pick<QueryState<Answered>, 'key' | 'loading'> }) {
  const text = useProgress(asked);
  return text === null ? null : (
    <p class="note note-wait" role="status">
      {text}
    </p>
  );
}

interface PartLineProps {
  asked: QueryState<Answered>;
  /** What it brings, as a title. */
  what: string;
  /** What is said once it is there. */
  children?: ComponentChildren;
}

/** The state of a part that other parts can be read without, in one line; it tries again as a whole notice would. */
export function PartLine({ asked, what, children }: PartLineProps) {
  const { words } = useShell();
  const waiting = useProgress(asked);
  const retry = useRetry(asked.problem, asked.retry);
  if (!retry) return <p role="status">{waiting === null ? children : `${what}: ${waiting}`}</p>;
  return (
    <p class="part-missing" data-problem={retry.code} role="status">
      {words.missing(what, retry.title)} {retry.wait}{' '}
      {retry.canHelp && retry.wait === null && (
        <button type="button" class="quiet small" onClick={asked.retry}>
          {words.retry}
        </button>
      )}
    </p>
  );
}

/** Says so when what is shown was kept by the service since `asOf`, or is older than it should be. */
export function ResponseNotes({ response, asOf }: { response: ResponseFacts; asOf?: string | undefined }) {
  const { words, format } = useShell();
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
    </>
  );
}

/** The service answered, and there is nothing in it. */
export function Empty({ title, children }: { title?: string; children?: ComponentChildren }) {
  return (
    <div class="notice sheet" data-state="empty" role="status">
      {title !== undefined && <h2>{title}</h2>}
      {children !== undefined && <p>{children}</p>}
    </div>
  );
}

/** Where rows will be, their widths differing as those of titles do; or an outline of the answer's own. */
function Skeleton({ rows, children }: { rows: number; children: ComponentChildren }) {
  const { words } = useShell();
  return (
    <div class="skeleton" role="status">
      <span class="hidden">{words.loading}</span>
      {children ??
        Array.from({ length: rows }, (_, row) => (
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
