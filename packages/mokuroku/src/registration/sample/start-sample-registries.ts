// Registries with invented domains on loopback, for the sample and for tests.

import http from 'node:http';
import type { HostMap, HostPort } from 'mokuroku-whois/service';
import type { LoopbackServer } from './loopback-server.ts';
import { listening, startWhoisServer } from './loopback-server.ts';
import { rdapNotFound, rdapRecord } from './record-forms.ts';
import { SAMPLE_REGISTRIES, sampleRoot } from './registries.ts';
import { SAMPLE_DOMAINS, SAMPLE_ZONES } from './sample-domains.ts';

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
    const domain = SAMPLE_DOMAINS.find((each) => each.name === name.toLowerCase());
    response.writeHead(domain ? 200 : 404, { 'Content-Type': 'application/rdap+json' });
    response.end(domain ? rdapRecord(domain) : rdapNotFound(name));
  });
  return listening(server, () => server.closeAllConnections());
}
