import { DEFAULT_SETTINGS, IANA_BOOTSTRAP_URL } from './domain-look-up.ts';
import type { LookUpSettings } from './domain-look-up.ts';
import { parseEndpoint, parseHostMapping } from '../net/host-map.ts';
import type { ProtocolChoice } from './hops.ts';
import { createClientOf, readOptions } from './look-up-client.ts';
import type { LookUpClient } from './look-up-client.ts';
import type { Connect } from '../net/dial.ts';
import type { Fetch } from '../rdap/fetch-get.ts';
import { parseRdap as parseRdapAnswer } from '../rdap/parse.ts';
import type { RegistrationReading } from '../record/registration-record.ts';
import { asciiOf } from '../whois/parsers/names.ts';

export type {
  DomainLookUpResult,
  LookUpClient,
  LookUpOptions,
  LookUpOutcome,
  NameAvailability,
} from './look-up-client.ts';
export { LookUpError } from './look-up-error.ts';
export type { Connect } from '../net/dial.ts';
export type { Fetch } from '../rdap/fetch-get.ts';
export type { Hop, HopOutcome, Protocol, ProtocolChoice } from './hops.ts';
export type {
  ParsedRegistration,
  RegistrationReading,
  RegistrationState,
} from '../record/registration-record.ts';
export { parseWhoisText as parseWhois } from '../whois/parsers/parse-whois-text.ts';
export type { WhoisHints } from '../whois/parsers/parse-whois-text.ts';

export interface LookUpClientOptions {
  /**
   * Protocols for queries to registries. `rdap` never uses port 43, and so does not query the root. Default `both`:
   * RDAP if there is no WHOIS, or its answer is not usable.
   */
  protocols?: ProtocolChoice;
  /**
   * Opens connections, for example through a proxy: for WHOIS and, without a `fetch`, for RDAP. Addresses are then not
   * checked, and `allowedCidrs` has no effect.
   */
  connect?: Connect;
  /** Sends RDAP requests, such as undici's fetch with a proxy. Default: `connect`, or own connections. */
  fetch?: Fetch;
  /** For a whole look-up, in milliseconds. Default 10,000. */
  timeoutMs?: number;
  /** The root WHOIS server, `host:port`. Default `whois.iana.org:43`. */
  whoisRoot?: string;
  /**
   * IANA's dns.json as parsed JSON, the URL to fetch it from every day, or `'bundled'` for the copy in the package.
   * Default: IANA's URL, with the bundled copy until the first fetch succeeds.
   */
  rdapBootstrap?: unknown;
  /** Other addresses of servers: `{'whois.nic.example': '127.0.0.1:4343'}`. */
  hostMap?: Readonly<Record<string, string>>;
  /** Allowed private and special address ranges. Default: none. */
  allowedCidrs?: readonly string[];
  /** Simultaneous queries to one registry server. Default 2. */
  concurrentPerRegistry?: number;
  /** Mean queries per second to one registry server; 0: no limit. Default 5. */
  perSecondPerRegistry?: number;
  /** User-Agent for RDAP servers. */
  userAgent?: string;
}

/**
 * Creates a look-up client with its own settings. It caches the root's answers for a day and applies each registry's
 * limits, so reuse it. Throws TypeError for invalid settings.
 */
export function createLookUpClient(options: LookUpClientOptions = {}): LookUpClient {
  const { connect, fetch } = options;
  return createClientOf(settingsOf(options), { connect, fetch });
}

const shared = createLookUpClient();

/**
 * Looks a domain name up: from the root server to the registry over WHOIS, or RDAP where there is no WHOIS.
 *
 * `name` may be in any case, with a trailing dot, in Unicode or punycode; `www.example.co.uk` queries `example.co.uk`.
 * Rejects with the reason of its signal, or with a LookUpError whose `code` is `invalid_domain`, `unknown_tld`,
 * `not_registered`, `no_registry_service`, `registry_rate_limited` (see `retryAfterSeconds`), `registry_unavailable` or
 * `registry_timeout`. All callers in a process share one set of limits per registry.
 *
 * @example
 * const { parsed, whoisServer } = await lookUpDomain('example.com');
 * parsed.expirationDate; // '2031-04-09T01:30:00Z'
 */
export const lookUpDomain = shared.lookUpDomain;

/**
 * Looks any number of names up with the limits of `lookUpDomain`.
 *
 * @example
 * for await (const { name, data, error } of lookUpMany(['example.com', 'example.org'])) {
 *   console.log(name, data?.parsed.expirationDate ?? error?.code);
 * }
 */
export const lookUpMany = shared.lookUpMany;

/**
 * Looks a name up and says whether it is available: true, false, or null with the reason if the registry gives no usable
 * answer. Rejects only with the reason of its signal, or a TypeError for wrong arguments.
 *
 * @example
 * const { available, state, reason } = await isAvailable('example.com');
 * // false, 'registered', 'whois.verisign-grs.com has a record of example.com.'
 */
export const isAvailable = shared.isAvailable;

/** What is known of an RDAP answer beside its text. */
export interface RdapHints {
  /** The queried name, in any spelling: without it no answer is about a name. */
  domain: string;
  /** HTTP status. Default 200. */
  status?: number;
}

/**
 * Parses the text of an RDAP answer (RFC 9083) into the same reading as `parseWhois`. Does no I/O, and throws only a
 * TypeError for a text or name that is no string.
 */
export function parseRdap(text: string, { domain, status = 200 }: RdapHints): RegistrationReading {
  if (typeof text !== 'string' || typeof domain !== 'string')
    throw new TypeError('parseRdap needs the text of an answer, and { domain }');
  const name = asciiOf(domain.trim().toLowerCase().replace(/\.$/, ''));
  const whole = { host: '', isDelimited: true, isAuthoritative: true, retryAfterSeconds: undefined };
  return parseRdapAnswer({ ...whole, status, text }, { name });
}

function settingsOf(options: LookUpClientOptions): LookUpSettings {
  const { whoisRoot, rdapBootstrap, hostMap, ...rest } = options;
  readOptions(options);
  const given = Object.fromEntries(Object.entries<unknown>(rest).filter(([, value]) => value !== undefined));
  return {
    ...DEFAULT_SETTINGS,
    ...given,
    ...(whoisRoot !== undefined && { whoisRoot: readSetting(whoisRoot, parseEndpoint(whoisRoot)) }),
    rdapBootstrap: givenBootstrap(rdapBootstrap ?? IANA_BOOTSTRAP_URL),
    ...(hostMap !== undefined && {
      hostMap: new Map(
        Object.entries(hostMap).map(([name, address]) =>
          readSetting(address, parseHostMapping(`${name}=${address}`)),
        ),
      ),
    }),
  };
}

function readSetting<T>(text: string, parsed: T | undefined): T {
  if (parsed === undefined) throw new TypeError(`${JSON.stringify(text)} must be host:port`);
  return parsed;
}

function givenBootstrap(given: unknown): LookUpSettings['rdapBootstrap'] {
  if (typeof given !== 'string') return { json: given };
  if (given === 'bundled') return {};
  if (URL.canParse(given)) return { url: given };
  throw new TypeError(`rdapBootstrap must be JSON, "bundled" or a URL such as ${IANA_BOOTSTRAP_URL}`);
}
