import type { Evidence } from '../record/registration-record.ts';
import type { Ending } from '../record/ending.ts';
import type { LookUpErrorCode } from '../record/look-up-errors.ts';
import type { LookUpResult } from './result.ts';

export const AVAILABILITY_STATES = [
  'registered',
  'reserved',
  'not_registered',
  'invalid',
  'unknown_tld',
  'no_registry_service',
] as const;
type AvailabilityState = (typeof AVAILABILITY_STATES)[number];

/** Whether a name is available: yes, no, or null for unknown. */
export interface Availability<State = AvailabilityState> {
  available: boolean | null;
  state: State;
  /** Of a registered name: how its registration ends. */
  ending?: Ending | null;
  /** For people. */
  reason: string;
  /** The line of the registry's answer that decided. */
  evidence: Evidence | null;
}

type AvailabilityOfError = Pick<Availability, 'available' | 'state'>;

/** Errors of a look-up that determine the availability, by their code. */
export const AVAILABILITY_OF_ERROR: Partial<Record<string, AvailabilityOfError>> = {
  not_registered: { available: true, state: 'not_registered' },
  invalid_domain: { available: false, state: 'invalid' },
  unknown_tld: { available: false, state: 'unknown_tld' },
  no_registry_service: { available: null, state: 'no_registry_service' },
} satisfies Partial<Record<LookUpErrorCode, AvailabilityOfError>>;

/** The availability that a look-up determines. */
export function availabilityOf(
  name: string,
  {
    state,
    ending,
    evidence,
    whoisServer,
  }: Pick<LookUpResult, 'state' | 'ending' | 'evidence' | 'whoisServer'>,
): Availability {
  const relation = state === 'reserved' ? 'holds back' : 'has a record of';
  const end = state === 'registered' ? { ending } : {};
  return { available: false, state, ...end, reason: `${whoisServer} ${relation} ${name}.`, evidence };
}

/** The availability that the error of a look-up determines; undefined if it determines none. */
export function availabilityOfError({
  code,
  message,
  details,
}: {
  code: string;
  message: string;
  details: unknown;
}): Availability | undefined {
  const known = AVAILABILITY_OF_ERROR[code];
  return known && { ...known, reason: message, evidence: errorEvidence(details) };
}

/** The details of such an error: an object, or a list of one. */
function errorEvidence(details: unknown): Evidence | null {
  const [only] = Array.isArray(details) ? (details as unknown[]) : [details];
  return (only as { evidence?: Evidence } | undefined)?.evidence ?? null;
}
