import facts from './data/registry-facts.json' with { type: 'json' };
import rootZone from './data/root-zone.json' with { type: 'json' };
import type { HostPort } from '../net/host-map.ts';
import { ServerFault } from '../net/server-fault.ts';
import { WHOIS_PORT } from '../whois/servers.ts';
import type { DomainName } from './domain-name.ts';
import type { Protocol } from './hops.ts';
import type { RootAnswer } from './root.ts';

type Service<Source> = { source: Source } & (
  { protocol: 'whois'; endpoint: HostPort } | { protocol: 'rdap'; base: string }
);

/**
 * A service of a registry, and who names it: the root or the RDAP bootstrap (IANA's, the operator's, or the bundled
 * copy), the operator for this zone, or the built-in list of other servers.
 */
export type NamedService = Service<'root' | 'bootstrap' | 'operator' | 'list'>;

/** Also a registrar's, which the registry names: the base of its RDAP service is the URL of one record. */
export type RegistryService = Service<NamedService['source'] | 'registry'>;

/** `whois.nic.example`, `whois.nic.example:4321`, or the URL of an RDAP service. */
export function addressOf(service: RegistryService): string {
  if (service.protocol === 'rdap') return service.base;
  const { host, port } = service.endpoint;
  return port === WHOIS_PORT ? host : `${host}:${port}`;
}

/** Distinguishes servers: one host may have several services. */
export const serverKey = (service: RegistryService): string => `${service.protocol} ${addressOf(service)}`;

/** What is known of the registry of a name. */
export interface Registry {
  /** The registry's zone: that of the name with a registry of its own, else the top-level domain. */
  zone: string;
  /** Best first. */
  services: readonly NamedService[];
  /** IANA or the operator names a server for the zone: only that one may deny a name. */
  isNamed: boolean;
  /** A registered name: a listed server that denies it does not know the zone. */
  control: string;
  /** Its web page. */
  website: string | undefined;
}

/** What is known of the services for a name. */
export interface FoundServices {
  registry: Registry;
  /** Those of the chosen protocols; at least one. */
  services: readonly RegistryService[];
  /** False if the bootstrap could not be read: there may be an RDAP server that `services` lacks. */
  isRdapKnown: boolean;
}

/** The built-in facts about one zone. */
interface ZoneFacts {
  whois?: string;
  /** RDAP base URL, for zones that IANA's bootstrap does not list. */
  rdap?: string;
  /** The registry's web page. */
  web?: string;
  /** True if it has no service at all. */
  none?: boolean;
  /** The protocol over which the registry refuses all queries by policy. */
  refuses?: string;
}

/** Facts about registries, each with source and date in the data files. */
export interface RegistryTable {
  /** True for zones below a TLD with their own registry (uk.com, ac.uk). */
  hasOwnRegistry: (zone: string) => boolean;
  facts: ReadonlyMap<string, ZoneFacts>;
  /** The servers that the operator names for a zone, instead of all others. */
  servers: ReadonlyMap<string, readonly NamedService[]>;
  /** A name that has been registered below the zone for long; `nic` where none is known. */
  controlOf: (zone: string) => string;
  /** The WHOIS server that the root named for each TLD when the table was generated; null for none. */
  rootWhois: ReadonlyMap<string, string | null>;
  /** Date of the root's answers: `YYYY-MM-DD`. */
  rootZoneDate: string;
  /** Dates of the lists of other servers; of several lists, that of the oldest. */
  listDates: Readonly<Record<Protocol, string>>;
  /** All zones, in no order. */
  zones: readonly string[];
}

/** Of a name, what selects its registry. */
export type ZoneName = Pick<DomainName, 'tld' | 'zone'>;

interface RegistryData {
  date: string;
  listDates: Readonly<Record<Protocol, string>>;
  /** TLD to WHOIS server, or null. */
  whois: Readonly<Record<string, string | null>>;
  zones: Readonly<Record<string, ZoneFacts>>;
  controls: Readonly<Record<string, { name: string }>>;
}

/** `servers`: those that the operator names, by zone. */
export function createRegistryTable(
  data: RegistryData,
  servers: ReadonlyMap<string, readonly NamedService[]> = new Map(),
): RegistryTable {
  const rootWhois = new Map(Object.entries(data.whois));
  const controls = new Map(Object.entries(data.controls));
  const facts = new Map(Object.entries(data.zones));
  return {
    hasOwnRegistry: (zone) => zone.includes('.') && (facts.has(zone) || servers.has(zone)),
    facts,
    servers,
    controlOf: (zone) => controls.get(zone)?.name ?? `nic.${zone}`,
    rootWhois,
    rootZoneDate: data.date,
    listDates: data.listDates,
    zones: [...new Set([...rootWhois.keys(), ...facts.keys(), ...servers.keys()])],
  };
}

const oldestSource = (fact: Protocol): string =>
  facts.sources
    .filter((source) => source.fact === fact)
    .map(({ date }) => date)
    .sort()[0] ?? '';
export const BUILT_IN: RegistryData = {
  ...rootZone,
  listDates: { whois: oldestSource('whois'), rdap: oldestSource('rdap') },
  zones: facts.zones,
  controls: facts.controls,
};
export const builtInTable = createRegistryTable(BUILT_IN);

/** The zone of a name's registry: that of the name if it has a registry of its own, else the top-level domain. */
export const registryZoneOf = ({ zone, tld }: ZoneName, table: RegistryTable): string =>
  table.hasOwnRegistry(zone) ? zone : tld;

/**
 * The registry of a name with its services, best first: those that the operator names for its zone, and no others; else
 * the WHOIS server that the root names, RDAP by IANA's bootstrap (`rdapBases`), then the built-in table. A zone with its
 * own registry has only that one: the TLD's registry would call every name in it unregistered.
 */
export function registryOf(
  name: ZoneName,
  root: RootAnswer | ServerFault,
  table: RegistryTable,
  rdapBases: readonly string[] | ServerFault,
): Registry {
  const zone = registryZoneOf(name, table);
  const hasOwnRegistry = zone !== name.tld;
  const facts = table.facts.get(zone);
  const { endpoint: stated, website } =
    root instanceof ServerFault ? { endpoint: endpointOf(table.rootWhois.get(name.tld)) } : root;
  const named = hasOwnRegistry ? undefined : stated;
  const endpoint = named ?? endpointOf(facts?.whois);
  const listedBase = hasOwnRegistry || rdapBases instanceof ServerFault ? undefined : rdapBases[0];
  const base = listedBase ?? facts?.rdap;

  const whois = endpoint && ({ protocol: 'whois', source: named ? 'root' : 'list', endpoint } as const);
  const rdap =
    base !== undefined && ({ protocol: 'rdap', source: listedBase ? 'bootstrap' : 'list', base } as const);
  // If the root names no WHOIS server, IANA's bootstrap is newer than the table's server.
  const isRdapFirst = named === undefined && base !== facts?.rdap;
  const both = (isRdapFirst ? [rdap, whois] : [whois, rdap]).filter((service) => typeof service === 'object');
  const services = table.servers.get(zone) ?? both;
  return {
    zone,
    services,
    isNamed: services.some(({ source, protocol }) => source !== 'list' && protocol !== facts?.refuses),
    control: table.controlOf(zone),
    website: website ?? table.facts.get(name.zone)?.web ?? table.facts.get(name.tld)?.web,
  };
}

/** The root's bundled answers stand for it where it is not queried. */
export const BUNDLED_ROOT = new ServerFault('unreachable');

function endpointOf(host: string | null | undefined): HostPort | undefined {
  return host == null ? undefined : { host, port: WHOIS_PORT };
}
