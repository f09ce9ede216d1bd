import type { Clock } from '@mokuroku/kit/clock';
import type { Log } from '../net/log.ts';
import { ServerFault, toServerFault } from '../net/server-fault.ts';
import type { FaultReason } from '../net/server-fault.ts';
import { isOffline } from '../record/offline.ts';
import type { RegistrationState } from '../record/registration-record.ts';

export type Protocol = 'whois' | 'rdap';

export const PROTOCOL_CHOICES = ['both', 'rdap', 'whois'] as const;
/** Protocols for queries to a registry. With `rdap` the root, which has only WHOIS, is not queried either. */
export type ProtocolChoice = (typeof PROTOCOL_CHOICES)[number];

/** `HTTP 503`: the status of an RDAP server that says nothing about the name. */
export type HttpStatus = `HTTP ${number}`;

export type HopOutcome =
  RegistrationState | FaultReason | HttpStatus | 'referral' | 'no_referral' | 'unknown_tld';

/** One queried server of a look-up, in order. */
export interface Hop {
  server: string;
  protocol: Protocol;
  role: 'root' | 'registry' | 'registrar';
  /** The state of the answer, or the reason that there was none. */
  outcome: HopOutcome;
  /** Duration in milliseconds; 0 for a cached answer of the root. */
  ms: number;
}

const STATES_OF_A_NAME: ReadonlySet<string> = new Set(['registered', 'not_registered', 'reserved']);

/** Whether an outcome says something about the name: it is neither a failure nor an unreadable or refusing answer. */
export const isAboutName = (outcome: HopOutcome | 'unproved'): boolean => STATES_OF_A_NAME.has(outcome);

export type HopTarget = Pick<Hop, 'server' | 'protocol' | 'role'>;

const MAX_HOPS = 5;

interface LookUpContextOptions {
  clock: Clock;
  log: Log;
  /** The queried name: the registrable one. */
  name: string;
  /** For the whole look-up. */
  timeoutMs: number;
  /** Aborted when no client waits any longer. */
  signal?: AbortSignal | undefined;
  /** The client that the servers are queried for. */
  client?: string | undefined;
  /** Called with every hop. */
  observeHop: (hop: Hop) => void;
}

/** State of one look-up: its time, and the servers queried so far. */
export class LookUpContext {
  readonly #hops: Hop[] = [];
  readonly #options: LookUpContextOptions;
  /** Monotonic milliseconds. Other deadlines are parts of it. */
  readonly #deadline: number;
  readonly #queried = new Set<string>();
  readonly name: string;
  readonly signal: AbortSignal | undefined;
  readonly client: string | undefined;

  constructor(options: LookUpContextOptions) {
    this.#options = options;
    this.name = options.name;
    this.signal = options.signal;
    this.client = options.client;
    this.#deadline = options.clock.monotonic() + options.timeoutMs;
  }

  /** Grows with each query, also in a result. */
  get hops(): readonly Hop[] {
    return this.#hops;
  }

  /** Whether no further server may be queried. */
  get isExhausted(): boolean {
    return this.#hops.length >= MAX_HOPS;
  }

  /** A deadline after this share of the remaining time. */
  shareOfTime(share: number): number {
    const now = this.#options.clock.monotonic();
    return now + Math.max(0, this.#deadline - now) * share;
  }

  /**
   * Makes one hop and records its outcome. Rejects with the call's ServerFault, or with `bad_answer` for a repeated
   * query (a loop) or too many hops.
   */
  async hop<T>(
    target: HopTarget,
    question: string,
    call: () => Promise<T>,
    outcomeOf: (answer: T) => HopOutcome,
  ): Promise<T> {
    const { clock, signal } = this.#options;
    signal?.throwIfAborted();
    const { server, protocol } = target;
    const key = `${protocol} ${server} ${question}`;
    if (this.#queried.has(key))
      throw new ServerFault('bad_answer', { detail: `${server} was queried before` });
    if (this.isExhausted) {
      throw new ServerFault('bad_answer', { detail: `over ${MAX_HOPS} hops` });
    }
    this.#queried.add(key);
    const startedAt = clock.monotonic();
    try {
      const answer = await call();
      this.#note(target, outcomeOf(answer), startedAt);
      return answer;
    } catch (error) {
      if (signal?.aborted) throw error;
      const fault = toServerFault(error);
      this.#note(target, fault.reason, startedAt, fault);
      throw fault;
    }
  }

  /** Records a hop with a cached answer. */
  noteKnown(target: HopTarget, outcome: HopOutcome): void {
    this.#note(target, outcome);
  }

  #note(target: HopTarget, outcome: HopOutcome, startedAt?: number, fault?: ServerFault): void {
    const { name } = this;
    const { clock, log, observeHop } = this.#options;
    const ms = startedAt === undefined ? 0 : Math.round(clock.monotonic() - startedAt);
    const hop: Hop = { ...target, outcome, ms };
    this.#hops.push(hop);
    observeHop(hop);
    const text = `${hop.role} ${hop.server}: ${hop.outcome}`;
    if (fault) log('warn', text, { name, ...hop, reason: fault.message });
    else log('debug', text, { name, ...hop });
  }
}

/** Of a look-up that could reach no server; else undefined. */
export function offlineMessage(hops: readonly Hop[]): string | undefined {
  const root = hops.find(({ role }) => role === 'root');
  return root && isOffline(hops)
    ? `No server could be reached, not even ${root.server}: is this machine online?`
    : undefined;
}

/** Outcomes without a server's answer. */
const NOT_ANSWERED: ReadonlySet<HopOutcome> = new Set([
  'unreachable',
  'timeout',
  'forbidden_address',
  'paused',
  'busy',
]);

/** What the last look-ups say of our own connection; a change is logged. */
export class Reach {
  readonly #log: Log;
  /** While look-ups can reach no server. */
  offline: string | undefined;

  constructor(log: Log) {
    this.#log = log;
  }

  /** Call with the hops of each look-up. */
  note(hops: readonly Hop[]): void {
    // The root's answer may be a cached one.
    const isReached = hops.some(({ outcome, role }) => role !== 'root' && !NOT_ANSWERED.has(outcome));
    if (isReached) {
      if (this.offline !== undefined) this.#log('info', 'registries can be reached again', {});
      this.offline = undefined;
      return;
    }
    const message = offlineMessage(hops);
    if (message === undefined) return;
    if (this.offline === undefined) this.#log('warn', message, {});
    this.offline = message;
  }
}
