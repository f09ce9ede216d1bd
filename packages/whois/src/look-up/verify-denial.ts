import { DeadlineError, withDeadline } from '@mokuroku/kit/deadline';
import type { Clock } from '@mokuroku/kit/clock';
import type { Log } from '../net/log.ts';
import { Memory } from '../net/memory.ts';
import { ServerFault, isLimit, toServerFault } from '../net/server-fault.ts';
import type { FaultReason } from '../net/server-fault.ts';
import { containsName, isSameName } from '../whois/parsers/names.ts';
import type { DomainName } from './domain-name.ts';
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

/**
 * Whether a denial counts. That of a public suffix never does: a registry may lack it, but nobody can register it. Of
 * other names it does from a server that IANA or the operator names for the zone. Where they name one, no other server
 * may deny a name. Where they name none, a server that only the built-in list names must have called a name of the
 * registry registered, or reserved by its name, within a day: any name that was looked up, or the control.
 *
 * Returns the answer; a proved denial of such a server with the proof in its evidence; another one as `unproved`, or as
 * `throttled` if the control was. Rejects with a ServerFault if our limits or a pause of the server allow no control
 * query. `deadline` in monotonic milliseconds.
 */
export type VerifyDenial = (
  answer: ServerAnswer,
  name: DomainName,
  registry: Registry,
  deadline: number,
  signal: AbortSignal | undefined,
) => Promise<VerifiedAnswer>;

/** What a server showed of a zone: `proof`, or what it said of the control instead. */
interface Shown {
  outcome: 'proof' | ServerAnswer['state'] | FaultReason;
  /** The name that it was asked for. */
  name: string;
  /** Unix milliseconds. */
  at: number;
  /** Monotonic milliseconds until which it counts. */
  until: number;
}

const DAY_MS = 86_400_000;
/** An unusable answer proves nothing about the zone: the next look-up after this time queries again. */
const RETRY_MS = 60_000;
const MAX_REGISTRIES = 2_000;

export function createDenialVerifier(clock: Clock, log: Log, query: QueryAlone): VerifyDenial {
  const remainingMs = ({ until }: Shown) => until - clock.monotonic();
  const memory = new Memory<Shown>({ clock, max: MAX_REGISTRIES, lifetimeMs: remainingMs });
  const show = (name: string, outcome: Shown['outcome'], lifetimeMs: number): Shown => {
    return { name, outcome, at: clock.now(), until: clock.monotonic() + lifetimeMs };
  };

  /**
   * Concurrent look-ups share one control query. Rejects, so that nothing is remembered, if nothing was queried. Another
   * name may have become a proof meanwhile.
   */
  async function showControl(key: string, service: RegistryService, name: string, deadline: number) {
    const answer = await query(service, name, deadline).catch(toServerFault);
    if (answer instanceof ServerFault && isLimit(answer)) throw answer;
    const [outcome, lifetimeMs] = outcomeOf(answer, name);
    log('info', 'control query', { server: serverKey(service), name, outcome });
    const known = memory.getFresh(key);
    return known?.outcome === 'proof' ? known : show(name, outcome, lifetimeMs);
  }

  return async (answer, { name, isSuffix }, registry, deadline, signal) => {
    const { zone, isNamed } = registry;
    const { service, state, server } = answer;
    if (isSuffix && state === 'not_registered') {
      const doubt = `${server} denies ${name}, but names are registered in it: it is a public suffix.`;
      return { ...answer, doubt, state: 'unproved' };
    }
    if (service.source !== 'list') return answer;
    // One server may have several zones, and deny the names of those that it no longer has.
    const key = `${serverKey(service)} ${zone}`;
    if (isProof(answer, name)) memory.set(key, show(name, 'proof', DAY_MS));
    if (state !== 'not_registered') return answer;
    if (isNamed) {
      const doubt = `${server} denies ${name}, but IANA names another server for .${zone}: it gave no usable answer.`;
      return { ...answer, doubt, state: 'unproved' };
    }
    const load = () => memory.load(key, () => showControl(key, service, registry.control, deadline));
    const shown =
      memory.getFresh(key) ??
      (name === registry.control
        ? show(name, state, DAY_MS)
        : await withDeadline(deadline - clock.monotonic(), signal, load).catch((error: unknown) => {
            // The query may have the later deadline of another look-up.
            if (!(error instanceof DeadlineError)) throw error;
            return show(registry.control, 'timeout', RETRY_MS);
          }));
    if (shown.outcome === 'proof') return withProof(answer, shown);
    const doubt = `${server} denies ${name}, but has called no name of .${zone} registered (${shown.name}: ${shown.outcome}).`;
    return {
      ...answer,
      doubt,
      control: { name: shown.name, outcome: shown.outcome },
      state: shown.outcome === 'throttled' ? 'throttled' : 'unproved',
      retryAfterSeconds: Math.ceil(remainingMs(shown) / 1_000),
    };
  };
}

/** What the answer to a control shows of the zone, and how long that counts. */
function outcomeOf(answer: ServerAnswer | ServerFault, name: string): [Shown['outcome'], number] {
  if (answer instanceof ServerFault) return [answer.reason, RETRY_MS];
  const { state, isOwn, retryAfterSeconds } = answer;
  if (isProof(answer, name)) return ['proof', DAY_MS];
  if (!isOwn) return ['bad_answer', RETRY_MS];
  if (state === 'not_registered') return [state, DAY_MS];
  return [state, retryAfterSeconds === null ? RETRY_MS : retryAfterSeconds * 1_000];
}

/** Whether the server itself has the name: a record of another host, after a redirect, says nothing about this one. */
function isProof({ state, reading: { parsed, evidence }, isOwn }: ServerAnswer, name: string): boolean {
  if (!isOwn || state !== 'reserved') return isOwn && state === 'registered';
  return isSameName(parsed.domainName ?? '', name) || containsName(evidence?.line.toLowerCase() ?? '', name);
}

function withProof(answer: ServerAnswer, { name, at }: Shown): ServerAnswer {
  const { evidence, ...reading } = answer.reading;
  const control = { name, at: new Date(at).toISOString().replace(/\.\d+/, '') };
  return { ...answer, reading: { ...reading, evidence: evidence ? { ...evidence, control } : null } };
}
