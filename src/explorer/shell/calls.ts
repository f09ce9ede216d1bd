import { systemPause } from '../../client/fetch-json.ts';
import type { ClientOptions } from '../../client/fetch-json.ts';

/** One request of a view. */
export interface Call {
  url: string;
  /** Status of the response; null before it, 0 after a failure without one. */
  status: number | null;
}

/** The requests of a question so far. */
export interface Sent {
  calls: readonly Call[];
  /** When the client retries a rejected request, in milliseconds of `now`; null: no retry is due. */
  waitsUntil: number | null;
}

/** The requests behind the content. They are recorded where they are sent, so that no view can omit one. */
export interface CallLog {
  /** Options for the client to record the requests of a question; clears its earlier list. */
  record: (key: string) => ClientOptions;
  sent: (key: string) => Sent;
  /** Adds the calls of a view until the returned function is called. */
  show: (key: string) => () => void;
  /** Whether the last request that ended, of any question, got no response. */
  isUnreachable: () => boolean;
  /** The calls of all visible parts; each URL once. */
  shown: () => readonly Call[];
  onChange: (listener: () => void) => () => void;
}

const NOTHING: Sent = { calls: [], waitsUntil: null };
const MAX_KEYS = 300;

/** The requests of each question; the oldest are dropped first. */
function createCallNotes(now: () => number, baseUrl: string, change: () => void) {
  const noted = new Map<string, Sent>();
  let isUnreachable = false;
  const sent = (key: string): Sent => noted.get(key) ?? NOTHING;
  const note = (key: string, more: Partial<Sent>) => {
    noted.set(key, { ...sent(key), ...more });
    change();
  };
  const noteCall = (key: string, url: string, status: Call['status']) => {
    if (status !== null) isUnreachable = status === 0;
    note(key, { calls: [...sent(key).calls.filter((call) => call.url !== url), { url, status }] });
  };
  const record = (key: string): ClientOptions => {
    noted.delete(key);
    const oldest = noted.keys().next().value;
    if (noted.size >= MAX_KEYS && oldest !== undefined) noted.delete(oldest);
    return {
      baseUrl,
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
  return { sent, record, isUnreachable: () => isUnreachable };
}

/** `now` in milliseconds from any fixed point; `baseUrl`: the address of the service. */
export function createCallLog(now: () => number, baseUrl: string): CallLog {
  const shown = new Map<string, number>();
  const listeners = new Set<() => void>();
  const change = () => listeners.forEach((listener) => listener());
  const { sent, record, isUnreachable } = createCallNotes(now, baseUrl, change);
  return {
    record,
    sent,
    isUnreachable,
    show: (key) => {
      shown.set(key, (shown.get(key) ?? 0) + 1);
      change();
      return () => {
        const count = (shown.get(key) ?? 1) - 1;
        if (count > 0) shown.set(key, count);
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
