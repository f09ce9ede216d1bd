import { MokurokuError } from '../../client/index.ts';
import type {
  CatalogueClient,
  ClientOptions,
  RegistrationClient,
  ResponseFacts,
} from '../../client/index.ts';
import type { CallLog } from './calls.ts';

/** Whatever the service that this page belongs to can be asked; it is one of the two. */
export type ApiClient = CatalogueClient & RegistrationClient;

/** How requests are sent, and how long they wait where the service says so. */
export type Sending = Pick<ClientOptions, 'fetch' | 'pause'>;
export type CreateService = (sending: Sending) => ApiClient;

/** An answer of the service as the client gives it. */
export interface Answered {
  response: ResponseFacts;
  meta?: {
    /** Of data that are kept by the service itself: when the oldest of them were fetched. */
    asOf?: string;
  };
}

/** Something a view wants to know. Equal keys are equal questions. */
export interface ApiQuestion<Whole extends Answered> {
  key: string;
  load: (service: ApiClient, signal: AbortSignal, sending: Sending) => Promise<Whole>;
}

/** Asks the service, and remembers good answers for a minute so that going back is immediate. */
export interface Answers {
  cached: <Whole extends Answered>(question: ApiQuestion<Whole>) => Whole | undefined;
  /** Rejects with a MokurokuError, whatever it was that failed. */
  load: <Whole extends Answered>(question: ApiQuestion<Whole>, signal: AbortSignal) => Promise<Whole>;
  /** Asks before anything is drawn; the first `ask` of the same question takes that answer. */
  askAhead: (question: ApiQuestion<Answered>) => void;
  /** Remembers an answer that came in another way. */
  store: <Whole extends Answered>(question: ApiQuestion<Whole>, answer: Whole) => void;
  /** All that is remembered: something in it could not be used. */
  forget: () => void;
  /** Whether enough of the reader's limit is left to ask for what nobody has pressed a key or button for. */
  hasRoom: () => boolean;
}

/** Of something that no client expects: an answer that is put together of others and does not hold what it should. */
const asProblem = (error: unknown): MokurokuError =>
  error instanceof MokurokuError
    ? error
    : new MokurokuError({ code: 'other', message: String(error), url: '', cause: error });

const REMEMBERED = 200;
const REMEMBER_MS = 60_000;
/** Of the requests of a minute, so many are left to what the reader does on purpose. */
const KEPT_BACK = 20;
/** After that long it may be tried whether there are more again. */
const REST_MS = 20_000;

interface AnswersParts {
  createService: CreateService;
  log: CallLog;
  /** Milliseconds, from any point on. */
  now: () => number;
}

/** What is remembered under a key is what its question loaded. */
export function createAnswers({ createService, log, now }: AnswersParts): Answers {
  let ahead: { key: string; answer: Promise<Answered> } | undefined;
  const remembered = new Map<string, { answer: Answered; at: number }>();
  let scarceUntil = 0;
  const noteLimit = (response: ResponseFacts | undefined) => {
    // One that tells of more may be an older one that comes late: two are asked at a time.
    if ((response?.remaining ?? KEPT_BACK) < KEPT_BACK) scarceUntil = now() + REST_MS;
  };
  const remember = (key: string, answer: Answered) => {
    remembered.delete(key);
    remembered.set(key, { answer, at: now() });
    noteLimit(answer.response);
    const oldest = remembered.keys().next().value;
    if (remembered.size > REMEMBERED && oldest !== undefined) remembered.delete(oldest);
  };
  const load = <Whole extends Answered>(
    question: ApiQuestion<Whole>,
    signal: AbortSignal,
  ): Promise<Whole> => {
    const sending = log.record(question.key);
    return question.load(createService(sending), signal, sending);
  };
  return {
    cached: <Whole extends Answered>({ key }: ApiQuestion<Whole>) => {
      const found = remembered.get(key);
      return found && now() - found.at < REMEMBER_MS ? (found.answer as Whole) : undefined;
    },
    load: async <Whole extends Answered>(question: ApiQuestion<Whole>, signal: AbortSignal) => {
      const { key } = question;
      const begun = ahead?.key === key ? (ahead.answer as Promise<Whole>) : undefined;
      ahead = undefined;
      try {
        const answer = await (begun ?? load(question, signal));
        remember(key, answer);
        return answer;
      } catch (error) {
        const problem = asProblem(error);
        noteLimit(problem.response);
        throw problem;
      }
    },
    askAhead: (question) => {
      // Whoever asks for it hears of a failure, at once or later; nobody may.
      const answer = (async () => load(question, new AbortController().signal))();
      answer.catch(() => undefined);
      ahead = { key: question.key, answer };
    },
    store: ({ key }, answer) => remember(key, answer),
    forget: () => remembered.clear(),
    hasRoom: () => now() >= scarceUntil,
  };
}
