import { systemClock } from '../process/clock.ts';
import { silentLogger } from '../process/logger.ts';
import { systemResolver } from './net/resolve.ts';
import { DEFAULT_SETTINGS, IANA_BOOTSTRAP_URL, createDomainLookUp } from './look-up/domain-look-up.ts';
import type { LookUpSettings } from './look-up/domain-look-up.ts';
import type { DomainName } from './look-up/domain-name.ts';
import { parseEndpoint, parseHostMapping } from './net/host-map.ts';
import type { LookUpResult } from './look-up/result.ts';
import type { Follow } from './look-up/walk.ts';

export { ServiceError as LookUpError } from '../errors.ts';
export type { Hop, HopOutcome, Protocol } from './look-up/hops.ts';
export type {
  ParsedRegistration,
  RegistrationReading,
  RegistrationState,
} from './look-up/registration-record.ts';
export { parseWhoisText as parseWhois } from './whois/parsers/parse-whois-text.ts';
export type { WhoisHints } from './whois/parsers/parse-whois-text.ts';

/** A look-up's answer: `LookUp` of the HTTP service, field for field. */
export interface DomainLookUpResult extends LookUpResult {
  /** The name asked for, letter for letter. */
  domain: string;
}

export interface LookUpOptions {
  /** `registrar`: one hop more, to the registrar's own record. Default: `registry`. */
  follow?: Follow;
}

export interface LookUpClientOptions {
  /** For a whole look-up, in milliseconds. Default 10,000. */
  timeoutMs?: number;
  /** The root WHOIS server, `host:port`. Default `whois.iana.org:43`. */
  whoisRoot?: string;
  /**
   * IANA's dns.json as parsed JSON, the URL to fetch it from every day, or `'bundled'` for the one that comes with the
   * package and never a newer one. Default: IANA's URL; the bundled one serves until the first fetch is done.
   */
  rdapBootstrap?: unknown;
  /** Where servers are reached instead: `{'whois.nic.example': '127.0.0.1:4343'}`. */
  hostMap?: Readonly<Record<string, string>>;
  /** Private and special address ranges that may be connected to all the same. Default: none. */
  allowedCidrs?: readonly string[];
  /** Queries under way at one registry server. Default 2. */
  concurrentPerRegistry?: number;
  /** Queries a second at one registry server in the long run; 0: not limited. Default 5. */
  perSecondPerRegistry?: number;
  /** What RDAP servers are told of us. */
  userAgent?: string;
}

export interface LookUpClient {
  /** See lookUpDomain. */
  lookUpDomain: (name: string, options?: LookUpOptions) => Promise<DomainLookUpResult>;
  /** Ends a fetch of the RDAP bootstrap that is under way. */
  close: () => void;
}

/**
 * A look-up of one's own settings. It remembers what the root says for a day and keeps each registry's limits, so
 * make one and keep it. Throws TypeError for settings that cannot be read.
 */
export function createLookUpClient(options: LookUpClientOptions = {}): LookUpClient {
  const parts = { clock: systemClock, log: silentLogger(), resolve: systemResolver() };
  const { readName, lookUp, stop } = createDomainLookUp(settingsOf(options), parts);
  const underWay = new Map<string, Promise<LookUpResult>>();

  /** Callers of the same name share one look-up. */
  function lookUpOnce(name: DomainName, follow: Follow): Promise<LookUpResult> {
    const key = `${name.name} ${follow}`;
    let same = underWay.get(key);
    if (same === undefined) {
      same = lookUp(name, follow).finally(() => underWay.delete(key));
      underWay.set(key, same);
    }
    return same;
  }

  return {
    lookUpDomain: async (name, { follow = 'registry' } = {}) => ({
      domain: name,
      ...(await lookUpOnce(readName(name), follow)),
    }),
    close: stop,
  };
}

const shared = createLookUpClient();

/**
 * Looks a domain name up: from the root server to the registry over WHOIS, or RDAP where there is no WHOIS.
 *
 * `name` may be in any case, with a trailing dot, in Unicode or punycode; `www.example.co.uk` asks for
 * `example.co.uk`. Rejects with a LookUpError whose `code` is `invalid_domain`, `unknown_tld`, `not_registered`,
 * `no_registry_service`, `registry_rate_limited` (see `retryAfterSeconds`), `registry_unavailable` or
 * `registry_timeout`. All callers in a process share one set of limits per registry.
 *
 * @example
 * const { parsed, whoisServer } = await lookUpDomain('example.com');
 * parsed.expirationDate; // '2031-04-09T01:30:00Z'
 */
export const lookUpDomain: LookUpClient['lookUpDomain'] = (name, options) =>
  shared.lookUpDomain(name, options);

function settingsOf(options: LookUpClientOptions): LookUpSettings {
  const { whoisRoot, rdapBootstrap, hostMap, ...rest } = options;
  const given = Object.fromEntries(Object.entries<unknown>(rest).filter(([, value]) => value !== undefined));
  return {
    ...DEFAULT_SETTINGS,
    ...given,
    ...(whoisRoot !== undefined && { whoisRoot: read(whoisRoot, parseEndpoint(whoisRoot)) }),
    rdapBootstrap: bootstrapOf(rdapBootstrap ?? IANA_BOOTSTRAP_URL),
    ...(hostMap !== undefined && {
      hostMap: new Map(
        Object.entries(hostMap).map(([name, place]) => read(place, parseHostMapping(`${name}=${place}`))),
      ),
    }),
  };
}

function read<T>(text: string, parsed: T | undefined): T {
  if (parsed === undefined) throw new TypeError(`${JSON.stringify(text)} must be host:port`);
  return parsed;
}

function bootstrapOf(given: unknown): LookUpSettings['rdapBootstrap'] {
  if (typeof given !== 'string') return { json: given };
  if (given === 'bundled') return {};
  if (URL.canParse(given)) return { url: given };
  throw new TypeError(`rdapBootstrap must be JSON, "bundled" or a URL such as ${IANA_BOOTSTRAP_URL}`);
}
