import type { ComponentChildren } from 'preact';
import { useEffect, useErrorBoundary } from 'preact/hooks';
import type { ResponseFacts } from 'mokuroku-client/source';
import { describeLacks } from '../../words/lacks.ts';
import type { Answered } from './answers.ts';
import { usePlace, useShell } from './page-context.ts';
import { Notice, ProblemNotice, useRetry } from './problem-notice.tsx';
import { useProgress } from './progress.ts';
import type { QueryState } from './use-answer.ts';
import { problemOf } from './words.ts';

interface AnswerViewProps<Whole extends Answered> {
  request: QueryState<Whole>;
  /** The number of rows in the outline of the response. */
  skeleton: number;
  /** Whether the age of the data is shown; false if another response beside it shows the same age. */
  notes?: boolean;
  children: (answer: Whole) => ComponentChildren;
}

/** A response once it has arrived. Before that its outline and the reason of the wait; after a failure the error. */
export function AnswerView<Whole extends Answered>(props: AnswerViewProps<Whole>) {
  const { request, skeleton, notes = true, children } = props;
  const { answer, problem, retry: again } = request;
  if (problem) return <ProblemNotice problem={problem} again={again} />;
  return (
    <>
      <ProgressNote request={request} />
      {answer ? (
        <>
          <ResponseNotes response={answer.response} asOf={notes ? answer.meta?.asOf : undefined} />
          <LacksNote meta={answer.meta} />
          {children(answer)}
        </>
      ) : (
        <Skeleton rows={skeleton} />
      )}
    </>
  );
}

/** Shows the reason of a wait that takes longer than expected. */
export function ProgressNote({ request }: { request: Pick<QueryState<Answered>, 'key' | 'loading'> }) {
  const text = useProgress(request);
  return text === null ? null : (
    <p class="note note-wait" role="status">
      {text}
    </p>
  );
}

interface PartLineProps {
  request: QueryState<Answered>;
  /** Title of the part. */
  what: string;
  /** Shown once it has arrived. */
  children?: ComponentChildren;
}

/** The state of an optional part, in one line; it retries like a full error notice. */
export function PartLine({ request, what, children }: PartLineProps) {
  const { words } = useShell();
  const waiting = useProgress(request);
  const retry = useRetry(request.problem, request.retry);
  if (!retry) return <p role="status">{waiting === null ? children : `${what}: ${waiting}`}</p>;
  return (
    <p class="part-missing" data-problem={retry.code} role="status">
      {words.missing(what, retry.title)} {retry.wait}{' '}
      {retry.canHelp && retry.wait === null && (
        <button type="button" class="quiet small" onClick={request.retry}>
          {words.retry}
        </button>
      )}
    </p>
  );
}

/** Shows the age of data that the service has stored since `asOf`, or that are outdated. */
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

/** Says above the data what they lack. */
function LacksNote({ meta = {} }: { meta: Answered['meta'] | undefined }) {
  const { language } = useShell();
  const lacks = describeLacks(meta);
  return lacks.length === 0 ? null : (
    <p class="note note-lacks soft" role="status">
      {lacks.map((each) => each[language]).join(' ')}
    </p>
  );
}

/** An empty response. */
export function Empty({ title, children }: { title?: string; children?: ComponentChildren }) {
  return (
    <div class="notice sheet" data-state="empty" role="status">
      {title !== undefined && <h2>{title}</h2>}
      {children !== undefined && <p>{children}</p>}
    </div>
  );
}

/** Rows with the varying widths of titles. */
function Skeleton({ rows }: { rows: number }) {
  const { words } = useShell();
  return (
    <div class="skeleton" role="status">
      <span class="hidden">{words.loading}</span>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} class="skeleton-row" aria-hidden="true">
          <i />
          <i />
        </div>
      ))}
    </div>
  );
}

/**
 * Wraps components that render responses. If one fails, its error is shown and the rest of the page stays. A new
 * view, or the same one again, is a new attempt.
 */
export function Guarded({ children }: { children: ComponentChildren }) {
  const { words, answers } = useShell();
  const { search, arrivals } = usePlace();
  const [fault, reset] = useErrorBoundary() as [unknown, () => void];
  const again = () => {
    // The remembered response would fail again.
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
