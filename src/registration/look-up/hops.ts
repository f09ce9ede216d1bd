import type { Clock } from '../../process/clock.ts';
import type { Logger } from '../../process/logger.ts';
import { ServerFault, toServerFault } from '../net/server-fault.ts';
import type { FaultReason } from '../net/server-fault.ts';
import type { RegistrationState } from './registration-record.ts';

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

/** What belongs to one look-up alone: its time, and the servers asked so far. */
export interface LookUpContext {
  /** Monotonic milliseconds: the one deadline from which all others are shares. */
  readonly deadline: number;
  readonly hops: readonly Hop[];
  /** A deadline that leaves the rest of the remaining time to others. */
  shareOfTime(share: number): number;
  /**
   * Makes one hop and notes what came of it. Rejects with a ServerFault: the call's own, or `bad_answer` when the very
   * same question has been asked before (a loop) or the hops are used up.
   */
  hop<T>(
    target: HopTarget,
    question: string,
    call: () => Promise<T>,
    outcomeOf: (answer: T) => HopOutcome,
  ): Promise<T>;
  /** Notes a server whose answer was known already. */
  noteKnown(target: HopTarget, outcome: HopOutcome): void;
}

export interface LookUpContextOptions {
  clock: Clock;
  log: Logger;
  /** For the log. */
  name: string;
  timeoutMs: number;
  /** Told of every hop. */
  observeHop: (hop: Hop) => void;
}

export function createLookUpContext(options: LookUpContextOptions): LookUpContext {
  const { clock, log, name } = options;
  const deadline = clock.monotonic() + options.timeoutMs;
  const hops: Hop[] = [];
  const asked = new Set<string>();

  function note(hop: Hop, fault?: ServerFault): void {
    hops.push(hop);
    options.observeHop(hop);
    const text = `${hop.role} ${hop.server}: ${hop.outcome}`;
    if (fault) log.warn({ name, ...hop, reason: fault.message }, text);
    else log.debug({ name, ...hop }, text);
  }

  return {
    deadline,
    hops,
    shareOfTime: (share) => {
      const now = clock.monotonic();
      return now + Math.max(0, deadline - now) * share;
    },
    hop: async ({ server, protocol, role }, question, call, outcomeOf) => {
      const key = `${protocol} ${server} ${question}`;
      if (asked.has(key)) throw new ServerFault('bad_answer', { detail: `${server} was asked already` });
      if (hops.length >= MAX_HOPS) throw new ServerFault('bad_answer', { detail: `over ${MAX_HOPS} hops` });
      asked.add(key);
      const startedAt = clock.monotonic();
      const hop = (outcome: HopOutcome): Hop => {
        const ms = Math.round(clock.monotonic() - startedAt);
        return { server, protocol, role, outcome, ms };
      };
      try {
        const answer = await call();
        note(hop(outcomeOf(answer)));
        return answer;
      } catch (error) {
        const fault = toServerFault(error);
        note(hop(fault.reason), fault);
        throw fault;
      }
    },
    noteKnown: (target, outcome) => {
      note({ ...target, outcome, ms: 0 });
    },
  };
}

/** How often which kind of server said or did what: `registry registered`, `root timeout` ... */
export interface HopCounts {
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
