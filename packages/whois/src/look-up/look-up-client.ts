import { setMaxListeners } from 'node:events';
import { systemClock, systemSleep } from '@mokuroku/kit/clock';
import { systemResolver } from '../net/resolve.ts';
import { withSignal } from '@mokuroku/kit/deadline';
import { availabilityOf, availabilityOfError } from './availability.ts';
import type { Availability } from './availability.ts';
import { callOptionsOf } from './client-settings.ts';
import type { LookUpOptions } from './client-settings.ts';
import { createDomainLookUp } from './domain-look-up.ts';
import type { LookUpParts, LookUpSettings } from './domain-look-up.ts';
import { LookUpError } from './look-up-error.ts';
import { lookUpNames, nameOrSpelling } from './look-up-names.ts';
import type { NameOutcome } from './look-up-names.ts';
import type { LookUpResult } from './result.ts';
import type { NameFacts } from './zones.ts';

/** The result of a look-up. Services that publish it may rely on its form. */
export interface DomainLookUpResult extends LookUpResult {
  /** The requested name as given. */
  domain: string;
}

/**
 * Whether a name is available: true, false, or null with the reason (`state` is then `no_registry_service` or the code of
 * the error, as `registry_timeout`).
 */
export type NameAvailability = Availability<Availability['state'] | LookUpError['code']> & {
  /** Seconds after which the answer may be known. */
  retryAfterSeconds?: number;
};

/** The outcome of one name of many. */
export type LookUpOutcome = NameOutcome<DomainLookUpResult>;

export interface LookUpClient {
  /** See lookUpDomain. */
  lookUpDomain: (name: string, options?: LookUpOptions) => Promise<DomainLookUpResult>;
  /** See lookUpMany. */
  lookUpMany: (
    names: Iterable<string> | AsyncIterable<string>,
    options?: LookUpOptions,
  ) => AsyncGenerator<LookUpOutcome, void, undefined>;
  /** See isAvailable. */
  isAvailable: (name: string, options?: LookUpOptions) => Promise<NameAvailability>;
  /** See zoneOf. */
  zoneOf: (name: string) => NameFacts;
  /** Aborts a running fetch of the RDAP bootstrap. */
  close: () => void;
}

/** The host of a pasted URL (`https://www.example.com/a`, `example.com/a`); any other text is returned as it is. */
function nameInText(text: unknown): string {
  if (typeof text !== 'string') throw new TypeError(`a name must be a string, not ${String(text)}`);
  const pasted = text.trim();
  if (!pasted.includes('/')) return text;
  const url = /^[a-z][a-z\d+.-]*:\/\//i.test(pasted) ? pasted : `http://${pasted}`;
  return (URL.canParse(url) && new URL(url).hostname) || text;
}

async function nameAvailability(name: string, found: Promise<DomainLookUpResult>): Promise<NameAvailability> {
  try {
    return availabilityOf(name, await found);
  } catch (error) {
    if (!(error instanceof LookUpError)) throw error;
    const { code: state, message: reason, retryAfterSeconds } = error;
    const wait = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
    return availabilityOfError(error) ?? { available: null, state, reason, evidence: null, ...wait };
  }
}

/** Throws TypeError for anything else, as a single name: it would be read letter by letter. */
function requireList(names: unknown): void {
  const isList =
    typeof names === 'object' &&
    names !== null &&
    (Symbol.iterator in names || Symbol.asyncIterator in names);
  if (!isList) throw new TypeError(`names must be a list or an async iterable, not ${typeof names}`);
}

/** A client for programs and the command line, without a cache of results. */
export function createClientOf(
  settings: LookUpSettings,
  { sleep = systemSleep, ...ways }: Partial<LookUpParts> = {},
): LookUpClient {
  const parts = { clock: systemClock, sleep, resolve: systemResolver(), ...ways };
  const { readName, lookUp, zoneOf, stop } = createDomainLookUp(settings, parts);
  const share = createSharedCalls<LookUpResult>();
  const readPasted = (text: string) => readName(nameInText(text));

  const lookUpDomain: LookUpClient['lookUpDomain'] = async (domain, call = {}) => {
    const { follow, protocols = settings.protocols, signal } = callOptionsOf(call);
    const name = readPasted(domain);
    const load = (all: AbortSignal) => lookUp(name, follow, { protocols, signal: all });
    return { domain, ...(await share(`${name.name} ${follow} ${protocols}`, load, signal)) };
  };

  return {
    lookUpDomain,
    isAvailable: (domain, call) =>
      nameAvailability(nameOrSpelling(readPasted, domain).name, lookUpDomain(domain, call)),
    lookUpMany: (names, call = {}) => {
      const { signal } = callOptionsOf(call);
      requireList(names);
      const lookUpOne = (name: string, either: AbortSignal) =>
        lookUpDomain(name, { ...call, signal: either });
      return lookUpNames(names, {
        lookUp: lookUpOne,
        zoneOf: (name) => nameOrSpelling(readPasted, name).zone,
        signal,
        sleep,
      });
    },
    zoneOf: (text) => zoneOf(readPasted(text)),
    close: stop,
  };
}

interface SharedCall<Result> {
  promise: Promise<Result>;
  controller: AbortController;
  waiting: number;
}

/**
 * Callers with the same key share one call. Each can leave by its own signal; when all have left, the call's signal is
 * aborted.
 */
function createSharedCalls<Result>() {
  const running = new Map<string, SharedCall<Result>>();

  return async function share(
    key: string,
    call: (signal: AbortSignal) => Promise<Result>,
    signal: AbortSignal | undefined,
  ): Promise<Result> {
    signal?.throwIfAborted();
    let shared = running.get(key);
    if (shared === undefined) {
      const controller = new AbortController();
      setMaxListeners(0, controller.signal);
      shared = { promise: call(controller.signal), controller, waiting: 0 };
      running.set(key, shared);
    }
    // Every query listens to the call's signal, and every call to its caller's.
    if (signal) setMaxListeners(0, signal);
    shared.waiting++;
    try {
      return await (signal ? withSignal(shared.promise, signal) : shared.promise);
    } finally {
      shared.waiting--;
      if (shared.waiting === 0) {
        running.delete(key);
        shared.controller.abort(signal?.reason);
      }
    }
  };
}
