import { Fragment } from 'preact';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { MokurokuError } from '../../client/index.ts';
import { useOnline } from './online.ts';
import { useShell } from './page-context.ts';
import { problemKey } from '../../words/problem-key.ts';
import { problemOf } from './words.ts';

interface ShownFault {
  parameter: string;
  given: string;
  /** The values there are, or the nearest to what was given; the same in every language. */
  values: string[];
  /** What would be right, in the service's English. */
  allowed: string;
}

const MOST_VALUES = 12;
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const listOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

/** The faults that `details` of a 400 lists, as far as they have the published form. */
function faultsOf(details: unknown): ShownFault[] {
  if (!Array.isArray(details)) return [];
  return details.flatMap((detail: unknown) => {
    if (typeof detail !== 'object' || detail === null) return [];
    const { parameter, given, allowed, reason, values, nearest } = detail as Record<string, unknown>;
    return [
      {
        parameter: textOf(parameter),
        given: textOf(given),
        values: [...listOf(nearest), ...listOf(values)],
        allowed: textOf(allowed) || textOf(reason),
      },
    ];
  });
}

/** What is said of a problem, and how it is tried again. */
export interface Retry {
  /** Key of its title and text in the word tables. */
  code: string;
  title: string;
  text: string;
  /** Whole seconds until it is tried again by itself, and a sentence of that; null: it is not. */
  left: number | null;
  wait: string | null;
  /** Whether the same can go well later. */
  canHelp: boolean;
}

/** Tries again by itself after a wait that the service has named; `useAnswer` does as soon as there is a network again. */
export function useRetry(problem: MokurokuError | null, again: () => void): Retry | null {
  const { words, format } = useShell();
  const isOnline = useOnline();
  const left = useCountdown(problem, problem?.retryAfterSeconds ?? null, again);
  const isOffline = problem?.code === 'unreachable' && !isOnline;
  if (!problem) return null;
  const code = isOffline ? 'offline' : problemKey(problem);
  const [title, text] = isOffline ? words.offline : problemOf(words, code);
  // What the service itself refuses it would refuse again.
  const canHelp =
    problem.status < 400 || problem.status >= 500 || ['not_json', 'rate_limited'].includes(code);
  return {
    code,
    title,
    text,
    left,
    wait: left === null ? null : words.retryIn(format.number(left)),
    canHelp,
  };
}

interface ProblemProps {
  problem: MokurokuError;
  again: () => void;
  /** In place of the usual one. */
  title?: string | undefined;
  children?: ComponentChildren;
}

/** Why there is nothing to show, what one can do about it, and, where waiting helps, how long. */
export function ProblemNotice({ problem, again, title, children }: ProblemProps) {
  const { words } = useShell();
  const retry = useRetry(problem, again);
  if (!retry) return null;
  if (problem.code === 'rate_limited')
    return <LimitedNotice problem={problem} left={retry.left} again={again} />;
  return (
    // That something is not there is an answer; nothing has gone wrong.
    <Notice
      code={problem.code === 'unreachable' ? retry.code : problem.code}
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
      {problem.status >= 400 && problem.code !== 'not_json' && (
        <p class="fine">
          <a class="target" href={`/docs#error-${encodeURIComponent(problem.code)}`}>
            <code>
              {problem.status} <bdi>{problem.code}</bdi>
            </code>
          </a>{' '}
          {problem.status >= 500 && problem.requestId !== undefined && words.requestNumber(problem.requestId)}
        </p>
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

/** Each fault with what would be right: the values where there are some; the service's own English in English. */
function Faults({ faults }: { faults: readonly ShownFault[] }) {
  const { words, language } = useShell();
  if (faults.length === 0) return null;
  return (
    <ul class="faults">
      {faults.map((fault) => (
        <li key={fault.parameter} class="beside">
          <code>{fault.parameter}</code>
          {fault.given !== '' && (
            <span>
              {words.given} <bdi>{fault.given}</bdi>
            </span>
          )}
          {fault.values.length > 0 && (
            <span>
              {words.possible} <PossibleValues fault={fault} />
            </span>
          )}
          {fault.values.length === 0 && <span>{language === 'en' ? fault.allowed : words.unusable}</span>}
        </li>
      ))}
    </ul>
  );
}

/** The values that are right. Where the page's own address has the wrong one, each is a link that puts it right. */
function PossibleValues({ fault: { parameter, given, values } }: { fault: ShownFault }) {
  const { navigator } = useShell();
  const query = new URLSearchParams(navigator.search());
  const isInAddress = query.get(parameter) === given;
  const hrefWith = (value: string) => {
    query.set(parameter, value);
    return `/?${query.toString()}`;
  };
  return (
    <>
      {values.slice(0, MOST_VALUES).map((value, place) => (
        <Fragment key={value}>
          {place > 0 && ', '}
          {isInAddress ? (
            <a class="target" href={hrefWith(value)}>
              {value}
            </a>
          ) : (
            value
          )}
        </Fragment>
      ))}
      {values.length > MOST_VALUES && ', …'}
    </>
  );
}

/** Whole seconds left of a wait that began when `key` last changed; calls `onEnd` once when it is over. */
function useCountdown(key: unknown, seconds: number | null, onEnd: () => void): number | null {
  const [counted, setCounted] = useState({ key, left: seconds });
  const end = useRef(onEnd);
  end.current = onEnd;
  useEffect(() => {
    if (seconds === null) return undefined;
    const over = performance.now() + seconds * 1_000;
    const timer = setInterval(() => {
      const rest = Math.max(0, Math.ceil((over - performance.now()) / 1_000));
      setCounted({ key, left: rest });
      if (rest > 0) return;
      clearInterval(timer);
      end.current();
    }, 200);
    return () => clearInterval(timer);
  }, [key, seconds]);
  return counted.key === key ? counted.left : seconds;
}

const RING = 2 * Math.PI * 26;

/** Over the limit: a ring that empties until the service answers again. */
function LimitedNotice(props: { problem: MokurokuError; left: number | null; again: () => void }) {
  const { words, format } = useShell();
  const total = Math.max(1, props.problem.retryAfterSeconds ?? 1);
  const left = props.left ?? 0;
  return (
    <section class="notice sheet limited" data-problem="rate_limited">
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
          {words.limited.seconds(format.number(left))}
        </p>
        {props.problem.retryAfterSeconds === undefined && (
          <button type="button" onClick={props.again}>
            {words.retry}
          </button>
        )}
      </div>
    </section>
  );
}
