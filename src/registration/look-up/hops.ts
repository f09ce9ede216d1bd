import type { Clock } from '../../process/clock.ts';
import type { Logger } from '../../process/logger.ts';
import { ServerFault, toServerFault } from '../net/server-fault.ts';
import type { FaultReason } from '../net/server-fault.ts';
import type { RegistrationState } from '../record/registration-record.ts';

export type Protocol = 'whois' | 'rdap';

export type HopOutcome = RegistrationState | FaultReason | 'referral' | 'no_referral' | 'unknown_tld';

/** One server asked on the way to an answer, in the order asked. */
export interface Hop {
  server: string;
  protocol: Protocol;
  role: 'root' | 'registry' | 'registrar';
  /** What came of it: what the answer said, or why there was none. */
  outcome: HopOutcome;
  /** Milliseconds it took; 0 for a root's answer that was still known. */
  ms: number;
}

export type HopTarget = Pick<Hop, 'server' | 'protocol' | 'role'>;

const MAX_HOPS = 5;

interface LookUpContextOptions {
  clock: Clock;
  log: Logger;
  /** For the log. */
  name: string;
  /** For the whole look-up. */
  timeoutMs: number;
  /** Aborted when nobody waits for the look-up any longer. */
  signal?: AbortSignal | undefined;
  /** On whose behalf the servers are asked. */
  client?: string | undefined;
  /** Called with every hop. */
  observeHop: (hop: Hop) => void;
}

/** What belongs to one look-up alone: its time, and the servers asked so far. */
export class LookUpContext {
  readonly #hops: Hop[] = [];
  readonly #options: LookUpContextOptions;
  /** Monotonic milliseconds: the one deadline from which all others are shares. */
  readonly #deadline: number;
  readonly #queried = new Set<string>();

  constructor(options: LookUpContextOptions) {
    this.#options = options;
    this.#deadline = options.clock.monotonic() + options.timeoutMs;
  }

  get signal(): AbortSignal | undefined {
    return this.#options.signal;
  }

  get client(): string | undefined {
    return this.#options.client;
  }

  get hops(): readonly Hop[] {
    return this.#hops;
  }

  /** A deadline that leaves the rest of the remaining time to others. */
  shareOfTime(share: number): number {
    const now = this.#options.clock.monotonic();
    return now + Math.max(0, this.#deadline - now) * share;
  }

  /**
   * Makes one hop and notes what came of it. Rejects with a ServerFault: the call's own, or `bad_answer` when the very
   * same question has been asked before (a loop) or the hops are used up.
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
    if (this.#hops.length >= MAX_HOPS) {
      throw new ServerFault('bad_answer', { detail: `over ${MAX_HOPS} hops` });
    }
    this.#queried.add(key);
    const startedAt = clock.monotonic();
    const took = () => Math.round(clock.monotonic() - startedAt);
    try {
      const answer = await call();
      this.#note({ ...target, outcome: outcomeOf(answer), ms: took() });
      return answer;
    } catch (error) {
      if (signal?.aborted) throw error;
      const fault = toServerFault(error);
      this.#note({ ...target, outcome: fault.reason, ms: took() }, fault);
      throw fault;
    }
  }

  /** Notes a server whose answer was known already. */
  noteKnown(target: HopTarget, outcome: HopOutcome): void {
    this.#note({ ...target, outcome, ms: 0 });
  }

  #note(hop: Hop, fault?: ServerFault): void {
    const { log, name, observeHop } = this.#options;
    this.#hops.push(hop);
    observeHop(hop);
    const text = `${hop.role} ${hop.server}: ${hop.outcome}`;
    if (fault) log.warn({ name, ...hop, reason: fault.message }, text);
    else log.debug({ name, ...hop }, text);
  }
}

/** How often which kind of server said or did what: `registry registered`, `root timeout` ... */
interface HopCounts {
  observe: (hop: Hop) => void;
  read: () => Iterable<[string, number]>;
}

export function createHopCounts(): HopCounts {
  const counts = new Map<string, number>();
  return {
    observe: ({ role, outcome }) => {
      const kind = `${role} ${outcome}`;
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
    },
    read: () => counts,
  };
}
