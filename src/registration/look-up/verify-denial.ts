import { LRUCache } from 'lru-cache';
import type { Clock } from '../../process/clock.ts';
import type { Logger } from '../../process/logger.ts';
import { withSignal } from '../../process/with-signal.ts';
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

/** A query for a control name, shared by concurrent look-ups. */
interface Control {
  outcome: Promise<ControlOutcome>;
  /** When it was answered: Unix milliseconds. */
  answeredAt: number;
  /** Monotonic milliseconds. */
  until: number;
}

const DAY_MS = 86_400_000;
/** An unusable answer says nothing about the zone, and is soon forgotten. */
const RETRY_MS = 60_000;
const MAX_ZONES = 2_000;
/** Names seen registered per zone: one may be the next that is looked up. */
const MAX_SEEN = 2;

export function createDenialVerifier(clock: Clock, log: Logger, query: QueryAlone): VerifyDenial {
  const controls = createControls(clock, log, query);
  const seen = new LRUCache<string, readonly string[]>({ max: MAX_ZONES });

  return async (answer, { name, zone }, deadline, signal) => {
    const { service, reading, server } = answer;
    if (service.source !== 'list') return answer;
    const zoneKey = `${serverKey(service)} ${zone}`;
    const names = seen.get(zoneKey) ?? [];
    if (outcomeOf(answer) === 'registered') {
      controls.noteRegistered(service, name);
      seen.set(zoneKey, [...new Set([name, ...names])].slice(0, MAX_SEEN));
    }
    if (reading.state !== 'not_registered') return answer;
    const outcomes: string[] = [];
    for (const other of new Set([...names, `nic.${zone}`])) {
      if (other === name) continue;
      const control = controls.query(service, other, deadline);
      const outcome = await withinTime(control.outcome, deadline - clock.monotonic(), signal);
      if (outcome === 'registered') return withControl(answer, other, control.answeredAt);
      outcomes.push(`${other}: ${outcome}`);
    }
    const queried = outcomes.length > 0 ? ` (${outcomes.join(', ')})` : '';
    const doubt = `${server} denies ${name}, but has called no other name of .${zone} registered${queried}.`;
    return { ...answer, doubt, reading: { ...reading, state: 'broken' } };
  };
}

/** The control queries of the last day, by server and name. */
function createControls(clock: Clock, log: Logger, query: QueryAlone) {
  const controls = new LRUCache<string, Control>({ max: MAX_ZONES * (MAX_SEEN + 1) });
  const keyOf = (service: RegistryService, name: string) => `${serverKey(service)} ${name}`;

  async function queryOnce(service: RegistryService, name: string, deadline: number) {
    const outcome = await query(service, name, deadline).then(outcomeOf, (error: unknown) => {
      const fault = toServerFault(error);
      if (isLimit(fault)) throw fault;
      return fault.reason;
    });
    log.info({ server: serverKey(service), name, outcome }, 'control query');
    return outcome;
  }

  return {
    noteRegistered: (service: RegistryService, name: string): void => {
      const until = clock.monotonic() + DAY_MS;
      const outcome = Promise.resolve('registered' as const);
      controls.set(keyOf(service, name), { outcome, answeredAt: clock.now(), until });
    },
    /** The remembered or running query, or a new one. */
    query: (service: RegistryService, name: string, deadline: number): Control => {
      const key = keyOf(service, name);
      const latest = controls.get(key);
      if (latest !== undefined && clock.monotonic() < latest.until) return latest;
      const control = { outcome: queryOnce(service, name, deadline), answeredAt: 0, until: Infinity };
      controls.set(key, control);
      const settle = (outcome: ControlOutcome): void => {
        const isAboutZone = outcome === 'registered' || outcome === 'not_registered';
        control.answeredAt = clock.now();
        control.until = clock.monotonic() + (isAboutZone ? DAY_MS : RETRY_MS);
      };
      // After a limit, nothing was queried.
      control.outcome.then(settle, () => controls.delete(key));
      return control;
    },
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
  const timeout = AbortSignal.timeout(Math.max(0, Math.ceil(ms)));
  try {
    return await withSignal(outcome, signal ? AbortSignal.any([signal, timeout]) : timeout);
  } catch (error) {
    signal?.throwIfAborted();
    if (timeout.aborted) return 'timeout';
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
