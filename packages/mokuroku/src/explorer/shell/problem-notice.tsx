import { createContext } from 'preact';
import type { ComponentChildren } from 'preact';
import { useContext, useEffect, useMemo } from 'preact/hooks';
import type { MokurokuError } from 'mokuroku-client/source';
import { faultsOf } from 'mokuroku-client/parts';
import type { Fault } from 'mokuroku-client/parts';
import { ForeignText } from './foreign-text.tsx';
import { useShell } from './page-context.ts';
import { useClock } from './progress.ts';
import { problemKey } from '../../words/problems.ts';
import { problemOf } from './words.ts';

/** The words of a page's form for a parameter, or for one of its values; undefined: those of the API. */
export const FaultLabels = createContext<(parameter: string, value?: string) => string | undefined>(
  () => undefined,
);

const MAX_VALUES = 12;

/**
 * The text of a problem, and how it is retried: automatically after a wait named by the service; `useAnswer` does so as
 * soon as the network is back.
 */
export function useRetry(problem: MokurokuError | null, again: () => void) {
  const { words, format } = useShell();
  const secondsLeft = useCountdown(problem, problem?.retryAfterSeconds ?? null, again);
  if (!problem) return null;
  const code = problemKey(problem);
  const [title, text] = problemOf(words, code);
  // Beyond a limit, a retry before the end of the wait would be rejected.
  const canHelp = problem.retryable && (problem.status !== 429 || secondsLeft === null);
  return {
    code,
    title,
    text,
    /** The time until the automatic retry as a sentence; null: none. */
    wait: secondsLeft === null ? null : words.retryIn(format.number(secondsLeft)),
    canHelp,
  };
}

interface ProblemProps {
  problem: MokurokuError;
  again: () => void;
  /** Replaces the usual title. */
  title?: string | undefined;
  children?: ComponentChildren;
}

/** Shows the reason of a failure, a remedy and, if waiting helps, its duration. */
export function ProblemNotice({ problem, again, title, children }: ProblemProps) {
  const { words } = useShell();
  const retry = useRetry(problem, again);
  if (!retry) return null;
  return (
    // A missing item is an answer, not a failure.
    <Notice
      code={problem.code}
      title={title ?? retry.title}
      text={retry.text}
      isFault={problem.status !== 404}
    >
      {problem.status === 400 && <Faults faults={faultsOf(problem.details)} />}
      {children}
      {retry.wait !== null && <p aria-live="off">{retry.wait}</p>}
      {retry.canHelp && (
        <button type="button" onClick={again}>
          {words.retry}
        </button>
      )}
      {problem.status === 404 && (
        <a class="target" href="/">
          {words.toStart}
        </a>
      )}
      {problem.status >= 400 && problem.code !== 'not_json' && (
        <details class="fine">
          <summary>{words.details}</summary>
          <a class="target" href={`/docs#error-${encodeURIComponent(problem.code)}`}>
            <code>
              {problem.status} <bdi>{problem.code}</bdi>
            </code>
          </a>{' '}
          {problem.status >= 500 && problem.requestId !== undefined && words.requestNumber(problem.requestId)}
        </details>
      )}
    </Notice>
  );
}

interface NoticeProps {
  code: string;
  title: string;
  text: string;
  isFault: boolean;
  children?: ComponentChildren;
}

export function Notice({ code, title, text, isFault, children }: NoticeProps) {
  return (
    <section class={isFault ? 'notice sheet notice-fault' : 'notice sheet'} data-problem={code} role="alert">
      <h2>{title}</h2>
      <p>{text}</p>
      {children}
    </section>
  );
}

/**
 * A card for each fault, in the words of the form, with its remedy: the allowed values if there are some.
 */
function Faults({ faults }: { faults: readonly Fault[] }) {
  const { words } = useShell();
  const labelOf = useContext(FaultLabels);
  if (faults.length === 0) return null;
  return (
    <ul class="faults">
      {faults.map((fault) => (
        <li key={fault.parameter} class="sheet">
          <b>{labelOf(fault.parameter) ?? <code>{fault.parameter}</code>}</b>
          {fault.given !== '' && (
            <p>
              {words.given} <ForeignText text={fault.given} />
            </p>
          )}
          {fault.nearest.length + fault.values.length > 0 ? (
            <PossibleValues fault={fault} />
          ) : (
            <p>{words.fault(fault.reason, fault.allowed)}</p>
          )}
        </li>
      ))}
    </ul>
  );
}

/** The allowed values. If the page's own URL has the invalid one, each is a link that corrects it. */
function PossibleValues({ fault: { parameter, given, ...fault } }: { fault: Fault }) {
  const values = [...fault.nearest, ...fault.values];
  const { navigator, words } = useShell();
  const labelOf = useContext(FaultLabels);
  const query = new URLSearchParams(navigator.searchString());
  const isInAddress = query.get(parameter) === given;
  const hrefWith = (value: string) => {
    query.set(parameter, value);
    return `/?${query.toString()}`;
  };
  return (
    <p class="beside">
      {words.possible}
      {values.slice(0, MAX_VALUES).map((value) => {
        const label = labelOf(parameter, value) ?? value;
        return isInAddress ? (
          <a key={value} class="target" href={hrefWith(value)}>
            {label}
          </a>
        ) : (
          <span key={value}>{label}</span>
        );
      })}
      {values.length > MAX_VALUES && '…'}
    </p>
  );
}

/** Remaining whole seconds of a wait that began when `key` last changed; calls `onEnd` once at its end. */
function useCountdown(key: unknown, seconds: number | null, onEnd: () => void): number | null {
  const began = useMemo(() => performance.now(), [key]);
  const passed = Math.max(0, useClock(seconds !== null) - began) / 1_000;
  const secondsLeft = seconds === null ? null : Math.max(0, Math.ceil(seconds - passed));
  useEffect(() => {
    if (secondsLeft === 0) onEnd();
  }, [key, secondsLeft === 0]);
  return secondsLeft;
}
