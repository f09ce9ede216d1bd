import { systemClock, systemSleep } from '../process/clock.ts';
import { silentLogger } from '../process/logger.ts';
import { createDomainLookUp } from './look-up/domain-look-up.ts';
import type { LookUpParts, LookUpSettings } from './look-up/domain-look-up.ts';
import type { LookUpResult } from './look-up/result.ts';
import type { ProtocolChoice } from './look-up/hops.ts';
import { createSharedCalls } from './look-up/shared-calls.ts';
import type { Follow } from './look-up/walk.ts';
import { withLookUpError } from './look-up-error.ts';
import { lookUpNames } from './look-up-names.ts';
import type { NameOutcome } from './look-up-names.ts';
import { systemResolver } from './net/resolve.ts';

/** The result of a look-up; equals `LookUp` of the HTTP service. */
export interface DomainLookUpResult extends LookUpResult {
  /** The requested name as given. */
  domain: string;
}

export interface LookUpOptions {
  /** `registrar`: also query the registrar's own server. Default: `registry`. */
  follow?: Follow;
  /** Protocols for queries to the registry. Default: those of the client. */
  protocols?: ProtocolChoice;
  /** Aborts the look-up: it rejects with the signal's reason. */
  signal?: AbortSignal;
}

/** The outcome of one name of many. */
export type LookUpOutcome = NameOutcome<DomainLookUpResult>;

export interface LookUpClient {
  /** See lookUpDomain. */
  lookUpDomain: (name: string, options?: LookUpOptions) => Promise<DomainLookUpResult>;
  /**
   * Looks any number of names up, and yields the outcome of each as it arrives. Waits for the client's own limits of a
   * registry instead of failing; a registry that throttles is an outcome. Rejects only with the reason of the signal.
   * Leaving the loop aborts running look-ups.
   */
  lookUpMany: (
    names: readonly string[],
    options?: LookUpOptions,
  ) => AsyncGenerator<LookUpOutcome, void, undefined>;
  /** Aborts a running fetch of the RDAP bootstrap. */
  close: () => void;
}

const PROTOCOL_CHOICES: readonly ProtocolChoice[] = ['both', 'rdap', 'whois'];

/** Throws TypeError for unknown values, because untyped programs may pass anything. */
export function readProtocols(given: ProtocolChoice | undefined): void {
  if (given === undefined || PROTOCOL_CHOICES.includes(given)) return;
  throw new TypeError(
    `protocols must be one of ${PROTOCOL_CHOICES.join(', ')}, not ${JSON.stringify(given)}`,
  );
}

/** A client for programs and the command line, without cache, log or rate limit. */
export function createClientOf(
  settings: LookUpSettings,
  { sleep = systemSleep, ...ways }: Partial<Pick<LookUpParts, 'clock' | 'connect' | 'fetch' | 'sleep'>> = {},
): LookUpClient {
  const parts = { clock: systemClock, sleep, log: silentLogger(), resolve: systemResolver(), ...ways };
  const { readName, lookUp, stop } = createDomainLookUp(settings, parts);
  const share = createSharedCalls<LookUpResult>();

  const lookUpDomain: LookUpClient['lookUpDomain'] = async (domain, call = {}) =>
    withLookUpError(async () => {
      const { follow = 'registry', protocols = settings.protocols, signal } = call;
      readProtocols(protocols);
      const name = readName(domain);
      const load = (all: AbortSignal) => lookUp(name, follow, { protocols, signal: all });
      return { domain, ...(await share(`${name.name} ${follow} ${protocols}`, load, signal)) };
    });

  /** Invalid names share one lane: they cause no query. */
  function zoneOf(domain: string): string {
    try {
      return readName(domain).zone;
    } catch {
      return '';
    }
  }

  return {
    lookUpDomain,
    lookUpMany: (names, { signal, ...call } = {}) => {
      const lookUpOne = (name: string, either: AbortSignal) =>
        lookUpDomain(name, { ...call, signal: either });
      return lookUpNames(names, { lookUp: lookUpOne, zoneOf, signal, sleep });
    },
    close: stop,
  };
}
