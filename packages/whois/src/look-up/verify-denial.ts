import { DeadlineError, withDeadline } from '@mokuroku/kit/deadline';
import type { Clock } from '@mokuroku/kit/clock';
import type { Log } from '../net/log.ts';
import { Memory } from '../net/memory.ts';
import { ServerFault, isLimit, toServerFault } from '../net/server-fault.ts';
import type { FaultReason } from '../net/server-fault.ts';
import { containsName, isSameName } from '../whois/parsers/names.ts';
import type { QueryAlone, ServerAnswer } from './query-server.ts';
import { serverKey } from './services.ts';
import type { Registry, RegistryService } from './services.ts';

/** An answer of which a denial counts, or is `unproved`. */
export interface VerifiedAnswer extends Omit<ServerAnswer, 'state'> {
  state: ServerAnswer['state'] | 'unproved';
  /** Why the denial does not count. */
  doubt?: string;
  /** The control query that did not prove it, and its outcome. */
  control?: { name: string; outcome: string };
}

export const isAnswer = (attempt: VerifiedAnswer | ServerFault): attempt is VerifiedAnswer =>
  !(attempt instanceof ServerFault);

/**
 * Whether a denial counts. It does from a server that IANA or the operator names for the zone. Where they name one, no
 * other server may deny a name. Where they name none, a server that only the built-in list names must have called a name
 * of the registry registered, or reserved by its name, within a day: any name that was looked up, or the control.
 *
 * Returns the answer; a proved denial of such a server with the proof in its evidence; another one as `unproved`, or as
 * `throttled` if the control was. Rejects with a ServerFault if our limits or a pause of the server allow no control
 * query. `deadline` in monotonic milliseconds.
 */
export type VerifyDenial = (
  answer: ServerAnswer,
  name: string,
  registry: Registry,
  deadline: number,
  signal: AbortSignal | undefined,
) => Promise<VerifiedAnswer>;

/** The outcome of a control query: `proof`, or what the server said instead. */
type ControlOutcome = 'proof' | ServerAnswer['state'] | FaultReason;

interface Control {
  outcome: ControlOutcome;
  /** How long it counts. */
  lifetimeMs: number;
}

const DAY_MS = 86_400_000;
/** An unusable answer proves nothing about the zone: the next look-up after this time queries again. */
const RETRY_MS = 60_000;
const MAX_REGISTRIES = 2_000;

// One server may have several zones, and deny the names of those that it no longer has.
const keyOf = (service: RegistryService, { zone }: Registry) => `${serverKey(service)} ${zone}`;

export function createDenialVerifier(clock: Clock, log: Log, query: QueryAlone): VerifyDenial {
  /** The last name that a registry's server called registered. */
  const proofs = new Memory<string>({ clock, max: MAX_REGISTRIES, lifetimeMs: () => DAY_MS });
  const findControl = createControls(clock, log, query);

  return async (answer, name, registry, deadline, signal) => {
    const { service, state } = answer;
    if (service.source !== 'list') return answer;
    const key = keyOf(service, registry);
    if (isProof(answer, name)) proofs.set(key, name);
    if (state !== 'not_registered') return answer;
    if (registry.isNamed) return unproved(answer, name, registry);
    if (proofs.getFresh(key) === undefined && name !== registry.control) {
      const control = await findControl(service, registry, deadline, signal);
      if (control.outcome !== 'proof') return unproved(answer, name, registry, control);
      proofs.set(key, registry.control);
    }
    const proof = proofs.get(key);
    return proof?.isFresh === true ? withProof(answer, proof) : unproved(answer, name, registry);
  };
}

