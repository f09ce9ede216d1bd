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
 */
export interface ControlQueries {
  /**
   * Returns the answer; a denial of such a server with the control in its evidence, or as `broken` if nothing proves it
   * by `deadline` (monotonic ms). Rejects with a ServerFault if our limits or a pause of the server allow no control query.
   */
  verify: (
    answer: ServerAnswer,
    name: DomainName,
    deadline: number,
    signal: AbortSignal | undefined,
  ) => Promise<ServerAnswer>;
}

interface ControlQueriesOptions {
  clock: Clock;
  log: Logger;
  query: QueryAlone;
}

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

/** Names seen registered, and the control queries of the last day. */
function createControlMemory({ clock, log, query }: ControlQueriesOptions) {
  const controls = new LRUCache<string, Control>({ max: MAX_ZONES * (MAX_SEEN + 1) });
  const seen = new LRUCache<string, readonly string[]>({ max: MAX_ZONES });

  function noteRegistered(zoneKey: string, name: string): void {
    const others = (seen.get(zoneKey) ?? []).filter((each) => each !== name);
    seen.set(zoneKey, [name, ...others].slice(0, MAX_SEEN));
    const until = clock.monotonic() + DAY_MS;
    controls.set(controlKey(zoneKey, name), {
      outcome: Promise.resolve('registered'),
      answeredAt: clock.now(),
      until,
    });
  }

  async function queryControl(service: RegistryService, name: string, deadline: number) {
    const outcome = await query(service, name, deadline).then(outcomeOf, (error: unknown) => {
      const fault = toServerFault(error);
      if (isLimit(fault)) throw fault;
      return fault.reason;
    });
    log.info({ server: serverKey(service), name, outcome }, 'control query');
    return outcome;
  }

  /** The remembered or running query, or a new one. */
  function controlOf(service: RegistryService, zoneKey: string, name: string, deadline: number): Control {
    const key = controlKey(zoneKey, name);
    const latest = controls.get(key);
    if (latest !== undefined && clock.monotonic() < latest.until) return latest;
    const control: Control = {
      outcome: queryControl(service, name, deadline),
      answeredAt: 0,
      until: Infinity,
    };
    controls.set(key, control);
    control.outcome.then(
      (outcome) => {
        const isAboutZone = outcome === 'registered' || outcome === 'not_registered';
        control.answeredAt = clock.now();
        control.until = clock.monotonic() + (isAboutZone ? DAY_MS : RETRY_MS);
      },
      // Nothing was queried.
      () => controls.delete(key),
    );
    return control;
  }

  return {
    noteRegistered,
    namesFor: (zoneKey: string, zone: string) => new Set([...(seen.get(zoneKey) ?? []), `nic.${zone}`]),
    controlOf,
  };
}

export function createControlQueries(options: ControlQueriesOptions): ControlQueries {
  const { clock } = options;
  const memory = createControlMemory(options);
  return {
    verify: async (answer, { name, zone }, deadline, signal) => {
      const { service, reading, server } = answer;
      if (service.source !== 'list') return answer;
      const zoneKey = `${serverKey(service)} ${zone}`;
      if (outcomeOf(answer) === 'registered') memory.noteRegistered(zoneKey, name);
      if (reading.state !== 'not_registered') return answer;
      const outcomes: string[] = [];
      const names = memory.namesFor(zoneKey, zone);
      names.delete(name);
      for (const each of names) {
        const control = memory.controlOf(service, zoneKey, each, deadline);
        const outcome = await withinTime(control.outcome, deadline - clock.monotonic(), signal);
        if (outcome === 'registered') return withControl(answer, each, control.answeredAt);
        outcomes.push(`${each}: ${outcome}`);
      }
      const asked = outcomes.length > 0 ? ` (${outcomes.join(', ')})` : '';
      const doubt = `${server} denies ${name}, but has called no other name of .${zone} registered${asked}.`;
      return { ...answer, doubt, reading: { ...reading, state: 'broken' } };
    },
  };
}

const controlKey = (zoneKey: string, name: string) => `${zoneKey} ${name}`;

/** The state that the server itself states: a record of another host, after a redirect, says nothing about this one. */
function outcomeOf({ reading: { state }, isOwn }: ServerAnswer): ControlOutcome {
  return isOwn ? state : 'bad_answer';
}

/** The outcome, or `timeout` after `ms`: a control query may have a later deadline, that of another look-up. */
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
  const { evidence } = answer.reading;
  const at = new Date(answeredAt).toISOString().replace(/\.\d+/, '');
  return {
    ...answer,
    reading: { ...answer.reading, evidence: evidence ? { ...evidence, control: { name, at } } : null },
  };
}
