import bundledBootstrap from './data/rdap-bootstrap.json' with { type: 'json' };
import type { Clock } from '../../process/clock.ts';
import type { Logger } from '../../process/logger.ts';
import { VERSION } from '../../process/version.ts';
import { createAddressGuard } from '../net/address-guard.ts';
import { createDialer } from '../net/dial.ts';
import type { ResolveHost } from '../net/dial.ts';
import { readDomainName } from './domain-name.ts';
import type { DomainName } from './domain-name.ts';
import type { Endpoint, HostMap } from '../net/host-map.ts';
import type { Hop } from './journey.ts';
import { createLookUp } from './look-up.ts';
import type { LookUp } from './look-up.ts';
import { readBootstrap } from '../rdap/bootstrap.ts';
import { createBootstrapSource } from '../rdap/bootstrap-source.ts';
import { createRdapClient } from '../rdap/client.ts';
import { createHttpGet } from '../rdap/http-get.ts';
import { createRegistryAsker } from './registry-answer.ts';
import { createRegistryLimits } from './registry-limits.ts';
import { builtInTable } from './registry-table.ts';
import { createRootDirectory } from './root-directory.ts';
import { createSlowServers } from './slow-servers.ts';
import { createWhoisClient } from '../whois/client.ts';

/** How the outside world is reached. */
export interface LookUpSettings {
  whoisRoot: Endpoint;
  /** JSON in the form of IANA's dns.json, or where to fetch it. */
  rdapBootstrap: { kind: 'bundled' } | { kind: 'json'; json: unknown } | { kind: 'url'; url: string };
  hostMap: HostMap;
  allowedCidrs: readonly string[];
  /** For a whole look-up. */
  timeoutMs: number;
  /** Queries under way at one registry server. */
  concurrentPerRegistry: number;
  /** Queries a second at one registry server in the long run; 0: not limited. */
  perSecondPerRegistry: number;
  burstPerRegistry: number;
  userAgent: string;
}

export const LIVE_ROOT: Endpoint = { host: 'whois.iana.org', port: 43 };
export const IANA_BOOTSTRAP_URL = 'https://data.iana.org/rdap/dns.json';

export const DEFAULT_SETTINGS: LookUpSettings = {
  whoisRoot: LIVE_ROOT,
  rdapBootstrap: { kind: 'bundled' },
  hostMap: new Map(),
  allowedCidrs: [],
  timeoutMs: 10_000,
  concurrentPerRegistry: 2,
  perSecondPerRegistry: 5,
  burstPerRegistry: 10,
  userAgent: `mokuroku/${VERSION} (domain registration lookup)`,
};

export interface DomainLookUp {
  /** Takes a name apart; throws ServiceError `invalid_domain`. */
  readName: (asked: string) => DomainName;
  lookUp: LookUp;
  /** Ends what goes on behind the look-ups. */
  stop: () => void;
}

export interface Surroundings {
  clock: Clock;
  log: Logger;
  resolve: ResolveHost;
  /** Told of every server asked. */
  observeHop?: (hop: Hop) => void;
}

/** Puts the parts of a look-up together: one guarded dialer under both protocols, one set of limits over them. */
export function createDomainLookUp(
  settings: LookUpSettings,
  { clock, log, resolve, observeHop = () => undefined }: Surroundings,
): DomainLookUp {
  const table = builtInTable;
  const guard = createAddressGuard(settings.allowedCidrs);
  const dial = createDialer({ clock, guard, hostMap: settings.hostMap, resolve });
  const askWhois = createWhoisClient(clock, dial);
  const httpGet = createHttpGet(clock, dial, settings.userAgent);
  const limits = createRegistryLimits({
    random: Math.random,
    clock,
    concurrent: settings.concurrentPerRegistry,
    perSecond: settings.perSecondPerRegistry,
    burst: settings.burstPerRegistry,
  });
  const slow = createSlowServers(clock);
  const { rdapBootstrap } = settings;
  const bootstrap = createBootstrapSource({
    clock,
    log,
    httpGet,
    bundled: readBootstrap(rdapBootstrap.kind === 'json' ? rdapBootstrap.json : bundledBootstrap),
    url: rdapBootstrap.kind === 'url' ? rdapBootstrap.url : undefined,
    mustWait: rdapBootstrap.kind === 'url' && rdapBootstrap.url !== IANA_BOOTSTRAP_URL,
  });
  const lookUp = createLookUp({
    clock,
    log,
    table,
    timeoutMs: settings.timeoutMs,
    observeHop,
    root: createRootDirectory({ clock, limits, askWhois, root: settings.whoisRoot }),
    asker: createRegistryAsker({ clock, limits, slow, askWhois, askRdap: createRdapClient(httpGet) }),
    slow,
    rdapBasesFor: bootstrap.basesFor,
  });
  return {
    readName: (asked) => readDomainName(asked, table.hasOwnRegistry),
    lookUp,
    stop: bootstrap.stop,
  };
}
