import { createContext } from 'preact';
import { useContext, useEffect, useReducer, useRef } from 'preact/hooks';
import { ask } from './answer.ts';
import type { BodyForm, Loaded, Outcome, Problem } from './answer.ts';

const REMEMBERED = 40;
const REMEMBER_MS = 60_000;

/** Asks the service, and remembers good answers for a minute so that going back is immediate. */
export interface Asker {
  known: (path: string) => Loaded<unknown> | undefined;
  ask: (path: string, signal: AbortSignal) => Promise<Outcome<unknown>>;
  /** Asks before anything is drawn; the first `ask` for the same path takes that answer. */
  askAhead: (path: string) => void;
  forget: (path: string) => void;
}

export function createAsker(fetcher: typeof fetch, form: BodyForm, now: () => number): Asker {
  let ahead: { path: string; outcome: Promise<Outcome<unknown>> } | undefined;
  const remembered = new Map<string, { loaded: Loaded<unknown>; at: number }>();
  return {
    known: (path) => {
      const found = remembered.get(path);
      return found && now() - found.at < REMEMBER_MS ? found.loaded : undefined;
    },
    ask: async (path, signal) => {
      const begun = ahead?.path === path ? ahead.outcome : undefined;
      ahead = undefined;
      const outcome = await (begun ?? ask(fetcher, path, form, signal));
      if ('loaded' in outcome) {
        remembered.delete(path);
        remembered.set(path, { loaded: outcome.loaded, at: now() });
        const oldest = remembered.keys().next().value;
        if (remembered.size > REMEMBERED && oldest !== undefined) remembered.delete(oldest);
      }
      return outcome;
    },
    askAhead: (path) => {
      ahead = { path, outcome: ask(fetcher, path, form, new AbortController().signal) };
    },
    forget: (path) => {
      remembered.delete(path);
    },
  };
}

export const AskerContext = createContext<Asker | null>(null);

/** What is known of an answer that a view waits for. While another is being loaded, the last one stays. */
export interface Awaited<T> {
  loaded: Loaded<T> | null;
  problem: Problem | null;
  loading: boolean;
  again: () => void;
}

/** A control held down changes its mind faster than this; only what it comes to rest on is asked for. */
const REST_MS = 250;

interface Known {
  loaded: Loaded<unknown> | null;
  problem: Problem | null;
  loading: boolean;
}

const next = (count: number, step: number) => count + step;

/** The answer at a path; null: nothing is asked. */
export function useAnswer<T>(path: string | null): Awaited<T> {
  const asker = useContext(AskerContext);
  if (!asker) throw new Error('no asker around this component');
  const [attempt, again] = useReducer(next, 0);
  const [, redraw] = useReducer(next, 0);
  const known = useRef<Known>({ loaded: null, problem: null, loading: false });
  const askedAt = useRef(-REST_MS);
  const drawnPath = useRef<string | null>(null);

  // During rendering already, so that what is remembered is drawn at once and nothing flashes.
  if (drawnPath.current !== path) {
    drawnPath.current = path;
    const remembered = path === null ? undefined : asker.known(path);
    const loaded = remembered ?? (path === null ? null : known.current.loaded);
    known.current = { loaded, problem: null, loading: path !== null && !remembered };
  }

  useEffect(() => {
    if (path === null || asker.known(path)) return undefined;
    const abort = new AbortController();
    known.current = { ...known.current, problem: null, loading: true };
    redraw(1);
    const wait = performance.now() - askedAt.current < REST_MS ? REST_MS : 0;
    askedAt.current = performance.now();
    const timer = setTimeout(() => {
      asker.ask(path, abort.signal).then(
        (outcome) => {
          if (abort.signal.aborted) return;
          known.current =
            'loaded' in outcome
              ? { loaded: outcome.loaded, problem: null, loading: false }
              : { loaded: null, problem: outcome.problem, loading: false };
          redraw(1);
        },
        () => undefined,
      );
    }, wait);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [asker, path, attempt]);

  return {
    loaded: known.current.loaded as Loaded<T> | null,
    problem: known.current.problem,
    loading: known.current.loading,
    again: () => {
      if (path !== null) asker.forget(path);
      again(1);
    },
  };
}
