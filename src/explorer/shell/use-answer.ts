import { useEffect, useReducer, useRef } from 'preact/hooks';
import type { MokurokuError } from '../../client/index.ts';
import type { Answered, ApiQuestion } from './answers.ts';
import { usePage } from './page-context.ts';

/** What is known of an answer that a view waits for. While another is being loaded, the last one stays. */
export interface QueryState<Whole extends Answered> {
  /** Of the question; null: nothing is asked. */
  key: string | null;
  answer: Whole | null;
  problem: MokurokuError | null;
  loading: boolean;
  retry: () => void;
}

type AnswerState<Whole extends Answered> = Pick<QueryState<Whole>, 'answer' | 'problem' | 'loading'>;

/** A network that is back does not always work at once. */
const TRIES_WHEN_BACK = 3;
const BACK_MS = 1_000;

/** A control held down changes its mind faster than this; only what it comes to rest on is asked for. */
const REST_MS = 250;

const next = (count: number, step: number) => count + step;

const isUnreachable = ({ problem }: { problem: MokurokuError | null }) => problem?.code === 'unreachable';

/** The answer to a question; null: nothing is asked. */
export function useAnswer<Whole extends Answered>(question: ApiQuestion<Whole> | null): QueryState<Whole> {
  const { answers, log } = usePage();
  const key = question?.key ?? null;
  const [attempt, again] = useReducer(next, 0);
  const [, redraw] = useReducer(next, 0);
  const state = useRef<AnswerState<Whole>>({ answer: null, problem: null, loading: false });
  const askedAt = useRef(-REST_MS);
  const triesLeft = useRef(0);
  const drawnKey = useRef<string | null>(null);

  // During rendering already, so that what is remembered is drawn at once and nothing flashes.
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
      redraw(1);
    };
    show({ ...state.current, problem: null, loading: true });
    const wait = performance.now() - askedAt.current < REST_MS ? REST_MS : 0;
    askedAt.current = performance.now();
    let timer = setTimeout(() => {
      answers.load(question, abort.signal).then(
        (answer) => show({ answer, problem: null, loading: false }),
        // `ask` rejects with nothing else.
        (problem: unknown) => {
          show({ answer: null, problem: problem as MokurokuError, loading: false });
          if (!isUnreachable(state.current) || triesLeft.current === 0) return;
          triesLeft.current -= 1;
          timer = setTimeout(() => again(1), BACK_MS);
        },
      );
    }, wait);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
    // The key stands for the question: equal keys are equal questions.
  }, [answers, key, attempt]);

  useEffect(() => (key === null ? undefined : log.show(key)), [log, key]);
  useNetworkBack(() => {
    triesLeft.current = TRIES_WHEN_BACK;
    if (isUnreachable(state.current)) again(1);
  });
  useArrival(() => state.current.problem !== null && again(1));

  return { key, ...state.current, retry: () => again(1) };
}

function useNetworkBack(onBack: () => void): void {
  const latest = useRef(onBack);
  latest.current = onBack;
  useEffect(() => {
    const onOnline = () => latest.current();
    addEventListener('online', onOnline);
    return () => removeEventListener('online', onOnline);
  }, []);
}

/** Whoever comes to where something has failed, by the same search once more, means to try again. */
function useArrival(tryAgain: () => void): void {
  const { navigator } = usePage();
  const latest = useRef(tryAgain);
  latest.current = tryAgain;
  useEffect(() => navigator.onChange((arrived) => arrived && latest.current()), [navigator]);
}
