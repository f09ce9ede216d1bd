import type { Clock } from '../process/clock.ts';

/** On whose behalf the upstream is asked. */
export interface Asker {
  /** Whom the rate limit counts the request for. */
  client: string;
  /** True when nobody waits for the answer: one that is kept is made new. */
  background: boolean;
  /** Aborted when nobody waits any longer. */
  signal?: AbortSignal;
}

/** What one address may ask of an upstream within a window that begins with its first request. */
export interface BudgetLimits {
  requests: number;
  bytes: number;
  windowSeconds: number;
  /** The part of requests and of bytes that one client may use, 0.2 for a fifth. 1: clients are not told apart. */
  clientShare: number;
}

export interface Usage {
  requests: number;
  bytes: number;
}

/** Whose budget is used up: that of all, or one client's share of it. */
export type Spent = 'all' | 'client';

export interface BudgetDecision {
  /** Undefined where the request is allowed, and counted. */
  spent: Spent | undefined;
  /** Until the window is over. */
  secondsLeft: number;
}

export interface OutgoingBudget {
  /** Counts one request, if the budget still has room for it. */
  spend(asker: Asker | undefined): BudgetDecision | Promise<BudgetDecision>;
  /** Counts bytes received, as they came over the wire. */
  addBytes(count: number, asker: Asker | undefined): void;
  /** Used so far in the present window, as far as this process knows. */
  readonly used: Usage;
  /** The part of the whole that is used: 1 when nothing is left. */
  readonly usedPart: number;
}

/** From here on the budget is low: what nobody waits for is not asked, and the shares of clients shrink. */
export const LOW_FROM = 0.8;

const usedPartOf = ({ requests, bytes }: Usage, limits: BudgetLimits) =>
  Math.max(requests / limits.requests, bytes / limits.bytes);

/**
 * Whether a request may be made. While the budget is low the share of each client shrinks to nothing with what is
 * left, so that those who have used most are refused first and newcomers are served to the end. The shared store
 * has the same rule in its script.
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

/** More clients than this have not spent anything worth counting; the one known longest is forgotten. */
const MAX_CLIENTS = 100_000;

/** The budget of a process that is alone, or cannot reach the others. */
export class LocalBudget implements OutgoingBudget {
  readonly #limits: BudgetLimits;
  readonly #clock: Clock;
  readonly #clients = new Map<string, Usage>();
  #all: Usage = { requests: 0, bytes: 0 };
  #windowEndsAt = 0;

  constructor(limits: BudgetLimits, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
  }

  /** Milliseconds that the present window still lasts; 0 when none is under way. */
  get windowLeftMs(): number {
    const left = this.#windowEndsAt - this.#clock.now();
    // A clock that was put back would make it longer than any is.
    return left > this.#limits.windowSeconds * 1_000 ? 0 : Math.max(0, left);
  }

  get used(): Usage {
    return this.windowLeftMs === 0 ? { requests: 0, bytes: 0 } : { ...this.#all };
  }

  get usedPart(): number {
    return usedPartOf(this.used, this.#limits);
  }

  spend(asker: Asker | undefined): BudgetDecision {
    if (this.windowLeftMs === 0) this.#beginWindow(this.#limits.windowSeconds * 1_000);
    const client = this.usedBy(asker);
    const spent = spentFor(this.#limits, this.#all, client, asker?.background ?? false);
    if (spent === undefined) {
      this.#all.requests++;
      if (client) client.requests++;
    }
    return { spent, secondsLeft: Math.ceil(this.windowLeftMs / 1_000) };
  }

  addBytes(count: number, asker: Asker | undefined): void {
    this.#all.bytes += count;
    const client = this.usedBy(asker);
    if (client) client.bytes += count;
  }

  /** What one client has used; undefined where clients are not told apart. */
  usedBy(asker: Asker | undefined): Usage | undefined {
    if (asker === undefined || this.#limits.clientShare >= 1) return undefined;
    const known = this.#clients.get(asker.client);
    if (known) return known;
    const [longestKnown] = this.#clients.keys();
    if (this.#clients.size >= MAX_CLIENTS && longestKnown !== undefined) this.#clients.delete(longestKnown);
    const used = { requests: 0, bytes: 0 };
    this.#clients.set(asker.client, used);
    return used;
  }

  /** Takes over what is known to have been used by all, and by one client on all replicas. */
  correct(known: { all: Usage; client: Usage; windowLeftMs: number }, asker: Asker | undefined): void {
    // Later than ours by more than a message takes: the others have begun a new one.
    const isNew = known.windowLeftMs > this.windowLeftMs + 1_000;
    if (isNew) this.#beginWindow(known.windowLeftMs);
    this.#all = { ...known.all };
    this.#windowEndsAt = this.#clock.now() + known.windowLeftMs;
    const client = this.usedBy(asker);
    if (client) Object.assign(client, known.client);
  }

  #beginWindow(leftMs: number): void {
    this.#all = { requests: 0, bytes: 0 };
    this.#clients.clear();
    this.#windowEndsAt = this.#clock.now() + leftMs;
  }
}