/** The control queries by server and zone. Concurrent look-ups share one; an outcome without a proof is remembered. */
function createControls(clock: Clock, log: Log, query: QueryAlone) {
  const controls = new Memory<Control>({
    clock,
    max: MAX_REGISTRIES,
    lifetimeMs: ({ lifetimeMs }) => lifetimeMs,
  });

  /** Rejects, so that nothing is remembered, if nothing was queried. */
  async function queryControl(service: RegistryService, name: string, deadline: number): Promise<Control> {
    const control = await query(service, name, deadline).then(
      (answer) => controlOf(answer, name),
      (error: unknown) => {
        const fault = toServerFault(error);
        if (isLimit(fault)) throw fault;
        return { outcome: fault.reason, lifetimeMs: RETRY_MS };
      },
    );
    log('info', 'control query', { server: serverKey(service), name, outcome: control.outcome });
    return control;
  }

  return async function findControl(
    service: RegistryService,
    registry: Registry,
    deadline: number,
    signal: AbortSignal | undefined,
  ): Promise<Control> {
    const key = keyOf(service, registry);
    const remembered = controls.get(key);
    if (remembered?.isFresh === true) {
      const { outcome, lifetimeMs } = remembered.value;
      return { outcome, lifetimeMs: remembered.storedAt + lifetimeMs - clock.now() };
    }
    const control = controls.load(key, () => queryControl(service, registry.control, deadline));
    return withinTime(control, deadline - clock.monotonic(), signal);
  };
}

/** Whether the server itself has the name: a record of another host, after a redirect, says nothing about this one. */
function isProof({ state, reading: { parsed, evidence }, isOwn }: ServerAnswer, name: string): boolean {
  if (!isOwn || state !== 'reserved') return isOwn && state === 'registered';
  return isSameName(parsed.domainName ?? '', name) || containsName(evidence?.line.toLowerCase() ?? '', name);
}

function controlOf(answer: ServerAnswer, name: string): Control {
  const { state, retryAfterSeconds } = answer;
  if (isProof(answer, name)) return { outcome: 'proof', lifetimeMs: 0 };
  if (!answer.isOwn) return { outcome: 'bad_answer', lifetimeMs: RETRY_MS };
  if (state === 'not_registered') return { outcome: state, lifetimeMs: DAY_MS };
  return {
    outcome: state,
    lifetimeMs: retryAfterSeconds === null ? RETRY_MS : retryAfterSeconds * 1_000,
  };
}

/** The control, or `timeout` after `ms`: the query may have the later deadline of another look-up. */
async function withinTime(
  control: Promise<Control>,
  ms: number,
  signal: AbortSignal | undefined,
): Promise<Control> {
  try {
    return await withDeadline(ms, signal, () => control);
  } catch (error) {
    if (error instanceof DeadlineError) return { outcome: 'timeout', lifetimeMs: RETRY_MS };
    throw error;
  }
}

/** A denial that does not count, with what may make it count later. */
function unproved(
  answer: ServerAnswer,
  name: string,
  { zone, isNamed, control }: Registry,
  queried?: Control,
): VerifiedAnswer {
  const { server } = answer;
  if (isNamed) {
    const doubt = `${server} denies ${name}, but IANA names another server for .${zone}: it gave no usable answer.`;
    return { ...answer, doubt, state: 'unproved' };
  }
  const outcome = queried?.outcome ?? 'not_registered';
  const doubt = `${server} denies ${name}, but has called no name of .${zone} registered (${control}: ${outcome}).`;
  const retryAfterSeconds = Math.ceil((queried?.lifetimeMs ?? DAY_MS) / 1_000);
  const state = outcome === 'throttled' ? outcome : 'unproved';
  return { ...answer, doubt, control: { name: control, outcome }, state, retryAfterSeconds };
}

function withProof(answer: ServerAnswer, proof: { value: string; storedAt: number }): ServerAnswer {
  const { evidence, ...reading } = answer.reading;
  const control = { name: proof.value, at: new Date(proof.storedAt).toISOString().replace(/\.\d+/, '') };
  return { ...answer, reading: { ...reading, evidence: evidence ? { ...evidence, control } : null } };
}
