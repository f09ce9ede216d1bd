import { systemClock, systemSleep } from '../process/clock.ts';
import { silentLogger } from '../process/logger.ts';
import { createDomainLookUp } from './look-up/domain-look-up.ts';
import type { LookUpParts, LookUpSettings } from './look-up/domain-look-up.ts';
import type { LookUpResult } from './look-up/result.ts';
import { createSharedCalls } from './look-up/shared-calls.ts';
import type { Follow, Services } from './look-up/walk.ts';
import { withLookUpError } from './look-up-error.ts';
import { lookUpNames } from './look-up-names.ts';
import type { NameOutcome } from './look-up-names.ts';
import { systemResolver } from './net/resolve.ts';

/** A look-up's answer: `LookUp` of the HTTP service, field for field. */
export interface DomainLookUpResult extends LookUpResult {
  /** The requested name as given. */
  domain: string;
}

export interface LookUpOptions {
  /** `registrar`: one hop more, to the registrar's own record. Default: `registry`. */
  follow?: Follow;
  /** Over which protocols the registry may be asked. Default: those of the client. */
  services?: Services;
  /** Ends the look-up, at whatever step it is: it rejects with the signal's reason. */
  signal?: AbortSignal;
}

/** What came of one name of many. */
export type LookUpOutcome = NameOutcome<DomainLookUpResult>;

export interface LookUpClient {
  /** See lookUpDomain. */
  lookUpDomain: (name: string, options?: LookUpOptions) => Promise<DomainLookUpResult>;
  /**
   * Looks any number of names up: the outcome of each, as it comes. Waits for the client's own limits for a registry
   * instead of failing; a registry's own wish to wait is an outcome. Rejects only with the reason of the signal. To
   * leave the loop ends what is under way.
   */
  lookUpMany: (
    names: readonly string[],
    options?: LookUpOptions,
  ) => AsyncGenerator<LookUpOutcome, void, undefined>;
  /** Ends a fetch of the RDAP bootstrap that is under way. */
  close: () => void;
}

const SERVICES: readonly Services[] = ['both', 'rdap', 'whois'];

/** Throws TypeError for what is none of them: programs without types may give anything. */
export function readServices(given: Services | undefined): void {
  if (given === undefined || SERVICES.includes(given)) return;
  throw new TypeError(`services must be one of ${SERVICES.join(', ')}, not ${JSON.stringify(given)}`);
}

/** A client with these settings, for programs and the command: without cache, log or limit of clients. */
export function createClientOf(
  settings: LookUpSettings,
  { sleep = systemSleep, ...ways }: Partial<Pick<LookUpParts, 'clock' | 'connect' | 'fetch' | 'sleep'>> = {},
): LookUpClient {
  const parts = { clock: systemClock, sleep, log: silentLogger(), resolve: systemResolver(), ...ways };
  const { readName, lookUp, stop } = createDomainLookUp(settings, parts);
  const share = createSharedCalls<LookUpResult>();

  const lookUpDomain: LookUpClient['lookUpDomain'] = async (domain, call = {}) =>
    withLookUpError(async () => {
      const { follow = 'registry', services = settings.services, signal } = call;
      readServices(services);
      const name = readName(domain);
      const load = (all: AbortSignal) => lookUp(name, follow, { services, signal: all });
      return { domain, ...(await share(`${name.name} ${follow} ${services}`, load, signal)) };
    });

  /** Names that cannot be read share one lane: they ask nobody. */
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
