import { DEFAULT_SETTINGS, IANA_BOOTSTRAP_URL } from './look-up/domain-look-up.ts';
import type { LookUpSettings } from './look-up/domain-look-up.ts';
import { parseEndpoint, parseHostMapping } from './net/host-map.ts';
import type { Services } from './look-up/walk.ts';
import { createClientOf, readServices } from './look-up-client.ts';
import type { LookUpClient } from './look-up-client.ts';
import type { Connect } from './net/dial-through.ts';
import type { Fetch } from './rdap/fetch-get.ts';

export type { DomainLookUpResult, LookUpClient, LookUpOptions, LookUpOutcome } from './look-up-client.ts';
export { LookUpError } from './look-up-error.ts';
export type { Connect } from './net/dial-through.ts';
export type { Fetch } from './rdap/fetch-get.ts';
export type { Services } from './look-up/walk.ts';
export type { Hop, HopOutcome, Protocol } from './look-up/hops.ts';
export type {
  ParsedRegistration,
  RegistrationReading,
  RegistrationState,
} from './record/registration-record.ts';
export { parseWhoisText as parseWhois } from './whois/parsers/parse-whois-text.ts';
export type { WhoisHints } from './whois/parsers/parse-whois-text.ts';

export interface LookUpClientOptions {
  /**
   * Over which protocols registries may be asked: `rdap` never uses port 43, and so asks no root. Default `both`: RDAP
   * where there is no WHOIS, or it gives nothing usable.
   */
  services?: Services;
  /**
   * Opens connections, for WHOIS and, without a `fetch`, for RDAP: through a proxy, say. Addresses are not judged then,
   * `allowedCidrs` has no effect.
   */
  connect?: Connect;
  /** Sends RDAP requests, such as undici's fetch with a proxy. Default: connections of our own, or `connect`. */
  fetch?: Fetch;
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
  /** Simultaneous queries to one registry server. Default 2. */
  concurrentPerRegistry?: number;
  /** Queries a second at one registry server in the long run; 0: not limited. Default 5. */
  perSecondPerRegistry?: number;
  /**
   * Whether a short WHOIS text that nobody knows is tested: the server is asked for a registered and for a random name,
   * once a day at most. Default: false.
   */
  witnesses?: boolean;
  /** What RDAP servers are told of us. */
  userAgent?: string;
}

/**
 * A look-up of one's own settings. It remembers what the root says for a day and keeps each registry's limits, so
 * make one and keep it. Throws TypeError for settings that cannot be read.
 */
export function createLookUpClient(options: LookUpClientOptions = {}): LookUpClient {
  const { connect, fetch } = options;
  return createClientOf(settingsOf(options), { connect, fetch });
}

const shared = createLookUpClient();

/**
 * Looks a domain name up: from the root server to the registry over WHOIS, or RDAP where there is no WHOIS.
 *
 * `name` may be in any case, with a trailing dot, in Unicode or punycode; `www.example.co.uk` asks for
 * `example.co.uk`. Rejects with the reason of its signal, or with a LookUpError whose `code` is `invalid_domain`, `unknown_tld`, `not_registered`,
 * `no_registry_service`, `registry_rate_limited` (see `retryAfterSeconds`), `registry_unavailable` or
 * `registry_timeout`. All callers in a process share one set of limits per registry.
 *
 * @example
 * const { parsed, whoisServer } = await lookUpDomain('example.com');
 * parsed.expirationDate; // '2031-04-09T01:30:00Z'
 */
export const lookUpDomain: LookUpClient['lookUpDomain'] = (name, options) =>
  shared.lookUpDomain(name, options);

/**
 * Looks any number of names up with the limits of `lookUpDomain`.
 *
 * @example
 * for await (const { name, data, error } of lookUpMany(['example.com', 'example.org'])) {
 *   console.log(name, data?.parsed.expirationDate ?? error?.code);
 * }
 */
export const lookUpMany: LookUpClient['lookUpMany'] = (names, options) => shared.lookUpMany(names, options);

function settingsOf(options: LookUpClientOptions): LookUpSettings {
  const { whoisRoot, rdapBootstrap, hostMap, ...rest } = options;
  readServices(options.services);
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
