import type { Socket } from 'node:net';
import { createDomainLookUp, DEFAULT_SETTINGS } from '../src/look-up/domain-look-up.ts';
import type { DomainLookUp, LookUpSettings } from '../src/look-up/domain-look-up.ts';
import type { Gate } from '../src/look-up/gate.ts';
import { systemClock } from '@mokuroku/kit/clock';
import type { Clock, Sleep } from '@mokuroku/kit/clock';
import type { HostPort } from '../src/net/host-map.ts';
import type { Log } from '../src/net/log.ts';
import type { Fetch } from '../src/rdap/http-get.ts';
import type { Follow } from '../src/look-up/look-up.ts';
import type { LookUpResult } from '../src/look-up/result.ts';
import { startWhoisServer } from '../../mokuroku/src/registration/sample/loopback-server.ts';
import type { LoopbackServer } from '../../mokuroku/src/registration/sample/loopback-server.ts';

/** A response text, or what happens to the connection. */
export type WhoisReply = string | ((query: string, socket: Socket) => void);

export interface WorldOptions {
  /** The root's response per TLD: the WHOIS host of its referral, or its whole text. Unknown TLDs have no object. */
  root?: Record<string, { refer: string } | string> | ((query: string, socket: Socket) => void);
  /** WHOIS servers by host name. */
  whois?: Record<string, WhoisReply>;
  /** Further running servers: host names to ports. */
  ports?: Record<string, number>;
  /** Addresses of host names, as in HOST_MAP. */
  hosts?: Record<string, HostPort>;
  /** RDAP base URLs by zone. */
  rdap?: Record<string, string>;
  settings?: Partial<LookUpSettings>;
  clock?: Clock;
  /** How the gate waits. */
  sleep?: Sleep;
  /** Replaces HTTP requests, as in LookUpParts. */
  fetch?: Fetch;
  log?: Log;
  /** Replaces the gate, as in LookUpParts. */
  gate?: Gate;
  /** Addresses of unmapped hosts. */
  resolve?: (host: string) => Promise<string[]>;
}

export interface World {
  lookUp: (given: string, follow?: Follow) => Promise<LookUpResult>;
  domainLookUp: DomainLookUp;
  /** `host query` of every WHOIS query that arrived, the root's as `root tld`. */
  queries: string[];
  close: () => Promise<void>;
}

/** A root, WHOIS servers and a look-up over them, all on loopback. Without a rate, so that tests need not wait. */
export async function startWorld(options: WorldOptions): Promise<World> {
  const queries: string[] = [];
  const servers: LoopbackServer[] = [];
  const hostMap = new Map<string, HostPort>();

  async function serve(host: string, answer: WhoisReply): Promise<void> {
    const server = await startWhoisServer((query, socket) => {
      queries.push(`${host} ${query}`);
      if (typeof answer === 'string') socket.end(answer);
      else answer(query, socket);
    });
    servers.push(server);
    hostMap.set(host, { host: '127.0.0.1', port: server.port });
  }

  await serve('root', rootAnswer(options.root ?? {}));
  for (const [host, answer] of Object.entries(options.whois ?? {})) await serve(host, answer);
  for (const [host, port] of Object.entries(options.ports ?? {}))
    hostMap.set(host, { host: '127.0.0.1', port });
  for (const [host, endpoint] of Object.entries(options.hosts ?? {})) hostMap.set(host, endpoint);
  const domainLookUp = createDomainLookUp(
    {
      ...DEFAULT_SETTINGS,
      whoisRoot: { host: 'root', port: 43 },
      hostMap,
      allowedCidrs: ['127.0.0.1/32'],
      rdapBootstrap: { json: bootstrap(options.rdap ?? {}) },
      perSecondPerRegistry: 0,
      ...options.settings,
    },
    {
      clock: options.clock ?? systemClock,
      log: options.log,
      gate: options.gate,
      sleep: options.sleep,
      fetch: options.fetch,
      resolve: options.resolve ?? (() => Promise.resolve([])),
    },
  );
  return {
    queries,
    domainLookUp,
    lookUp: async (spelling, follow = 'registry') =>
      domainLookUp.lookUp(domainLookUp.readName(spelling), follow),
    close: async () => {
      domainLookUp.stop();
      await Promise.all(servers.map((server) => server.close()));
    },
  };
}

function rootAnswer(root: NonNullable<WorldOptions['root']>): WhoisReply {
  if (typeof root === 'function') return root;
  return (query, socket) => {
    const rootAnswer = root[query];
    if (rootAnswer === undefined) socket.end('% This query returned 0 objects.\n');
    else socket.end(typeof rootAnswer === 'string' ? rootAnswer : rootObject(query, rootAnswer.refer));
  };
}

/** IANA's form. */
export function rootObject(tld: string, refer: string): string {
  return `% This query returned 1 object\n\nrefer:        ${refer}\n\ndomain:       ${tld.toUpperCase()}\n\nwhois:        ${refer}\n\nstatus:       ACTIVE\n\nsource:       IANA\n`;
}

function bootstrap(rdap: Record<string, string>): unknown {
  const services = Object.entries(rdap).map(([zone, base]) => [[zone], [base]]);
  return {
    publication: '2026-11-01T00:00:00Z',
    services: [...services, [['unused'], ['https://rdap.unused.example/']]],
  };
}

/** A registered name in the most common form. */
export function record(name: string, more: readonly string[] = []): string {
  return [
    `Domain Name: ${name}`,
    'Registrar: Sample Registrar',
    'Creation Date: 2001-02-03T04:05:06Z',
    'Registry Expiry Date: 2031-02-03T04:05:06Z',
    'Updated Date: 2026-01-02T03:04:05Z',
    'Name Server: ns1.hosting.example',
    'Name Server: ns2.hosting.example',
    'Domain Status: ok https://icann.org/epp#ok',
    ...more,
    '',
  ].join('\r\n');
}
