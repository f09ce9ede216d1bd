import type { Clock } from '../../process/clock.ts';
import type { Logger } from '../../process/logger.ts';
import { RegistryFault, toRegistryFault } from './registry-fault.ts';
import type { FaultReason } from './registry-fault.ts';
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

export const MAX_HOPS = 5;

/** One look-up under way: its time, the servers asked so far, and the questions that need not be asked again. */
export interface Journey {
  /** Monotonic milliseconds. */
  readonly deadline: number;
  readonly hops: readonly Hop[];
  /** A deadline that leaves the rest of the remaining time to others. */
  shareOfTime(share: number): number;
  /**
   * Sets out for one server. Throws RegistryFault `bad_answer` when the very same question has been asked before (a
   * loop) or the hops are used up.
   */
  setOut(at: Stop, question: string): OpenHop;
  /** Notes a server whose answer was known already. */
  noteKnown(at: Stop, outcome: HopOutcome): void;
}

export type Stop = Pick<Hop, 'server' | 'protocol' | 'role'>;

/** A hop that has begun: one of these ends it. */
export interface OpenHop {
  arrive(outcome: HopOutcome): void;
  /** Notes the failure and gives it back, to be thrown. */
  fail(error: unknown): RegistryFault;
}

export function startJourney(
  clock: Clock,
  log: Logger,
  name: string,
  timeoutMs: number,
  observe: (hop: Hop) => void,
): Journey {
  const deadline = clock.monotonic() + timeoutMs;
  const hops: Hop[] = [];
  const asked = new Set<string>();
  const isTold = log.isLevelEnabled('debug');

  function note(hop: Hop, fault?: RegistryFault): void {
    hops.push(hop);
    observe(hop);
    if (fault) {
      log.warn({ name, ...hop, reason: fault.message }, `${hop.role} ${hop.server}: ${hop.outcome}`);
    } else if (isTold) log.debug({ name, ...hop }, `${hop.role} ${hop.server}: ${hop.outcome}`);
  }

  return {
    deadline,
    hops,
    shareOfTime: (share) => {
      const now = clock.monotonic();
      return now + Math.max(0, deadline - now) * share;
    },
    setOut: (at, question) => {
      const key = `${at.protocol} ${at.server} ${question}`;
      if (asked.has(key)) throw lost(`the way leads back to ${at.server}`);
      if (hops.length >= MAX_HOPS) throw lost(`more than ${MAX_HOPS} hops`);
      asked.add(key);
      const startedAt = clock.monotonic();
      const end = (outcome: HopOutcome, fault?: RegistryFault) => {
        const { server, protocol, role } = at;
        note({ server, protocol, role, outcome, ms: Math.round(clock.monotonic() - startedAt) }, fault);
      };
      return {
        arrive: end,
        fail: (error) => {
          const fault = toRegistryFault(error);
          end(fault.reason, fault);
          return fault;
        },
      };
    },
    noteKnown: (at, outcome) => {
      note({ ...at, outcome, ms: 0 });
    },
  };
}

const lost = (detail: string) => new RegistryFault('bad_answer', { detail });
