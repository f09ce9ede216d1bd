import { DeadlineError, withDeadline } from '@mokuroku/kit/deadline';
import type { Clock } from '../net/clock.ts';
import type { Log } from '../net/log.ts';
import { Memory } from '../net/memory.ts';
import { isLimit, toServerFault } from '../net/server-fault.ts';
import type { FaultReason } from '../net/server-fault.ts';
import type { RegistrationState } from '../record/registration-record.ts';
import type { DomainName } from './domain-name.ts';
import type { QueryAlone, ServerAnswer } from './query-server.ts';
import { serverKey } from './services.ts';
import type { RegistryService } from './services.ts';

/**
 * Whether a denial counts. A server that IANA or the operator names for a zone knows it. Any other one may deny names of
 * zones that it does not serve, so it must have called another name of the zone registered within a day: a name that was
 * looked up, or that of the control query, `nic.<zone>`.
 *
 * Returns the answer; a denial of such a server with the control in its evidence, or as `broken` if nothing proves it by
 * `deadline` (monotonic ms). Rejects with a ServerFault if our limits or a pause of the server allow no control query.
 */
export type VerifyDenial = (
  answer: ServerAnswer,
  name: DomainName,
  deadline: number,
  signal: AbortSignal | undefined,
) => Promise<ServerAnswer>;

/** Only `registered` proves that the server knows the zone. */
type ControlOutcome = RegistrationState | FaultReason;

const DAY_MS = 86_400_000;
/** An unusable answer proves nothing about the zone: the next look-up after this time queries again. */
const RETRY_MS = 60_000;
const MAX_ZONES = 2_000;
/** Names seen registered per zone: one may be the next that is looked up. */
const MAX_SEEN = 2;

export function createDenialVerifier(clock: Clock, log: Log, query: QueryAlone): VerifyDenial {
  const controls = createControls(clock, log, query);
  const seen = new Memory<readonly string[]>({ clock, max: MAX_ZONES });

  return async (answer, { name, zone }, deadline, signal) => {
    const { service, reading, server } = answer;
    if (service.source !== 'list') return answer;
    const zoneKey = `${serverKey(service)} ${zone}`;
    const names = seen.get(zoneKey)?.value ?? [];
    if (outcomeOf(answer) === 'registered') {
      controls.noteRegistered(service, name);
      seen.set(zoneKey, [...new Set([name, ...names])].slice(0, MAX_SEEN));
    }
    if (reading.state !== 'not_registered') return answer;
    const outcomes: string[] = [];
    for (const other of new Set([...names, `nic.${zone}`])) {
      if (other === name) continue;
      const control = controls.query(service, other, deadline);
      const outcome = await withinTime(control, deadline - clock.monotonic(), signal);
      if (outcome === 'registered') return withControl(answer, other, controls.answeredAt(service, other));
      outcomes.push(`${other}: ${outcome}`);
    }
    const queried = outcomes.length > 0 ? ` (${outcomes.join(', ')})` : '';
    const doubt = `${server} denies ${name}, but has called no other name of .${zone} registered${queried}.`;
    return { ...answer, doubt, reading: { ...reading, state: 'broken' } };
  };
}

/** The control queries of the last day, by server and name. Concurrent look-ups share them. */
function createControls(clock: Clock, log: Log, query: QueryAlone) {
  const outcomes = new Memory<ControlOutcome>({
    clock,
    max: MAX_ZONES * (MAX_SEEN + 1),
    lifetimeMs: (outcome) => (outcome === 'registered' || outcome === 'not_registered' ? DAY_MS : RETRY_MS),
  });
  const keyOf = (service: RegistryService, name: string) => `${serverKey(service)} ${name}`;

  /** Rejects, so that nothing is remembered, if nothing was queried. */
  async function queryOnce(service: RegistryService, name: string, deadline: number) {
    const outcome = await query(service, name, deadline).then(outcomeOf, (error: unknown) => {
      const fault = toServerFault(error);
      if (isLimit(fault)) throw fault;
      return fault.reason;
    });
    log('info', 'control query', { server: serverKey(service), name, outcome });
    return outcome;
  }

  return {
    noteRegistered: (service: RegistryService, name: string): void =>
      outcomes.set(keyOf(service, name), 'registered'),
    /** The remembered outcome, or that of the running query or of a new one. */
    query: async (service: RegistryService, name: string, deadline: number): Promise<ControlOutcome> => {
      const key = keyOf(service, name);
      return outcomes.getFresh(key) ?? outcomes.load(key, () => queryOnce(service, name, deadline));
    },
    /** Unix milliseconds. */
    answeredAt: (service: RegistryService, name: string): number =>
      outcomes.get(keyOf(service, name))?.storedAt ?? clock.now(),
  };
}

/** The state that the server itself states: a record of another host, after a redirect, says nothing about this one. */
function outcomeOf({ reading: { state }, isOwn }: ServerAnswer): ControlOutcome {
  return isOwn ? state : 'bad_answer';
}

/** The outcome, or `timeout` after `ms`: a control query may have the later deadline of another look-up. */
async function withinTime(
  outcome: Promise<ControlOutcome>,
  ms: number,
  signal: AbortSignal | undefined,
): Promise<ControlOutcome> {
  try {
    return await withDeadline(ms, signal, () => outcome);
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof DeadlineError) return 'timeout';
    throw error;
  }
}

function withControl(answer: ServerAnswer, name: string, answeredAt: number): ServerAnswer {
  const { evidence, ...reading } = answer.reading;
  const at = new Date(answeredAt).toISOString().replace(/\.\d+/, '');
  return {
    ...answer,
    reading: { ...reading, evidence: evidence ? { ...evidence, control: { name, at } } : null },
  };
}
