import type { Registry } from './registries.ts';
import type { SampleZone } from './sample-domains.ts';

/** The port on which a registry of the sample accepts bare names, for any WHOIS client. */
type PortOf = (host: string) => number | undefined;

/**
 * A root server in IANA's form. For a name below a TLD it adds `% referto:`, which Debian's whois and others follow:
 * on the internet, the host names of the sample's servers belong to others or do not exist.
 */
export function sampleRoot(zones: readonly SampleZone[], portOf: PortOf): Registry {
  const byTld = new Map(zones.map((zone) => [zone.tld, zone]));
  return (query, socket) => {
    const name = query.toLowerCase().replace(/\.$/, '');
    const zone = byTld.get(name.slice(name.lastIndexOf('.') + 1));
    socket.end(zone === undefined ? NO_OBJECT : rootObject(zone, name, portOf));
  };
}

const HEAD = '% IANA WHOIS server (sample)\n% This is an invented root.\n';
const NO_OBJECT = `${HEAD}% This query returned 0 objects.\n`;

function rootObject(zone: SampleZone, name: string, portOf: PortOf): string {
  const server = zone.whois ?? '';
  const port = portOf(server);
  return [
    `${HEAD}% This query returned 1 object`,
    ...(name.includes('.') && port !== undefined ? [`% referto: whois -h 127.0.0.1 -p ${port} ${name}`] : []),
    '',
    `refer:        ${server}`,
    '',
    `domain:       ${zone.tld.toUpperCase()}`,
    '',
    `organisation: ${zone.organisation}`,
    'address:      Sample Street 1',
    '',
    'nserver:      A.NIC.EXAMPLE 192.0.2.1',
    '',
    `whois:        ${server}`,
    '',
    'status:       ACTIVE',
    `remarks:      Registration information: ${zone.website ?? 'https://registry.example/'}`,
    '',
    'created:      1985-01-01',
    'changed:      2026-01-01',
    'source:       IANA',
    '',
  ].join('\n');
}
