import { readBootstrap } from './rdap/bootstrap.ts';
import { parseRdap as parseRdapAnswer } from './rdap/parse.ts';
import { lazy } from './record/lazy.ts';
import type { RegistrationReading } from './record/registration-record.ts';
import { asciiOf } from './whois/parsers/names.ts';
import { knownSentences } from './whois/parsers/sentence-table.ts';
import type { KnownSentence } from './whois/parsers/sentence-table.ts';
import bundledBootstrap from './look-up/data/rdap-bootstrap.json' with { type: 'json' };
import { settingsOf } from './look-up/client-settings.ts';
import type { LookUpClientOptions } from './look-up/client-settings.ts';
import { DEFAULT_SETTINGS } from './look-up/domain-look-up.ts';
import { createClientOf } from './look-up/look-up-client.ts';
import type { LookUpClient } from './look-up/look-up-client.ts';
import { builtInTable } from './look-up/services.ts';
import { listZones as listZonesOf } from './look-up/zones.ts';
import type { ZoneFacts } from './look-up/zones.ts';

export type { Connect } from './net/dial.ts';
export type { Log } from './net/log.ts';
export { ServerFault } from './net/server-fault.ts';
export type { FaultReason } from './net/server-fault.ts';
export type { Fetch } from './rdap/http-get.ts';
export type {
  Evidence,
  ParsedRegistration,
  RegistrationReading,
  RegistrationState,
} from './record/registration-record.ts';
export { parseWhoisText as parseWhois } from './whois/parsers/parse-whois-text.ts';
export type { WhoisHints } from './whois/parsers/parse-whois-text.ts';
export type { KnownSentence } from './whois/parsers/sentence-table.ts';
export { spacingOf } from './whois/servers.ts';
export type { LookUpClientOptions, LookUpOptions } from './look-up/client-settings.ts';
export type { Gate, GateRequest } from './look-up/gate.ts';
export type { Hop, HopOutcome, Protocol, ProtocolChoice } from './look-up/hops.ts';
export type {
  DomainLookUpResult,
  LookUpClient,
  LookUpOutcome,
  NameAvailability,
} from './look-up/look-up-client.ts';
export { LookUpError } from './look-up/look-up-error.ts';
export { LOOK_UP_ERRORS } from './record/look-up-errors.ts';
export type { LookUpErrorCode } from './record/look-up-errors.ts';
export type { NameFacts, Published, PublishedField, ZoneFacts, ZoneService } from './look-up/zones.ts';

/**
 * Creates a look-up client with its own settings. It caches the root's answers for a day and applies each registry's
 * limits, so reuse it. Throws TypeError for invalid settings.
 *
 * @example
 * const client = createLookUpClient({ protocols: 'whois', log: (level, message) => console.log(level, message) });
 * const { state } = await client.lookUpDomain('example.com');
 * state; // 'registered'
 * client.close();
 */
export function createLookUpClient(options: LookUpClientOptions = {}): LookUpClient {
  const { connect, fetch, log, gate, ...settings } = settingsOf(options);
  return createClientOf({ ...DEFAULT_SETTINGS, ...settings }, { connect, fetch, log, gate });
}

/** One client for all callers, so that they share its limits. */
const shared = lazy(() => createLookUpClient());

/**
 * Looks a domain name up: from the root server to the registry over WHOIS, or RDAP where there is no WHOIS.
 *
 * `name` may be in any case, with a trailing dot, in Unicode or punycode, or in a pasted URL; `www.example.co.uk` queries
 * `example.co.uk`. Dates of the result are ISO 8601 in UTC; what the registry does not state is null or an empty list.
 * Takes 10 seconds at most. Rejects with the reason of its signal, with a TypeError for wrong arguments, or with a
 * LookUpError: see LOOK_UP_ERRORS for its codes.
 *
 * @example
 * const { parsed, whoisServer, evidence } = await lookUpDomain('example.com');
 * parsed.expirationDate; // '2031-02-03T04:05:06Z'
 * whoisServer; // 'whois.nic.example'
 * evidence?.line; // 'Registrar: Sample Registrar'
 */
