import { Debts, NETWORK_SHARE, networkOf } from '@mokuroku/kit/limits';
import type { Clock } from '@mokuroku/kit/process';

interface Charge {
  readonly name: string;
  /** The debt that this replica knows. */
  readonly knownMs: number;
  readonly addedMs: number;
  /** A greater debt in the store is not one of ours. */
  readonly mostMs: number;
}

/**
 * Adds to the debts of all replicas. Resolves with the debts in milliseconds, in the order of the charges; rejects if
 * the store does not reply.
 */
export type AddShared = (charges: readonly Charge[]) => Promise<number[]>;

/** The client that a request to the upstream is made for. */
export interface Requester {
  /** The rate limiter's key of the client. */
  client: string;
  /** True if no client waits: a cache entry is refreshed. */
  background: boolean;
  /** Aborted when no client waits any longer. */
  signal?: AbortSignal;
}

export interface Usage {
  requests: number;
  bytes: number;
}

/** Limits of one outgoing address in any 24 hours. */
export interface BudgetLimits extends Readonly<Usage> {
  /** Share of requests and bytes for one client, 0.2 for a fifth. 1: neither clients nor networks are distinguished. */
  readonly clientShare: number;
}

/** Hours of its refill that a bucket holds. */
export const UPSTREAM_HOURS = { all: 12, network: 2, client: 2 } as const;

/** Whose part is spent. */
export type Spent = keyof typeof UPSTREAM_HOURS;

interface BudgetDecision {
  /** Undefined if the request is allowed and counted. */
  spent: Spent | undefined;
  /** Until it would be allowed, if nobody else spent anything; 0 if it is. */
  secondsLeft: number;
}

/** What requests need of it. */
export type OutgoingBudget = Pick<Budget, 'spend' | 'addBytes' | 'used' | 'usedPart'>;

/** Above this the budget is low: no background requests, and networks and clients may use less at once. */
export const LOW_FROM = 0.8;

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** How much less that is when nothing is left: those that have used most are refused first. */
const LOW_MS = HOUR_MS / 2;
/** Responses in progress may exceed a part by this; more is forgiven, so that no client waits for longer than an hour. */
const OVERDRAFT_MS = HOUR_MS / 2;
/** Far above the error of sums of milliseconds, and far below a request. */
const ROUNDING_MS = 1;
/** Two for each of three rows, of 50,000 clients in as many networks. */
const MAX_BUCKETS = 300_000;

const ALLOWED: BudgetDecision = { spent: undefined, secondsLeft: 0 };
const RESOURCES = ['requests', 'bytes'] as const;

/** A bucket: what may be used at once, as the time in which that is refilled, and the time of one request or byte. */
interface Row {
  readonly owner: Spent;
  readonly name: string;
  readonly resource: keyof Usage;
  readonly roomMs: number;
  readonly unitMs: number;
}

/** How long until one more unit may be used, with `ownMs` of the debt not counted. */
const waitMs = ({ roomMs, unitMs }: Row, debtMs: number) => {
  const wait = debtMs - Math.max(roomMs - unitMs, 0);
  return wait > ROUNDING_MS ? wait : 0;
};

/**
 * The quota of an upstream as buckets that refill: of all, of each network and of each client. A bucket holds the quota
 * of a few hours and refills so slowly that the limits hold in any 24 hours. With `addShared`, all replicas use the same
 * buckets; while their store is unreachable, each continues from what it knows.
 */
export class Budget {
  readonly #limits: BudgetLimits;
  readonly #debts: Debts;
  readonly #addShared: AddShared | undefined;
  readonly #all: readonly Row[];

  constructor(limits: BudgetLimits, clock: Clock, addShared?: AddShared) {
    this.#limits = limits;
    this.#debts = new Debts(clock, MAX_BUCKETS);
    this.#addShared = addShared;
    this.#all = this.#rows('all', '', 1);
  }

  /** Used and not refilled yet, as far as this process knows. */
  get used(): Usage {
    return this.usedBy(undefined);
  }

