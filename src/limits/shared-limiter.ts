import type { LimitDecision, RateLimiter } from './rate-limiter.ts';

/** From a worker to the primary: clients that ask to be counted, in order. */
export interface TakeMessage {
  kind: 'mokuroku:take';
  limiter: string;
  batch: number;
  clients: string[];
  /** Whose youngest admission is taken back. */
  givenBack: string[];
}

/** The primary's answer, in the same order. */
export interface TakenMessage {
  kind: 'mokuroku:taken';
  limiter: string;
  batch: number;
  decisions: LimitDecision[];
}

export function isTakeMessage(message: unknown): message is TakeMessage {
  return (message as Partial<TakeMessage> | null)?.kind === 'mokuroku:take';
}

export function isTakenMessage(message: unknown): message is TakenMessage {
  return (message as Partial<TakenMessage> | null)?.kind === 'mokuroku:taken';
}

/** The primary's side: one limiter counts for all workers of a machine. */
export function answerTake(
  limiters: ReadonlyMap<string, Pick<RateLimiter, 'giveBack'> & { take(client: string): LimitDecision }>,
  message: TakeMessage,
): TakenMessage {
  const limiter = limiters.get(message.limiter);
  for (const client of message.givenBack) limiter?.giveBack(client);
  const decisions = limiter ? message.clients.map((client) => limiter.take(client)) : [];
  return { kind: 'mokuroku:taken', limiter: message.limiter, batch: message.batch, decisions };
}

interface Waiting {
  client: string;
  decided: (decision: LimitDecision) => void;
}

export interface SharedLimiterOptions {
  /** Which of the primary's limiters counts. */
  name: string;
  limit: number;
  windowSeconds: number;
  send: (message: TakeMessage) => void;
}

/**
 * The worker's side: the limit holds for all workers together because the primary process counts. Everything that
 * arrives in one turn of the event loop travels as one message.
 */
export class SharedLimiter implements RateLimiter {
  readonly limit: number;
  readonly windowSeconds: number;
  readonly #name: string;
  readonly #send: (message: TakeMessage) => void;
  #collecting: Waiting[] = [];
  #givenBack: string[] = [];
  #flushing = false;
  #nextBatch = 0;
  readonly #sent = new Map<number, Waiting[]>();

  constructor(options: SharedLimiterOptions) {
    this.limit = options.limit;
    this.windowSeconds = options.windowSeconds;
    this.#name = options.name;
    this.#send = options.send;
  }

  take(client: string): Promise<LimitDecision> {
    return new Promise((decided) => {
      this.#collecting.push({ client, decided });
      this.#flushSoon();
    });
  }

  giveBack(client: string): void {
    this.#givenBack.push(client);
    this.#flushSoon();
  }

  /** Hands the primary's decisions to those that wait for them. */
  receive(message: TakenMessage): void {
    if (message.limiter !== this.#name) return;
    const waiting = this.#sent.get(message.batch) ?? [];
    this.#sent.delete(message.batch);
    for (const [i, { decided }] of waiting.entries()) {
      decided(message.decisions[i] ?? { allowed: true, remaining: 0, resetSeconds: this.windowSeconds });
    }
  }

  #flushSoon(): void {
    if (this.#flushing) return;
    this.#flushing = true;
    setImmediate(() => {
      this.#flush();
    });
  }

  #flush(): void {
    const waiting = this.#collecting;
    const givenBack = this.#givenBack;
    this.#collecting = [];
    this.#givenBack = [];
    this.#flushing = false;
    const batch = this.#nextBatch++;
    this.#sent.set(batch, waiting);
    const clients = waiting.map(({ client }) => client);
    this.#send({ kind: 'mokuroku:take', limiter: this.#name, batch, clients, givenBack });
  }
}
