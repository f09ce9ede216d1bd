import type { PrimaryLink } from '../process/workers.ts';
import type { LocalLimiter, Limit, LimitDecision, SlidingWindow } from './rate-limiter.ts';

/** From a worker to the primary: the requests of one turn of the worker's event loop. */
interface AdmitMessage {
  kind: 'mokuroku:admit';
  limiter: string;
  batch: number;
  /** Clients of new requests, in order. */
  clients: string[];
  /** Clients whose youngest admission is withdrawn. */
  cancelled: string[];
}

/** The primary's decisions, in the same order. */
interface DecisionsMessage {
  kind: 'mokuroku:decisions';
  limiter: string;
  batch: number;
  decisions: LimitDecision[];
}

/**
 * The primary's side: one window counts for all workers of a machine. Returns the reply for the worker, or undefined
 * for other messages.
 */
export function decideForWorker(
  windows: ReadonlyMap<string, SlidingWindow>,
  message: unknown,
): DecisionsMessage | undefined {
  if ((message as Partial<AdmitMessage> | null)?.kind !== 'mokuroku:admit') return undefined;
  const { limiter, batch, clients, cancelled } = message as AdmitMessage;
  const window = windows.get(limiter);
  for (const client of cancelled) window?.cancelAdmission(client);
  const decisions = window ? clients.map((client) => window.admit(client)) : [];
  return { kind: 'mokuroku:decisions', limiter, batch, decisions };
}

interface WorkerLimiterOptions extends Limit {
  /** Name of the primary's window. */
  name: string;
  primary: PrimaryLink;
}

interface WorkerLimiter extends LocalLimiter {
  admit(client: string): Promise<LimitDecision>;
}

type Decide = (decision: LimitDecision) => void;

/**
 * The worker's side: the primary process counts for all workers. The requests of one turn of the event loop are sent
 * as one message.
 */
export function createWorkerLimiter(options: WorkerLimiterOptions): WorkerLimiter {
  const { name: limiter, limit, windowSeconds, primary } = options;
  const waiting = new Map<number, Decide[]>();
  let batch = 0;
  let clients: string[] = [];
  let cancelled: string[] = [];
  let deciders: Decide[] = [];

  primary.subscribe((message) => {
    const { kind, limiter: meant, batch: of, decisions = [] } = message as Partial<DecisionsMessage>;
    if (kind !== 'mokuroku:decisions' || meant !== limiter || of === undefined) return;
    const answered = waiting.get(of) ?? [];
    waiting.delete(of);
    const unknown = { isAllowed: true, remaining: 0, resetSeconds: windowSeconds };
    for (const [i, decide] of answered.entries()) decide(decisions[i] ?? unknown);
  });

  function sendSoon(): void {
    if (clients.length + cancelled.length > 1) return;
    setImmediate(() => {
      if (deciders.length > 0) waiting.set(batch, deciders);
      primary.send({ kind: 'mokuroku:admit', limiter, batch, clients, cancelled } satisfies AdmitMessage);
      batch++;
      [clients, cancelled, deciders] = [[], [], []];
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
    cancelAdmission: (client) => {
      cancelled.push(client);
      sendSoon();
    },
  };
}
