import { systemPause } from '../../client/fetch-json.ts';
import type { ClientOptions } from '../../client/fetch-json.ts';

/** One request of a view. */
export interface Call {
  url: string;
  /** Of the response; null until there is one, 0 where none came. */
  status: number | null;
}

/** What a question has sent so far. */
export interface Sent {
  calls: readonly Call[];
  /** When the client sends again what was refused, in milliseconds of `now`; null: it waits for nothing. */
  waitsUntil: number | null;
}

/** The requests behind what is shown: noted where they are sent, so that no view can leave one out. */
export interface CallLog {
  /** How a client sends the requests of a question: begins its list anew. */
  record: (key: string) => Pick<ClientOptions, 'fetch' | 'pause'>;
  sent: (key: string) => Sent;
  /** What a view shows, until it is called back. */
  show: (key: string) => () => void;
  /** The calls of all that is shown; those of one address once. */
  shown: () => readonly Call[];
  onChange: (listener: () => void) => () => void;
}

const NOTHING: Sent = { calls: [], waitsUntil: null };
const MOST_KEYS = 300;

/** What each question has sent; the oldest is forgotten first. */
function createNotes(now: () => number, change: () => void) {
  const noted = new Map<string, Sent>();
  const sent = (key: string): Sent => noted.get(key) ?? NOTHING;
  const note = (key: string, more: Partial<Sent>) => {
    noted.set(key, { ...sent(key), ...more });
    change();
  };
  const noteCall = (key: string, url: string, status: Call['status']) =>
    note(key, { calls: [...sent(key).calls.filter((call) => call.url !== url), { url, status }] });
  const record = (key: string): Pick<ClientOptions, 'fetch' | 'pause'> => {
    noted.delete(key);
    const oldest = noted.keys().next().value;
    if (noted.size >= MOST_KEYS && oldest !== undefined) noted.delete(oldest);
    return {
      fetch: async (input, init) => {
        const url = input instanceof Request ? input.url : String(input);
        noteCall(key, url, null);
        try {
          const response = await fetch(input, init);
          noteCall(key, url, response.status);
          return response;
        } catch (error) {
          if (init?.signal?.aborted !== true) noteCall(key, url, 0);
          throw error;
        }
      },
      pause: async (ms, signal) => {
        note(key, { waitsUntil: now() + ms });
        try {
          await systemPause(ms, signal);
        } finally {
          note(key, { waitsUntil: null });
        }
      },
    };
  };
  return { sent, record };
}

/** `now` in milliseconds, from any point on. */
export function createCallLog(now: () => number): CallLog {
  const shown = new Map<string, number>();
  const listeners = new Set<() => void>();
  const change = () => {
    for (const listener of listeners) listener();
  };
  const { sent, record } = createNotes(now, change);
  return {
    record,
    sent,
    show: (key) => {
      shown.set(key, (shown.get(key) ?? 0) + 1);
      change();
      return () => {
        const left = (shown.get(key) ?? 1) - 1;
        if (left > 0) shown.set(key, left);
        else shown.delete(key);
        change();
      };
    },
    shown: () => {
      const calls = [...shown.keys()].flatMap((key) => sent(key).calls);
      return [...new Map(calls.map((call) => [call.url, call])).values()];
    },
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