  /** 1 if nothing is left. */
  get usedPart(): number {
    return Math.max(...this.#all.map((row) => this.#usedPart(row)));
  }

  /** Counts one request if the budget allows it. */
  spend(requester: Requester | undefined): BudgetDecision | Promise<BudgetDecision> {
    const rows = this.#rowsOf(requester);
    const shortage = this.#findShortage(rows, requester);
    if (shortage) return shortage;
    const reported = this.#add('requests', 1, rows);
    return reported ? this.#confirm(reported, rows, requester) : ALLOWED;
  }

  /** Counts bytes received over the wire. */
  addBytes(count: number, requester: Requester | undefined): void {
    void this.#add('bytes', count, this.#rowsOf(requester));
  }

  /** Counts what was used so long ago. */
  addUsage(usage: Usage, requester: Requester, agoMs = 0): void {
    for (const resource of RESOURCES)
      void this.#add(resource, usage[resource], this.#rowsOf(requester), agoMs);
  }

  /** What the requester may use at once. */
  remainingOf(requester: Requester): Usage {
    return this.#countOf(requester, ({ roomMs, unitMs }) => Math.max(roomMs, unitMs));
  }

  /** Used and not refilled yet: by the requester, or by all. */
  usedBy(requester: Requester | undefined): Usage {
    return this.#countOf(requester, ({ name }) => this.#debts.of(name));
  }

  #countOf(requester: Requester | undefined, msOf: (row: Row) => number): Usage {
    const own = this.#rowsOf(requester).slice(-RESOURCES.length);
    const [requests = 0, bytes = 0] = own.map((row) => Math.round(msOf(row) / row.unitMs));
    return { requests, bytes };
  }

  #rowsOf(requester: Requester | undefined): readonly Row[] {
    const { clientShare } = this.#limits;
    if (requester === undefined || clientShare >= 1) return this.#all;
    const { client } = requester;
    return [
      ...this.#all,
      ...this.#rows('network', networkOf(client), Math.max(NETWORK_SHARE, clientShare)),
      ...this.#rows('client', client, clientShare),
    ];
  }

  #rows(owner: Spent, name: string, share: number): Row[] {
    const roomMs = UPSTREAM_HOURS[owner] * HOUR_MS;
    return RESOURCES.map((resource) => {
      // A full bucket and what is refilled in a day are the limit of a day.
      const unitMs = (DAY_MS + roomMs) / (this.#limits[resource] * share);
      return { owner, name: `${owner} ${name} ${resource}`, resource, roomMs, unitMs };
    });
  }

  #usedPart(row: Row): number {
    const debtMs = this.#debts.of(row.name);
    return waitMs(row, debtMs) > 0 ? 1 : Math.min(1, debtMs / row.roomMs);
  }

  /** The row with the longest wait, if any; without the requests in `counted`. */
  #findShortage(
    rows: readonly Row[],
    requester: Requester | undefined,
    counted = 0,
  ): BudgetDecision | undefined {
    const lowPart = Math.max(0, (this.usedPart - LOW_FROM) / (1 - LOW_FROM));
    const reserved = (row: Row) => {
      if (row.owner !== 'all') return lowPart * LOW_MS;
      return requester?.background ? (1 - LOW_FROM) * row.roomMs : 0;
    };
    let longest: { row: Row; wait: number } | undefined;
    for (const row of rows) {
      const debtMs = this.#debts.of(row.name) - (row.resource === 'requests' ? counted * row.unitMs : 0);
      const wait = waitMs({ ...row, roomMs: row.roomMs - reserved(row) }, debtMs);
      if (wait > (longest?.wait ?? 0)) longest = { row, wait };
    }
    return longest && { spent: longest.row.owner, secondsLeft: Math.ceil(longest.wait / 1_000) };
  }

  /** Counts here, and in the store if there is one; then resolves with whether it replied. */
  #add(resource: keyof Usage, count: number, rows: readonly Row[], agoMs = 0): Promise<boolean> | undefined {
    // Also rows to which nothing is added: their debts are in the reply.
    const charges = rows.map(({ owner, name, roomMs, unitMs, ...row }) => {
      const knownMs = this.#debts.of(name);
      const mostMs = 2 * Math.max(roomMs, unitMs);
      if (row.resource !== resource) return { name, knownMs, addedMs: 0, mostMs };
      const spaceMs = owner === 'all' ? Infinity : Math.max(0, roomMs + OVERDRAFT_MS - knownMs);
      return { name, knownMs, addedMs: Math.min(count * unitMs - agoMs, spaceMs), mostMs };
    });
    for (const { name, addedMs } of charges) this.#debts.add(name, addedMs);
    const adopt = (debts: readonly number[]) => {
      for (const [index, { name }] of charges.entries()) {
        const debtMs = debts[index];
        if (debtMs !== undefined) this.#debts.set(name, debtMs);
      }
      return true;
    };
    return this.#addShared?.(charges).then(adopt, () => false);
  }

  /** The decision by what the store knows. Only a request of several replicas at once is ever taken back. */
  async #confirm(
    reported: Promise<boolean>,
    rows: readonly Row[],
    requester: Requester | undefined,
  ): Promise<BudgetDecision> {
    const shortage = (await reported) ? this.#findShortage(rows, requester, 1) : undefined;
    if (!shortage) return ALLOWED;
    await this.#add('requests', -1, rows);
    return shortage;
  }
}
