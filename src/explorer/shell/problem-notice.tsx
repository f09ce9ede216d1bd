import type { Problem } from './answer.ts';
import { useCountdown } from './countdown.ts';
import { formatNumber } from './format.ts';
import { useLanguage, useWords } from './language-context.ts';
import { SHELL_WORDS } from './shell-words.ts';

interface Fault {
  parameter: string;
  given: string;
  expected: string;
}

/** The faults that `details` of a 400 lists, as far as they have the published form. */
function faultsOf(details: unknown): Fault[] {
  if (!Array.isArray(details)) return [];
  return details.flatMap((detail: unknown) => {
    if (typeof detail !== 'object' || detail === null) return [];
    const { parameter, given, expected, allowed, reason } = detail as Record<string, unknown>;
    const wanted = [expected, allowed, reason].find((text) => text !== undefined);
    return [
      {
        parameter: typeof parameter === 'string' ? parameter : '',
        given: typeof given === 'string' ? given : '',
        expected:
          typeof wanted === 'string' ? wanted : Array.isArray(wanted) ? wanted.slice(0, 12).join(', ') : '',
      },
    ];
  });
}

/** Why there is nothing to show, what one can do about it, and, where waiting helps, how long. */
export function ProblemNotice(props: {
  problem: Problem;
  again: () => void;
  /** In place of the usual one. */
  title?: string | undefined;
}) {
  const { problem, again } = props;
  const words = useWords(SHELL_WORDS);
  const language = useLanguage();
  const left = useCountdown(problem, problem.retryAfterSeconds, again);
  if (problem.status === 429) return <LimitedNotice problem={problem} left={left} again={again} />;
  const [title, text] = words.problems[problem.code] ?? words.problems['other'] ?? ['', ''];
  const faults = problem.status === 400 ? faultsOf(problem.details) : [];
  const canHelp = problem.status === 0 || problem.status >= 500;
  // That something is not there is an answer; nothing has gone wrong.
  const isFault = problem.status !== 404;
  return (
    <section class={isFault ? 'notice notice-fault' : 'notice'} data-problem={problem.code} role="alert">
      <h2>{props.title ?? title}</h2>
      <p>{text}</p>
      {faults.length > 0 && (
        <ul class="faults">
          {faults.map((fault) => (
            <li key={fault.parameter}>
              <code>{fault.parameter}</code>
              {fault.given !== '' && <span>{words.given(fault.given)}</span>}
              <span lang="en">{fault.expected}</span>
            </li>
          ))}
        </ul>
      )}
      {left !== null && <p aria-live="off">{words.retryIn(formatNumber(language, left))}</p>}
      {canHelp && (
        <button type="button" onClick={again}>
          {words.retry}
        </button>
      )}
      {problem.status >= 500 && problem.requestId !== null && (
        <p class="fine">{words.requestNumber(problem.requestId)}</p>
      )}
    </section>
  );
}

const RING = 2 * Math.PI * 26;

/** Over the limit: a ring that empties until the service answers again. */
function LimitedNotice(props: { problem: Problem; left: number | null; again: () => void }) {
  const words = useWords(SHELL_WORDS);
  const language = useLanguage();
  const total = Math.max(1, props.problem.retryAfterSeconds ?? 1);
  const left = props.left ?? 0;
  return (
    <section class="notice limited" data-problem="rate_limited">
      <svg class="ring" viewBox="0 0 60 60" width="72" height="72" aria-hidden="true">
        <circle class="ring-track" cx="30" cy="30" r="26" />
        <circle
          class="ring-left"
          cx="30"
          cy="30"
          r="26"
          stroke-dasharray={RING}
          stroke-dashoffset={RING * (1 - left / total)}
        />
        <text x="30" y="36" text-anchor="middle">
          {left}
        </text>
      </svg>
      <div>
        <div role="alert">
          <h2>{words.limited.title}</h2>
          <p>{words.limited.text}</p>
        </div>
        <p class="fine" aria-hidden="true">
          {words.limited.seconds(formatNumber(language, left))}
        </p>
        {props.problem.retryAfterSeconds === null && (
          <button type="button" onClick={props.again}>
            {words.retry}
          </button>
        )}
      </div>
    </section>
  );
}
