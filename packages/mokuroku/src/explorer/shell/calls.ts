import type { ClientOptions } from 'mokuroku-client/source';
import { DeadlineError, systemSleep } from '@mokuroku/kit/deadline';
import { createShown } from './listeners.ts';

/** One request of a view. */
export interface Call {
  url: string;
  /** Status of the response; null before it, 0 after a failure without one. */
  status: number | null;
  /** Number of rows of the whole list (`X-Total-Count`). */
  total?: number | undefined;
}

/** The requests of a question so far. */
export interface Sent {
  calls: readonly Call[];
  /** When the client retries a rejected request, in milliseconds of `now`; null: no retry is due. */
  waitsUntil: number | null;
  /** Whether it waits for the end of a limit. */
  isLimited: boolean;
}

/** Each URL once, with its latest state, in the order in which they were sent. */
const onceEach = (calls: readonly Call[]): readonly Call[] => [
  ...new Map(calls.map((call) => [call.url, call])).values(),
];

const NOTHING: Sent = { calls: [], waitsUntil: null, isLimited: false };
const MAX_KEYS = 300;

/** `fetch` that reports each request, and its response or its failure. An aborted request is not reported as failed. */
const recordingFetch =
  (noteCall: (call: Call) => void): typeof fetch =>
  async (input, init) => {
    const url = input instanceof Request ? input.url : String(input);
    noteCall({ url, status: null });
    try {
      const response = await fetch(input, init);
      const { 'x-total-count': total } = Object.fromEntries(response.headers);
      noteCall({ url, status: response.status, ...(total && { total: Number(total) }) });
      return response;
    } catch (error) {
      if (init?.signal?.aborted !== true || init.signal.reason instanceof DeadlineError)
        noteCall({ url, status: 0 });
      throw error;
    }
  };

/** The requests behind the content. They are recorded where they are sent, so that no view can omit one. */
export type CallLog = ReturnType<typeof createCallLog>;

/** `now` in milliseconds from any fixed point; `baseUrl`: the address of the service. */
export function createCallLog(now: () => number, baseUrl: string) {
  const { list, add, notify, onChange } = createShown<string>();
  /** By question; the oldest are dropped first. */
  const noted = new Map<string, Sent>();
  let isUnreachable = false;
  const sent = (key: string): Sent => noted.get(key) ?? NOTHING;
  const note = (key: string, more: Partial<Sent>) => {
    noted.set(key, { ...sent(key), ...more });
    notify();
  };
  return {
    onChange,
    sent,
    /** Whether the last request that ended, of any question, got no response. */
    isUnreachable: () => isUnreachable,
    /** Adds the calls of a view until the returned function is called. */
    show: add,
    /** The calls of all visible parts; each URL once. */
    shown: () => onceEach(list().flatMap((key) => sent(key).calls)),
    /** Options for the client to record the requests of a question; clears its earlier list. */
    record: (key: string): ClientOptions => {
      noted.delete(key);
      const oldest = noted.keys().next().value;
      if (noted.size >= MAX_KEYS && oldest !== undefined) noted.delete(oldest);
      return {
        baseUrl,
        fetch: recordingFetch((call) => {
          if (call.status !== null) isUnreachable = call.status === 0;
          note(key, { calls: onceEach([...sent(key).calls, call]) });
        }),
        pause: async (ms, signal, failure) => {
          note(key, { waitsUntil: now() + ms, isLimited: failure?.status === 429 });
          await systemSleep(ms, signal).finally(() => note(key, { waitsUntil: null }));
        },
      };
    },
  };
}
