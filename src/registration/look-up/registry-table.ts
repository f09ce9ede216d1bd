import facts from './data/registry-facts.json' with { type: 'json' };
import rootZone from './data/root-zone.json' with { type: 'json' };

/** What the built-in table knows of one zone. */
export interface ZoneFacts {
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
}

export interface TableData {
  /** TLD to WHOIS server, null where the root names none. */
  whois: Readonly<Record<string, string | null>>;
  zones: Readonly<Record<string, ZoneFacts>>;
}

const NOTHING_KNOWN: ZoneFacts = {};

export function createRegistryTable(data: TableData): RegistryTable {
  const whois = new Map(Object.entries(data.whois));
  const zones = new Map(Object.entries(data.zones));
  return {
    hasOwnRegistry: (zone) => zone.includes('.') && zones.has(zone),
    factsOf: (zone) => zones.get(zone) ?? NOTHING_KNOWN,
    rootWhoisOf: (tld) => whois.get(tld),
  };
}

export const builtInTable = createRegistryTable({ whois: rootZone.whois, zones: facts.zones });
