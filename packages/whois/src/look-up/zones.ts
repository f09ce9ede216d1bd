import type { BootstrapSource } from '../rdap/bootstrap.ts';
import type { RecordField } from '../record/registration-record.ts';
import facts from './data/published-fields.json' with { type: 'json' };
import type { Protocol } from './hops.ts';
import type { DomainName } from './domain-name.ts';
import { BUNDLED_ROOT, addressOf, registryOf, registryZoneOf } from './services.ts';
import type { NamedService, RegistryTable, ZoneName } from './services.ts';

/** Fields that some registries never publish. */
export const PUBLISHED_FIELDS = ['expirationDate', 'registrar', 'status'] as const satisfies RecordField[];
export type PublishedField = (typeof PUBLISHED_FIELDS)[number];

const PUBLISHED = ['yes', 'unknown', 'no'] as const;
/** Whether a registry publishes a field; `unknown` if too few of its answers were seen. */
export type Published = (typeof PUBLISHED)[number];

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

/** Whether a zone's registry publishes a field over a protocol. */
export function publicationOfField(protocol: Protocol, zone: string, field: PublishedField): Published {
  const known = FACTS[protocol].get(zone);
  return known?.states?.includes(field) ? 'yes' : known?.never?.includes(field) ? 'no' : 'unknown';
}

/** Of all fields. */
export const publicationOf = (protocol: Protocol, zone: string) =>
  Object.fromEntries(
    PUBLISHED_FIELDS.map((field) => [field, publicationOfField(protocol, zone, field)]),
  ) as Record<PublishedField, Published>;

/** A service of a zone's registry, as known without a query to the root. */
export interface ZoneService {
  protocol: Protocol;
  /** Host of a WHOIS server (with another port than 43), base URL of an RDAP server. */
  server: string;
  /** Who names it: IANA's root or RDAP bootstrap, the operator (also by a bootstrap), or the built-in list of other servers. */
  source: 'root' | 'bootstrap' | 'operator' | 'list';
  /** Date of that source: `YYYY-MM-DD`; empty for a server that the operator names. */
  date: string;
  publishes: Record<PublishedField, Published>;
}

export interface ZoneFacts {
  zone: string;
  /** Best first; empty if there are none, or none is known. */
  services: ZoneService[];
  registryWebsite: string | null;
}

/** What is known of a name without a query. */
export interface NameFacts extends ZoneFacts {
  /** The name to query: the registrable one, in A-labels. */
  name: string;
  /** What a look-up can state: of the first service; of an expiry also by RDAP. */
  publishes: Record<PublishedField, Published>;
}

interface ZoneSources extends ReturnType<BootstrapSource['current']> {
  table: RegistryTable;
}

/** All zones with a registry of their own: top-level domains, and those below them in the built-in list. */
export function listZones(sources: ZoneSources): ZoneFacts[] {
  const zones = [...new Set([...sources.table.zones, ...sources.bootstrap.zones])].sort();
  return zones.map((zone) => factsOf({ tld: zone.slice(zone.lastIndexOf('.') + 1), zone }, sources));
}

/** What is known of a name, without a query; of a top-level domain, what is known of the names in it. */
export function nameFacts(name: DomainName, sources: ZoneSources): NameFacts {
  const facts = factsOf(name, sources);
  const [first] = facts.services;
  const rdap = facts.services.find(({ protocol, source }) => protocol === 'rdap' && source !== 'list');
  const expiry = [first, rdap].map((service) => service?.publishes.expirationDate);
  const expirationDate = PUBLISHED.find((each) => expiry.includes(each)) ?? 'unknown';
  const { registrar = 'unknown', status = 'unknown' } = first?.publishes ?? {};
  return { name: name.name, ...facts, publishes: { expirationDate, registrar, status } };
}

function factsOf(name: ZoneName, sources: ZoneSources): ZoneFacts {
  const { table, bootstrap } = sources;
  const bases = bootstrap.basesFor(registryZoneOf(name, table));
  const { zone, services, website } = registryOf(name, BUNDLED_ROOT, table, bases);
  return {
    zone,
    services: services.map((service) => describe(service, zone, sources)),
    registryWebsite: website ?? null,
  };
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
    operator: '',
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
