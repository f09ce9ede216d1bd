import { MokurokuError } from 'mokuroku-client/source';
import type { ClientOptions, ResponseFacts } from 'mokuroku-client/source';
import { unreachable } from 'mokuroku-client/parts';
import type { Lacks } from '../../words/lacks.ts';
import type { CallLog } from './calls.ts';

/** A response of the service in the client's form. */
export interface Answered {
  response: ResponseFacts;
  meta?: {
    /** For data stored by the service: when the oldest of them were fetched. */
    asOf?: string;
  } & Lacks;
}

/** A request of a view. Equal keys mean equal questions. */
export interface ApiQuestion<Whole extends Answered> {
  key: string;
  /** `service`: the options of a client whose requests are recorded. */
  load: (service: ClientOptions, signal: AbortSignal) => Promise<Whole>;
}

/** Wraps an error that no client expects, such as a composed response with missing parts. */
const asProblem = (error: unknown): MokurokuError =>
  error instanceof MokurokuError
    ? error
    : new MokurokuError({ code: 'other', message: String(error), url: '', cause: error });

const REMEMBERED = 200;
const REMEMBER_MS = 60_000;
/** This number of a minute's requests is reserved for deliberate actions of the reader. */
const RESERVED_REQUESTS = 20;
/** After this time the limit may have recovered. */
const REST_MS = 20_000;

/** Queries the service, and remembers successful responses for a minute, so that going back is immediate. */
export type Answers = ReturnType<typeof createAnswers>;

/** The response under a key is of the type that its question loads. `now` in milliseconds from any fixed point. */
export function createAnswers({ log, now }: { log: CallLog; now: () => number }) {
  let ahead: { key: string; answer: Promise<Answered> } | undefined;
  const remembered = new Map<string, { answer: Answered; at: number }>();
  let scarceUntil = 0;
  const noteLimit = (response: ResponseFacts | undefined) => {
    // A response with more remaining requests may be a late one: two requests run at a time.
    if ((response?.remaining ?? RESERVED_REQUESTS) < RESERVED_REQUESTS) scarceUntil = now() + REST_MS;
  };
  /** Also remembers a response from another source. */
  const store = <Whole extends Answered>({ key }: ApiQuestion<Whole>, answer: Whole): void => {
    remembered.delete(key);
    remembered.set(key, { answer, at: now() });
    noteLimit(answer.response);
    const oldest = remembered.keys().next().value;
    if (remembered.size > REMEMBERED && oldest !== undefined) remembered.delete(oldest);
  };
  const send = <Whole extends Answered>({ key, load }: ApiQuestion<Whole>, signal: AbortSignal) =>
    load(log.record(key), signal);
  return {
    store,
    cached: <Whole extends Answered>({ key }: ApiQuestion<Whole>): Whole | undefined => {
      const entry = remembered.get(key);
      return entry && now() - entry.at < REMEMBER_MS ? (entry.answer as Whole) : undefined;
    },
    /** Rejects with a MokurokuError for any failure. */
    load: async <Whole extends Answered>(
      question: ApiQuestion<Whole>,
      signal: AbortSignal,
    ): Promise<Whole> => {
      const prefetched = ahead?.key === question.key ? (ahead.answer as Promise<Whole>) : undefined;
      ahead = undefined;
      try {
        const answer = await (prefetched ?? send(question, signal));
        store(question, answer);
        return answer;
      } catch (error) {
        const problem = asProblem(error);
        noteLimit(problem.response);
        throw problem;
      }
    },
    /** Sends the request before anything is rendered; the first `load` of the same question gets its response. */
    preload: (question: ApiQuestion<Answered>): void => {
      // A later `load` gets the failure; without one it is ignored.
      const answer = (async () => send(question, new AbortController().signal))();
      answer.catch(() => undefined);
      ahead = { key: question.key, answer };
    },
    /** Discards all remembered responses, because one of them is unusable. */
    forget: (): void => remembered.clear(),
    /** Whether enough of the reader's limit is left for requests without a click or Enter. */
    hasQuotaLeft: (): boolean => now() >= scarceUntil,
  };
}

/** A script of the page that only some views need. If it fails to load, the network is missing, as for a request. */
export async function loadPart<Part>(part: Promise<Part>): Promise<Part> {
  try {
    return await part;
  } catch (cause) {
    throw unreachable(location.href, cause);
  }
}
