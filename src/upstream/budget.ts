import type { Clock } from '../process/clock.ts';

/** The client that a request to the upstream is made for. */
export interface Requester {
  /** The rate limiter's key of the client. */
  client: string;
  /** True if no client waits: a cache entry is refreshed. */
  background: boolean;
  /** Aborted when no client waits any longer. */
  signal?: AbortSignal;
}

/** Limits of one outgoing address within a window that starts with its first request. */
export interface BudgetLimits {
  requests: number;
  bytes: number;
  windowSeconds: number;
  /** Share of requests and bytes for one client, 0.2 for a fifth. 1: clients are not distinguished. */
  clientShare: number;
}

export interface Usage {
  requests: number;
  bytes: number;
}

/** Whose budget is spent: the total, or one client's share. */
export type Spent = 'all' | 'client';

export interface BudgetDecision {
  /** Undefined if the request is allowed and counted. */
  spent: Spent | undefined;
  /** Until the window ends. */
  secondsLeft: number;
}

export interface OutgoingBudget {
  /** Counts one request if the budget allows it. */
  spend(requester: Requester | undefined): BudgetDecision | Promise<BudgetDecision>;
  /** Counts bytes received over the wire. */
  addBytes(count: number, requester: Requester | undefined): void;
  /** Usage of the current window, as far as this process knows. */
  readonly used: Usage;
  /** Used part: 1 if nothing is left. */
  readonly usedPart: number;
}

/** Above this the budget is low: no background requests, and clients' shares shrink. */
export const LOW_FROM = 0.8;

const usedPartOf = ({ requests, bytes }: Usage, limits: BudgetLimits) =>
  Math.max(requests / limits.requests, bytes / limits.bytes);

/**
 * Whose budget is spent, if any. While the budget is low, each client's share shrinks with the rest, so that heavy
 * users are refused first and new clients last. The script of the shared store has the same rule.
 */
export function spentFor(
  limits: BudgetLimits,
  all: Usage,
  client: Usage | undefined,
  background: boolean,
): Spent | undefined {
  const used = usedPartOf(all, limits);
  if (used >= (background ? LOW_FROM : 1)) return 'all';
  if (client === undefined) return undefined;
  const share = limits.clientShare * Math.min(1, (1 - used) / (1 - LOW_FROM));
  return usedPartOf(client, limits) >= share ? 'client' : undefined;
}

/** Beyond this, the oldest client is dropped: with so many, none has used a relevant part. */
const MAX_CLIENTS = 100_000;

/** The budget of a single process, or of one that cannot reach the store. */
export class LocalBudget implements OutgoingBudget {
  readonly #limits: BudgetLimits;
  readonly #clock: Clock;
  readonly #clients = new Map<string, Usage>();
  #all: Usage = { requests: 0, bytes: 0 };
  /** Undefined before the first request of a window. */
  #windowEndsAt: number | undefined;

  constructor(limits: BudgetLimits, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
  }

  /** Milliseconds left in the current window; 0 if there is none. */
  get windowLeftMs(): number {
    const leftMs = (this.#windowEndsAt ?? 0) - this.#clock.now();
    // If the clock was set back, it would be longer than a window.
    return leftMs > this.#limits.windowSeconds * 1_000 ? 0 : Math.max(0, leftMs);
  }

  get used(): Usage {
    return this.windowLeftMs === 0 ? { requests: 0, bytes: 0 } : { ...this.#all };
  }

  get usedPart(): number {
    return usedPartOf(this.used, this.#limits);
  }

  spend(requester: Requester | undefined): BudgetDecision {
    this.#dropEndedWindow();
    this.#windowEndsAt ??= this.#clock.now() + this.#limits.windowSeconds * 1_000;
    const client = this.usedBy(requester);
    const spent = spentFor(this.#limits, this.#all, client, requester?.background ?? false);
    if (spent === undefined) {
      this.#all.requests++;
      if (client) client.requests++;
    }
    return { spent, secondsLeft: Math.ceil(this.windowLeftMs / 1_000) };
  }

  addBytes(count: number, requester: Requester | undefined): void {
    this.#all.bytes += count;
    const client = this.usedBy(requester);
    if (client) client.bytes += count;
  }

  /** Usage of one client; undefined if clients are not distinguished. */
  usedBy(requester: Requester | undefined): Usage | undefined {
    if (requester === undefined || this.#limits.clientShare >= 1) return undefined;
    this.#dropEndedWindow();
    const used = this.#clients.get(requester.client);
    if (used) return used;
    const [oldestClient] = this.#clients.keys();
    if (this.#clients.size >= MAX_CLIENTS && oldestClient !== undefined) this.#clients.delete(oldestClient);
    const unused = { requests: 0, bytes: 0 };
    this.#clients.set(requester.client, unused);
    return unused;
  }

  /** Adopts the usage of all replicas, in total and by one client. */
  correct(
    usage: { all: Usage; client: Usage; windowLeftMs: number },
    requester: Requester | undefined,
  ): void {
    this.#dropEndedWindow();
    // Later than ours by more than a message's delay: other replicas have started a new window.
    const isNew = usage.windowLeftMs > this.windowLeftMs + 1_000;
    if (isNew && this.#windowEndsAt !== undefined) this.#clients.clear();
    this.#all = { ...usage.all };
    this.#windowEndsAt = this.#clock.now() + usage.windowLeftMs;
    const client = this.usedBy(requester);
    if (client) Object.assign(client, usage.client);
  }

  #dropEndedWindow(): void {
    if (this.#windowEndsAt === undefined || this.windowLeftMs > 0) return;
    this.#windowEndsAt = undefined;
    this.#all = { requests: 0, bytes: 0 };
    this.#clients.clear();
  }
}
