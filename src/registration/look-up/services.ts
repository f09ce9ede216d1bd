import facts from './data/registry-facts.json' with { type: 'json' };
import rootZone from './data/root-zone.json' with { type: 'json' };
import type { HostPort } from '../net/host-map.ts';
import { ServerFault } from '../net/server-fault.ts';
import { WHOIS_PORT } from '../whois/servers.ts';
import type { DomainName } from './domain-name.ts';
import type { RootAnswer } from './root.ts';

/** One way to ask a registry or a registrar. */
export type RegistryService =
  | { protocol: 'whois'; endpoint: HostPort }
  /** `isListed`: IANA's bootstrap names this server for the zone, so that even its empty 404 is a "no". */
  | { protocol: 'rdap'; url: string; isListed: boolean };

/** What the built-in table knows of one zone. */
interface ZoneFacts {
  whois?: string;
  /** RDAP base URL, for zones that IANA's bootstrap does not list. */
  rdap?: string;
  /** Where the registry answers on the web. */
  web?: string;
  /** Known to have no service at all. */
  none?: boolean;
}

/** Facts about registries, each with source and date in the data files. */
export interface RegistryTable {
  /** True for zones below a TLD whose names are registered with a registry of their own (uk.com, ac.uk). */
  hasOwnRegistry: (zone: string) => boolean;
  factsOf: (zone: string) => ZoneFacts;
  /** The WHOIS server that the root named when the table was made: null for "none", undefined for unknown TLDs. */
  rootWhoisOf: (tld: string) => string | null | undefined;
  /** When the root was asked: `YYYY-MM-DD`. */
  rootZoneDate: string;
}

const NOTHING_KNOWN: ZoneFacts = {};

export function createRegistryTable(data: {
  date: string;
  /** TLD to WHOIS server, null where the root names none. */
  whois: Readonly<Record<string, string | null>>;
  zones: Readonly<Record<string, ZoneFacts>>;
}): RegistryTable {
  const whois = new Map(Object.entries(data.whois));
  const zones = new Map(Object.entries(data.zones));
  return {
    hasOwnRegistry: (zone) => zone.includes('.') && zones.has(zone),
    factsOf: (zone) => zones.get(zone) ?? NOTHING_KNOWN,
    rootWhoisOf: (tld) => whois.get(tld),
    rootZoneDate: data.date,
  };
}

export const builtInTable = createRegistryTable({ ...rootZone, zones: facts.zones });

/**
 * The services that may be asked about a name, best first: the WHOIS server that the root names, RDAP by IANA's
 * bootstrap (`rdapBases`), then what the built-in table knows. A zone with a registry of its own has that one alone:
 * the TLD's registry would call every name in it unregistered.
 */
export function servicesOf(
  name: DomainName,
  root: RootAnswer | ServerFault | undefined,
  table: RegistryTable,
  rdapBases: readonly string[],
): RegistryService[] {
  const hasOwnRegistry = table.hasOwnRegistry(name.zone);
  const known = table.factsOf(hasOwnRegistry ? name.zone : name.tld);
  const named = root instanceof ServerFault ? endpointOf(table.rootWhoisOf(name.tld)) : root?.endpoint;
  const endpoint = named ?? endpointOf(known.whois);
  const listedBase = hasOwnRegistry ? undefined : rdapBases[0];
  const base = listedBase ?? known.rdap;

  const whois = endpoint && ({ protocol: 'whois', endpoint } as const);
  const rdap =
    base !== undefined &&
    ({ protocol: 'rdap', url: `${base}domain/${name.name}`, isListed: base === listedBase } as const);
  // Where the root names no WHOIS server, the table's is older knowledge than IANA's bootstrap.
  const isRdapFirst = named === undefined && base !== known.rdap;
  return (isRdapFirst ? [rdap, whois] : [whois, rdap]).filter((service) => typeof service === 'object');
}

function endpointOf(host: string | null | undefined): HostPort | undefined {
  return host == null ? undefined : { host, port: WHOIS_PORT };
}

/** Where the registry of a name answers on the web. */
export function websiteOf(
  name: DomainName,
  root: RootAnswer | ServerFault | undefined,
  table: RegistryTable,
): string | undefined {
  const stated = root instanceof ServerFault ? undefined : root?.website;
  return stated ?? table.factsOf(name.zone).web ?? table.factsOf(name.tld).web;
}
