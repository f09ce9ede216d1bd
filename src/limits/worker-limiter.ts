import type { PrimaryLink } from '../process/workers.ts';
import type { LocalLimiter, Limit, LimitDecision, SlidingWindow } from './rate-limiter.ts';

/** From a worker to the primary: what arrived in one turn of the worker's event loop. */
interface TakeMessage {
  kind: 'mokuroku:take';
  limiter: string;
  batch: number;
  /** Clients that ask to be admitted, in order. */
  clients: string[];
  /** Clients whose youngest admission is taken back. */
  givenBack: string[];
}

/** The primary's answer, in the same order. */
interface TakenMessage {
  kind: 'mokuroku:taken';
  limiter: string;
  batch: number;
  decisions: LimitDecision[];
}

/**
 * The primary's side: one window counts for all workers of a machine. Gives the answer for the worker, or undefined
 * for a message that is not meant for it.
 */
export function answerTake(
  windows: ReadonlyMap<string, SlidingWindow>,
  message: unknown,
): TakenMessage | undefined {
  if ((message as Partial<TakeMessage> | null)?.kind !== 'mokuroku:take') return undefined;
  const { limiter, batch, clients, givenBack } = message as TakeMessage;
  const window = windows.get(limiter);
  for (const client of givenBack) window?.giveBack(client);
  const decisions = window ? clients.map((client) => window.admit(client)) : [];
  return { kind: 'mokuroku:taken', limiter, batch, decisions };
}

interface WorkerLimiterOptions extends Limit {
  /** Which of the primary's windows counts. */
  name: string;
  primary: PrimaryLink;
}

interface WorkerLimiter extends LocalLimiter {
  admit(client: string): Promise<LimitDecision>;
}

type Decide = (decision: LimitDecision) => void;

/**
 * The worker's side: the limit holds for all workers together because the primary process counts. Everything that
 * arrives in one turn of the event loop travels as one message.
 */
export function createWorkerLimiter(options: WorkerLimiterOptions): WorkerLimiter {
  const { name: limiter, limit, windowSeconds, primary } = options;
  const waiting = new Map<number, Decide[]>();
  let batch = 0;
  let clients: string[] = [];
  let givenBack: string[] = [];
  let deciders: Decide[] = [];

  primary.listen((message) => {
    const { kind, limiter: meant, batch: of, decisions = [] } = message as Partial<TakenMessage>;
    if (kind !== 'mokuroku:taken' || meant !== limiter || of === undefined) return;
    const answered = waiting.get(of) ?? [];
    waiting.delete(of);
    const unknown = { allowed: true, remaining: 0, resetSeconds: windowSeconds };
    for (const [i, decide] of answered.entries()) decide(decisions[i] ?? unknown);
  });

  function sendSoon(): void {
    if (clients.length + givenBack.length > 1) return;
    setImmediate(() => {
      if (deciders.length > 0) waiting.set(batch, deciders);
      primary.send({ kind: 'mokuroku:take', limiter, batch, clients, givenBack } satisfies TakeMessage);
      batch++;
      [clients, givenBack, deciders] = [[], [], []];
    });
  }

  return {
    limit,
    windowSeconds,
    admit: (client) =>
      new Promise((decide) => {
        clients.push(client);
        deciders.push(decide);
        sendSoon();
      }),
    giveBack: (client) => {
      givenBack.push(client);
      sendSoon();
    },
  };
}
