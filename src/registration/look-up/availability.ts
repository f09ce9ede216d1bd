import { ServiceError } from '../../errors.ts';
import type { ErrorCode } from '../../errors.ts';
import type { Evidence } from '../record/registration-record.ts';
import type { Ending } from '../record/ending.ts';
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

/** Errors of a look-up that determine the availability. */
export const AVAILABILITY_OF_ERROR: Partial<
  Record<ErrorCode, { available: boolean | null; state: AvailabilityState }>
> = {
  not_registered: { available: true, state: 'not_registered' },
  invalid_domain: { available: false, state: 'invalid' },
  unknown_tld: { available: false, state: 'unknown_tld' },
  no_registry_service: { available: null, state: 'no_registry_service' },
};

/** The availability that a look-up or its error determines. Rejects with all other errors. */
export async function availabilityOf(
  name: string,
  lookUp: Promise<Pick<LookUpResult, 'state' | 'ending' | 'evidence' | 'whoisServer'>>,
): Promise<Availability> {
  try {
    const { state, ending, evidence, whoisServer } = await lookUp;
    const relation = state === 'reserved' ? 'holds back' : 'has a record of';
    const end = state === 'registered' ? { ending } : {};
    return { available: false, state, ...end, reason: `${whoisServer} ${relation} ${name}.`, evidence };
  } catch (error) {
    const said = error instanceof ServiceError ? AVAILABILITY_OF_ERROR[error.code] : undefined;
    if (said === undefined || !(error instanceof ServiceError)) throw error;
    return { ...said, reason: error.message, evidence: errorEvidence(error.details) };
  }
}

/** The details of such an error: an object, or a list of one. */
function errorEvidence(details: unknown): Evidence | null {
  const [only] = Array.isArray(details) ? (details as unknown[]) : [details];
  return (only as { evidence?: Evidence } | undefined)?.evidence ?? null;
}
