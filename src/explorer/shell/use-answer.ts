import { useEffect, useReducer, useRef } from 'preact/hooks';
import type { MokurokuError } from '../../client/index.ts';
import type { Answered, Question } from './answers.ts';
import { usePage } from './page-context.ts';

/** What is known of an answer that a view waits for. While another is being loaded, the last one stays. */
export interface Asked<Whole extends Answered> {
  answer: Whole | null;
  problem: MokurokuError | null;
  loading: boolean;
  again: () => void;
}

/** A control held down changes its mind faster than this; only what it comes to rest on is asked for. */
const REST_MS = 250;

const next = (count: number, step: number) => count + step;

/** The answer to a question; null: nothing is asked. */
export function useAnswer<Whole extends Answered>(question: Question<Whole> | null): Asked<Whole> {
  const { answers } = usePage();
  const key = question?.key ?? null;
  const [attempt, again] = useReducer(next, 0);
  const [, redraw] = useReducer(next, 0);
  const state = useRef<Omit<Asked<Whole>, 'again'>>({ answer: null, problem: null, loading: false });
  const askedAt = useRef(-REST_MS);
  const drawnKey = useRef<string | null>(null);

  // During rendering already, so that what is remembered is drawn at once and nothing flashes.
  if (drawnKey.current !== key) {
    drawnKey.current = key;
    const remembered = question === null ? undefined : answers.known(question);
    const answer = remembered ?? (question === null ? null : state.current.answer);
    state.current = { answer, problem: null, loading: question !== null && !remembered };
  }

  useEffect(() => {
    if (question === null || answers.known(question)) return undefined;
    const abort = new AbortController();
    const show = (shown: Omit<Asked<Whole>, 'again'>) => {
      if (abort.signal.aborted) return;
      state.current = shown;
      redraw(1);
    };
    show({ ...state.current, problem: null, loading: true });
    const wait = performance.now() - askedAt.current < REST_MS ? REST_MS : 0;
    askedAt.current = performance.now();
    const timer = setTimeout(() => {
      answers.ask(question, abort.signal).then(
        (answer) => show({ answer, problem: null, loading: false }),
        // `ask` rejects with nothing else.
        (problem: unknown) => show({ answer: null, problem: problem as MokurokuError, loading: false }),
      );
    }, wait);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
    // The key stands for the question: equal keys are equal questions.
  }, [answers, key, attempt]);

  useArrival(() => state.current.problem !== null && again(1));

  return { ...state.current, again: () => again(1) };
}

/** Whoever comes to where something has failed, by the same search once more, means to try again. */
function useArrival(tryAgain: () => void): void {
  const { navigator } = usePage();
  const latest = useRef(tryAgain);
  latest.current = tryAgain;
  useEffect(() => navigator.onChange((arrived) => arrived && latest.current()), [navigator]);
}
