// Registries with invented domains on loopback, for the sample and for tests.

import http from 'node:http';
import type { Socket } from 'node:net';
import type { HostMap, HostPort } from 'mokuroku-whois/service';
import type { LoopbackServer } from './loopback-server.ts';
import { listening, startWhoisServer } from './loopback-server.ts';
import {
  germanForm,
  japaneseForm,
  rdapNotFound,
  rdapRecord,
  registrarForm,
  thickForm,
  thinForm,
} from './record-forms.ts';
import type { WhoisForm } from './record-forms.ts';
import { SAMPLE_DOMAINS, SAMPLE_ZONES } from './sample-domains.ts';
import type { SampleZone } from './sample-domains.ts';

/** The running servers of the sample, and the settings for a look-up to reach them. */
export interface SampleRegistries {
  /** Port of the root, for plain WHOIS clients. */
  rootPort: number;
  settings: {
    whoisRoot: HostPort;
    hostMap: HostMap;
    allowedCidrs: readonly string[];
    rdapBootstrap: { json: unknown };
    /** The sample's servers need no rate limit. */
    perSecondPerRegistry: 0;
    unknownTldHint: string;
  };
  close(): Promise<void>;
}

const ROOT_HOST = 'whois.iana.org';
const RDAP_HOST = 'rdap.registry.example';

/**
 * Starts a root, registries, a registrar and an RDAP server with invented domains on free loopback ports. The root
 * refers to the names of real servers, and HOST_MAP redirects them here. So a look-up takes the same path as on the
 * internet, including address checks.
 */
export async function startSampleRegistries(): Promise<SampleRegistries> {
  const servers = new Map<string, LoopbackServer>();
  for (const [host, registry] of SAMPLE_REGISTRIES) servers.set(host, await startWhoisServer(registry));
  const root = await startWhoisServer(sampleRoot((host) => servers.get(host)?.port));
  servers.set(ROOT_HOST, root);
  servers.set(RDAP_HOST, await startRdapServer());
  const hostMap = new Map([...servers].map(([host, { port }]) => [host, { host: '127.0.0.1', port }]));
  return {
    rootPort: root.port,
    settings: {
      whoisRoot: { host: ROOT_HOST, port: 43 },
      hostMap,
      allowedCidrs: ['127.0.0.1/32'],
      rdapBootstrap: { json: sampleBootstrap() },
      perSecondPerRegistry: 0,
      unknownTldHint: ' in the sample; --live queries the real root and registries',
    },
    close: async () => {
      await Promise.all([...servers.values()].map((server) => server.close()));
    },
  };
}

/** Plain http: a loopback server has no name for a certificate. */
function sampleBootstrap(): unknown {
  const labels = SAMPLE_ZONES.filter(({ hasRdap }) => hasRdap).map(({ tld }) => tld);
  return { publication: '2026-11-01T00:00:00Z', services: [[labels, [`http://${RDAP_HOST}/`]]] };
}

function startRdapServer(): Promise<LoopbackServer> {
  const server = http.createServer((request, response) => {
    const [, name = ''] = /^\/domain\/([a-z0-9.-]{1,253})$/i.exec(request.url ?? '') ?? [];
    const domain = DOMAINS.get(name.toLowerCase());
    response.writeHead(domain ? 200 : 404, { 'Content-Type': 'application/rdap+json' });
    response.end(domain ? rdapRecord(domain) : rdapNotFound(name));
  });
  return listening(server, () => server.closeAllConnections());
}

/** Answers one query line. */
export type Registry = (query: string, socket: Socket) => void;

const DOMAINS = new Map(SAMPLE_DOMAINS.map((domain) => [domain.name, domain]));
const ZONES = new Map(SAMPLE_ZONES.map((zone) => [zone.tld, zone]));

const QUOTA_EXCEEDED =
  'Error for "query".\r\n\r\nThe WHOIS query quota for 127.0.0.1 has been exceeded\r\n' +
  'and will be replenished in 30 seconds\r\n';

/** The sample's WHOIS registries and registrars by host name. */
const SAMPLE_REGISTRIES: ReadonlyMap<string, Registry> = new Map<string, Registry>([
  ['whois.verisign-grs.com', answering(thinForm)],
  ['whois.publicinterestregistry.org', answering(thickForm)],
  ['whois.jprs.jp', answering(japaneseForm)],
  ['whois.denic.de', answering(germanForm)],
  ['whois.registrar.example', answering(registrarForm)],
  ['whois.nic.closed', (_, socket) => socket.end('Requests of this client are not permitted.\r\n')],
  ['whois.nic.busy', (_, socket) => socket.end(QUOTA_EXCEEDED)],
  ['whois.nic.slow', (query, socket) => dripText(`Domain Name: ${query}\r\n`, socket)],
  ['whois.nic.broken', (_, socket) => socket.end('Doma')],
]);

/** Answers about a name alone, as any WHOIS client sends it, and in the query syntax of the real registry. */
function answering(form: WhoisForm): Registry {
  return (query, socket) => {
    const name = query.replace(/^.* |\/e$/g, '');
    const domain = DOMAINS.get(name.toLowerCase());
    const lines =
      domain === undefined
        ? form.notFound(name)
        : domain.reserved
          ? [`${name} is reserved by the registry.`]
          : form.record(domain);
    socket.end(`${lines.join('\r\n')}\r\n`);
  };
}

const DRIP_EVERY_MS = 500;

/** Sends a byte from time to time and never ends: a test of the total deadline. */
function dripText(text: string, socket: Socket): void {
  let at = 0;
  const timer = setInterval(() => {
    socket.write(text[at % text.length] ?? '');
    at++;
  }, DRIP_EVERY_MS);
  socket.once('close', () => clearInterval(timer));
}

/**
 * A root server in IANA's form. For a name below a TLD it adds `% referto:`, which Debian's whois and others follow:
 * on the internet, the host names of the sample's servers belong to others or do not exist.
 */
function sampleRoot(portOf: (host: string) => number | undefined): Registry {
  return (query, socket) => {
    const name = query.toLowerCase().replace(/\.$/, '');
    const zone = ZONES.get(name.slice(name.lastIndexOf('.') + 1));
    socket.end(zone === undefined ? NO_OBJECT : rootObject(zone, name, portOf(zone.whois ?? '')));
  };
}

const HEAD = '% IANA WHOIS server (sample)\n% This is an invented root.\n';
const NO_OBJECT = `${HEAD}% This query returned 0 objects.\n`;

function rootObject(zone: SampleZone, name: string, port: number | undefined): string {
  const server = zone.whois ?? '';
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
