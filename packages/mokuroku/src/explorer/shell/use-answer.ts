import { useEffect, useReducer, useRef } from 'preact/hooks';
import type { MokurokuError } from 'mokuroku-client/source';
import type { Answered, ApiQuestion } from './answers.ts';
import { useRedraw } from './listeners.ts';
import { usePage, usePlace } from './page-context.ts';

/** The state of a response that a view waits for. While another one loads, the last one stays. */
export interface QueryState<Whole extends Answered> {
  /** Key of the question; null: no request. */
  key: string | null;
  answer: Whole | null;
  problem: MokurokuError | null;
  loading: boolean;
  retry: () => void;
}

type AnswerState<Whole extends Answered> = Pick<QueryState<Whole>, 'answer' | 'problem' | 'loading'>;

/** After a reconnection the first request may still fail. */
const ONLINE_RETRIES = 3;
const ONLINE_RETRY_MS = 1_000;

/** A held control changes faster than this; only its final value is requested. */
const REST_MS = 250;

const isUnreachable = ({ problem }: { problem: MokurokuError | null }) => problem?.code === 'unreachable';

/** The response to a question; null: no request. */
export function useAnswer<Whole extends Answered>(question: ApiQuestion<Whole> | null): QueryState<Whole> {
  const { answers, log } = usePage();
  const key = question?.key ?? null;
  const [attempt, again] = useReducer((count: number, step: number) => count + step, 0);
  const redraw = useRedraw();
  const state = useRef<AnswerState<Whole>>({ answer: null, problem: null, loading: false });
  const requestedAt = useRef(-REST_MS);
  const retriesLeft = useRef(0);
  const drawnKey = useRef<string | null>(null);

  // Set during rendering, so that a remembered response is rendered at once, without flicker.
  if (drawnKey.current !== key) {
    drawnKey.current = key;
    const remembered = question === null ? undefined : answers.cached(question);
    const answer = remembered ?? (question === null ? null : state.current.answer);
    state.current = { answer, problem: null, loading: question !== null && !remembered };
  }

  useEffect(() => {
    if (question === null || answers.cached(question)) return undefined;
    const abort = new AbortController();
    const show = (shown: AnswerState<Whole>) => {
      if (abort.signal.aborted) return;
      state.current = shown;
      redraw();
    };
    show({ ...state.current, problem: null, loading: true });
    const wait = performance.now() - requestedAt.current < REST_MS ? REST_MS : 0;
    requestedAt.current = performance.now();
    let timer = setTimeout(() => {
      answers.load(question, abort.signal).then(
        (answer) => show({ answer, problem: null, loading: false }),
        // `load` rejects only with a MokurokuError.
        (problem: unknown) => {
          show({ answer: null, problem: problem as MokurokuError, loading: false });
          if (!isUnreachable(state.current) || retriesLeft.current === 0) return;
          retriesLeft.current -= 1;
          timer = setTimeout(() => again(1), ONLINE_RETRY_MS);
        },
      );
    }, wait);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
    // Equal keys are equal questions, so the key suffices.
  }, [answers, key, attempt]);

  useEffect(() => (key === null ? undefined : log.show(key)), [log, key]);
  useOnlineEvent(() => {
    retriesLeft.current = ONLINE_RETRIES;
    if (isUnreachable(state.current)) again(1);
  });
  // Retries when the reader comes back to a failed view, for example by the same search.
  useEffect(() => (state.current.problem ? again(1) : undefined), [usePlace().arrivals]);

  return { key, ...state.current, retry: () => again(1) };
}

/**
 * Calls with each event of the browser that says that a network is back: a reason to retry, and no more. Whether the
 * service is reachable is what the last request says (`isUnreachable` of the call log), because the browser's own
 * `navigator.onLine` knows nothing of a service on this machine or in a local network. The first listener stays, so it
 * must read current state from references.
 */
export function useOnlineEvent(onOnline: () => void): void {
  useEffect(() => {
    addEventListener('online', onOnline);
    return () => removeEventListener('online', onOnline);
  }, []);
}
