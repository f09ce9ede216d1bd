import type { CatalogueClient, RegistrationClient, ResponseFacts } from '../../client/index.ts';

/** Whatever the service that this page belongs to can be asked; it is one of the two. */
export type Service = CatalogueClient & RegistrationClient;

/** An answer of the service as the client gives it. */
export interface Answered {
  response: ResponseFacts;
}

/** Something a view wants to know. Equal keys are equal questions. */
export interface Question<Whole extends Answered> {
  key: string;
  load: (service: Service, signal: AbortSignal) => Promise<Whole>;
}

/** Asks the service, and remembers good answers for a minute so that going back is immediate. */
export interface Answers {
  known: <Whole extends Answered>(question: Question<Whole>) => Whole | undefined;
  /** Rejects as the client does. */
  ask: <Whole extends Answered>(question: Question<Whole>, signal: AbortSignal) => Promise<Whole>;
  /** Asks before anything is drawn; the first `ask` of the same question takes that answer. */
  askAhead: (question: Question<Answered>) => void;
  forget: (key: string) => void;
}

const REMEMBERED = 60;
const REMEMBER_MS = 60_000;

/** `now` in milliseconds, from any point on. What is remembered under a key is what its question loaded. */
export function createAnswers(service: Service, now: () => number): Answers {
  let ahead: { key: string; answer: Promise<Answered> } | undefined;
  const remembered = new Map<string, { answer: Answered; at: number }>();
  const remember = (key: string, answer: Answered) => {
    remembered.delete(key);
    remembered.set(key, { answer, at: now() });
    const oldest = remembered.keys().next().value;
    if (remembered.size > REMEMBERED && oldest !== undefined) remembered.delete(oldest);
  };
  return {
    known: <Whole extends Answered>({ key }: Question<Whole>) => {
      const found = remembered.get(key);
      return found && now() - found.at < REMEMBER_MS ? (found.answer as Whole) : undefined;
    },
    ask: async <Whole extends Answered>({ key, load }: Question<Whole>, signal: AbortSignal) => {
      const begun = ahead?.key === key ? (ahead.answer as Promise<Whole>) : undefined;
      ahead = undefined;
      const answer = await (begun ?? load(service, signal));
      remember(key, answer);
      return answer;
    },
    askAhead: ({ key, load }) => {
      const answer = load(service, new AbortController().signal);
      // Whoever asks for it hears of a failure; nobody may.
      answer.catch(() => undefined);
      ahead = { key, answer };
    },
    forget: (key) => {
      remembered.delete(key);
    },
  };
}
