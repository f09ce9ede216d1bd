import type { DomainName } from './domain-name.ts';
import type { Endpoint } from '../net/host-map.ts';
import type { RegistryFault } from './registry-fault.ts';
import type { RegistryTable } from './registry-table.ts';
import type { RootAnswer } from './root-directory.ts';
import { WHOIS_PORT } from '../whois/servers.ts';

/** One way to ask a registry. */
export type RegistryService = { protocol: 'whois'; endpoint: Endpoint } | { protocol: 'rdap'; url: string };

/**
 * The services that may be asked about a name, best first: the WHOIS server that the root names, RDAP by IANA's
 * bootstrap (`rdapBases`), then what the built-in table knows. A zone with a registry of its own has that one alone:
 * the TLD's registry would call every name in it unregistered.
 */
export function servicesFor(
  name: DomainName,
  root: RootAnswer | RegistryFault | undefined,
  table: RegistryTable,
  rdapBases: readonly string[],
): RegistryService[] {
  const hasOwnRegistry = table.hasOwnRegistry(name.zone);
  const facts = table.factsOf(hasOwnRegistry ? name.zone : name.tld);
  const whoisHosts: Endpoint[] = [];
  const named = root instanceof Error ? table.rootWhoisOf(name.tld) : root?.endpoint;
  if (named != null) whoisHosts.push(typeof named === 'string' ? { host: named, port: WHOIS_PORT } : named);
  else if (facts.whois !== undefined) whoisHosts.push({ host: facts.whois, port: WHOIS_PORT });
  const base = (hasOwnRegistry ? undefined : rdapBases[0]) ?? facts.rdap;

  const whois = whoisHosts.map((endpoint) => ({ protocol: 'whois', endpoint }) as const);
  if (base === undefined) return whois;
  const rdap = { protocol: 'rdap', url: `${base}domain/${name.name}` } as const;
  // Where the root names no WHOIS server, the table's is older knowledge than IANA's bootstrap.
  return named == null && base !== facts.rdap ? [rdap, ...whois] : [...whois, rdap];
}
