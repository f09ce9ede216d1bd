import { ServerFault } from '../net/server-fault.ts';
import type { BootstrapSource } from '../rdap/bootstrap.ts';
import type { Protocol } from './hops.ts';
import { publicationOf } from './publication.ts';
import type { Published, PublishedField } from './publication.ts';
import { addressOf, registryServices, websiteOf } from './services.ts';
import type { NamedService, RegistryTable } from './services.ts';

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

/** The look-up queries the root first: its bundled answers stand for it here. */
const BUNDLED_ROOT = new ServerFault('unreachable');

/** All zones with a registry of their own: top-level domains, and those below them in the built-in list. */
export function listZones(sources: ZoneSources): ZoneFacts[] {
  const { table, bootstrap } = sources;
  const zones = [...new Set([...table.zones, ...bootstrap.zones])].sort();
  return zones.map((zone) => {
    const name = { tld: zone.slice(zone.lastIndexOf('.') + 1), zone };
    const services = table.hasOwnRegistry(zone)
      ? registryServices(name, undefined, table, [])
      : registryServices(name, BUNDLED_ROOT, table, bootstrap.basesFor(zone));
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