export const lookUpDomain: LookUpClient['lookUpDomain'] = (name, options) =>
  shared().lookUpDomain(name, options);

/**
 * Looks any number of names up, and yields the outcome of each as it arrives. `names` is a list or an async iterable.
 * Waits for our own limits of a registry instead of failing; a registry that throttles is an outcome. Rejects only with
 * the reason of the signal, and throws a TypeError for wrong arguments. Leaving the loop aborts running look-ups.
 *
 * @example
 * for await (const { name, data, error } of lookUpMany(['example.com', 'free.com'])) {
 *   console.log(name, data?.daysLeft ?? error?.code);
 * }
 */
export const lookUpMany: LookUpClient['lookUpMany'] = (names, options) => shared().lookUpMany(names, options);

/**
 * Looks a name up and says whether it is available: true, false, or null with the reason if the registry gives no usable
 * answer: `state` is then the code of the error. Rejects only with the reason of its signal, or a TypeError for wrong
 * arguments.
 *
 * @example
 * const { available, state, reason } = await isAvailable('example.com');
 * available; // false
 * state; // 'registered'
 * reason; // 'whois.nic.example has a record of example.com.'
 */
export const isAvailable: LookUpClient['isAvailable'] = (name, options) =>
  shared().isAvailable(name, options);

/**
 * What is known of a name without a query: the registrable name, the zone of its registry with its services, and what
 * a look-up can state: with `publishes.expirationDate` `no`, an expiry stays null. Of a top-level domain: what is known
 * of the names in it. Throws a LookUpError `invalid_domain`, or a TypeError if the name is no string.
 *
 * @example
 * const { name, zone, publishes } = zoneOf('www.example.de');
 * name; // 'example.de'
 * zone; // 'de'
 * publishes.expirationDate; // 'no'
 */
export const zoneOf: LookUpClient['zoneOf'] = (name) => shared().zoneOf(name);

/**
 * All zones with a registry of their own, as bundled: the services of each, who names them, what they publish. A look-up
 * asks the root first, which may name a newer WHOIS server.
 *
 * @example
 * const { services } = listZones().find(({ zone }) => zone === 'com');
 * services[0].server; // 'whois.verisign-grs.com'
 * services[0].publishes.expirationDate; // 'yes'
 */
export const listZones = (): ZoneFacts[] =>
  listZonesOf({ table: builtInTable, bootstrap: readBootstrap(bundledBootstrap), isOwn: false });

/**
 * The sentences of registries by which answers are understood: `no` is a denial, `neutral` is allowed beside one. Names
 * and numbers in them are masked (`{name}`, `{n}`), and `(a|b)` is one of several words. `only` lists the servers and
 * zones that a sentence is limited to.
 *
 * @example
 * listSentences().find(({ sentence }) => sentence === 'no found').state; // 'no'
 */
export const listSentences = (): KnownSentence[] => knownSentences();

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
 *
 * @example
 * const json = '{"objectClassName":"domain","ldhName":"name.example","status":["active"]}';
 * const reading = parseRdap(json, { domain: 'name.example' });
 * reading.state; // 'registered'
 * parseRdap('{"errorCode":404}', { domain: 'name.example', status: 404 }).state; // 'not_registered'
 */
export function parseRdap(text: string, { domain, status = 200 }: RdapHints): RegistrationReading {
  if (typeof text !== 'string' || typeof domain !== 'string')
    throw new TypeError('parseRdap needs the text of an answer, and { domain }');
  const name = asciiOf(domain.trim().toLowerCase().replace(/\.$/, ''));
  const whole = { host: '', isDelimited: true, isAuthoritative: true, retryAfterSeconds: undefined };
  return parseRdapAnswer({ ...whole, status, text }, { name });
}
