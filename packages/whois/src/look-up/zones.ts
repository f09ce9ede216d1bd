import type { BootstrapSource } from '../rdap/bootstrap.ts';
import type { ParsedRegistration, RecordField } from '../record/registration-record.ts';
import facts from './data/published-fields.json' with { type: 'json' };
import type { Protocol } from './hops.ts';
import { BUNDLED_ROOT, addressOf, registryServices, websiteOf } from './services.ts';
import type { NamedService, RegistryTable } from './services.ts';

/** Fields that some registries never publish. */
export const PUBLISHED_FIELDS = ['expirationDate', 'registrar', 'status'] as const satisfies RecordField[];
export type PublishedField = (typeof PUBLISHED_FIELDS)[number];

/** Whether a registry publishes a field; `unknown` if too few of its answers were seen. */
export type Published = 'yes' | 'no' | 'unknown';

interface PublishedFacts {
  /** Number of names whose answers were read. */
  names: number;
  states?: string[];
  never?: string[];
}

const FACTS: Readonly<Record<Protocol, ReadonlyMap<string, PublishedFacts>>> = {
  whois: new Map(Object.entries<PublishedFacts>(facts.whois)),
  rdap: new Map(Object.entries<PublishedFacts>(facts.rdap)),
};

/** Date of the facts: `YYYY-MM-DD`. */
export const { date: PUBLICATION_DATE } = facts;

/** What a zone's registry publishes over a protocol. `zones`: the zone, then those above it with the same registry. */
export function publicationOf(
  protocol: Protocol,
  ...zones: readonly string[]
): Record<PublishedField, Published> {
  const known = zones.map((zone) => FACTS[protocol].get(zone)).find((each) => each !== undefined);
  const published = (field: PublishedField): Published =>
    known?.states?.includes(field) ? 'yes' : known?.never?.includes(field) ? 'no' : 'unknown';
  return {
    expirationDate: published('expirationDate'),
    registrar: published('registrar'),
    status: published('status'),
  };
}

/** The fields without a value that the registry never publishes. What could not be read is not among them. */
export function unpublishedFields(
  published: Record<PublishedField, Published>,
  parsed: ParsedRegistration,
  incomplete: readonly RecordField[],
): PublishedField[] {
  const isBlank = (field: PublishedField) => (parsed[field] ?? '').length === 0;
  return PUBLISHED_FIELDS.filter(
    (field) => published[field] === 'no' && isBlank(field) && !incomplete.includes(field),
  );
}

/** A service of a zone's registry, as known without a query to the root. */
export interface ZoneService {
  protocol: Protocol;
  /** Host of a WHOIS server (with another port than 43), base URL of an RDAP server. */
  server: string;
  /** Who names it: IANA's root or RDAP bootstrap, the operator's bootstrap, or the built-in list of other servers. */
  source: 'root' | 'bootstrap' | 'operator' | 'list';
  /** Date of that source: `YYYY-MM-DD`. */
  date: string;
  publishes: Record<PublishedField, Published>;
}

export interface ZoneFacts {
  zone: string;
  /** Best first; empty if there are none, or none is known. */
  services: ZoneService[];
  registryWebsite: string | null;
}

interface ZoneSources extends ReturnType<BootstrapSource['current']> {
  table: RegistryTable;
}

/** All zones with a registry of their own: top-level domains, and those below them in the built-in list. */
export function listZones(sources: ZoneSources): ZoneFacts[] {
  const { table, bootstrap } = sources;
  const zones = [...new Set([...table.zones, ...bootstrap.zones])].sort();
  return zones.map((zone) => {
    const name = { tld: zone.slice(zone.lastIndexOf('.') + 1), zone };
    const services = registryServices(name, BUNDLED_ROOT, table, bootstrap.basesFor(zone));
    return {
      zone,
      services: services.map((service) => describe(service, zone, sources)),
      registryWebsite: websiteOf(name, undefined, table) ?? null,
    };
  });
}

function describe(
  service: NamedService,
  zone: string,
  { table, bootstrap, isOwn }: ZoneSources,
): ZoneService {
  const { protocol, source } = service;
  const date = {
    root: table.rootZoneDate,
    bootstrap: bootstrap.publication.slice(0, 10),
    list: table.listDates[protocol],
  }[source];
  return {
    protocol,
    server: addressOf(service),
    source: source === 'bootstrap' && isOwn ? 'operator' : source,
    date,
    publishes: publicationOf(protocol, zone),
  };
}
