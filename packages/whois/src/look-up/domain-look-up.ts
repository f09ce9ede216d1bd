import bundledBootstrap from './data/rdap-bootstrap.json' with { type: 'json' };
import type { Clock, Sleep } from '../net/clock.ts';
import type { Log } from '../net/log.ts';
import { createAddressGuard } from '../net/address-guard.ts';
import { createDialer, createDialerThrough } from '../net/dial.ts';
import type { Connect } from '../net/dial.ts';
import type { HostPort, HostMap } from '../net/host-map.ts';
import type { ResolveHost } from '../net/resolve.ts';
import { readBootstrap, createBootstrapSource } from '../rdap/bootstrap.ts';
import type { AboutBootstrap } from '../rdap/bootstrap.ts';
import { createRdapClient } from '../rdap/client.ts';
import { createFetchGet } from '../rdap/http-get.ts';
import type { Fetch } from '../rdap/http-get.ts';
import { createHttpGet } from '../rdap/http-get.ts';
import { createWhoisClient } from '../whois/client.ts';
import { createDenialVerifier } from './verify-denial.ts';
import { createRegistryClient } from './query-server.ts';
import { readDomainName } from './domain-name.ts';
import type { DomainName } from './domain-name.ts';
import { createGate } from './gate.ts';
import type { Gate, ServerLimits } from './gate.ts';
import type { Hop, ProtocolChoice } from './hops.ts';
import { createRoot } from './root.ts';
import { createRegistryGate } from './registry-gate.ts';
import { builtInTable } from './services.ts';
import { createLookUp } from './look-up.ts';
import type { LookUpFromRoot } from './look-up.ts';
import { withoutTexts } from './without-texts.ts';
import { listZones } from './zones.ts';
import type { ZoneFacts } from './zones.ts';

/** Settings of the connections. */
export interface LookUpSettings extends ServerLimits {
  whoisRoot: HostPort;
  /** JSON in the form of IANA's dns.json, or its URL. Default, and until the first fetch: the bundled one. */
  rdapBootstrap: { json?: unknown; url?: string };
  hostMap: HostMap;
  allowedCidrs: readonly string[];
  /** Timeout of a whole look-up. */
  timeoutMs: number;
  protocols: ProtocolChoice;
  userAgent: string;
  /** Addition to the message for an unknown top-level domain: ` in the sample ...`. */
  unknownTldHint: string;
  /** Whether registries' texts are returned; `raw` is empty otherwise. */
  withTexts: boolean;
}

export const LIVE_ROOT: HostPort = { host: 'whois.iana.org', port: 43 };
export const IANA_BOOTSTRAP_URL = 'https://data.iana.org/rdap/dns.json';

export const DEFAULT_SETTINGS: LookUpSettings = {
  whoisRoot: LIVE_ROOT,
  rdapBootstrap: {},
  hostMap: new Map(),
  allowedCidrs: [],
  timeoutMs: 10_000,
  protocols: 'both',
  concurrentPerRegistry: 2,
  perSecondPerRegistry: 5,
  burstPerRegistry: 10,
  userAgent: 'mokuroku-whois (domain registration lookup)',
  unknownTldHint: '',
  withTexts: true,
};

export interface DomainLookUp {
  /** Parses a name; throws LookUpError `invalid_domain`. */
  readName: (spelling: string) => DomainName;
  lookUp: LookUpFromRoot;
  /** The data in use: the RDAP bootstrap, and the date of the bundled table, used if the root is unreachable. */
  about: () => { rdapBootstrap: AboutBootstrap; rootZone: { source: 'bundled'; date: string } };
  /** All zones with their services and what their registries publish. */
  zones: () => ZoneFacts[];
  /** Stops background work. */
  stop: () => void;
}

export interface LookUpParts {
  clock: Clock;
  log?: Log | undefined;
  /** Replaces the gate of the settings' limits. */
  gate?: Gate | undefined;
  /** Of the gate of the settings' limits. */
  sleep?: Sleep | undefined;
  resolve: ResolveHost;
  /** Called with every hop. */
  observeHop?: (hop: Hop) => void;
  /** Replaces own connections; addresses are then not checked. */
  connect?: Connect | undefined;
  /** Replaces own HTTP requests. */
  fetch?: Fetch | undefined;
}

/** Assembles a look-up: both protocols share one guarded dialer and the gate. */
export function createDomainLookUp(settings: LookUpSettings, parts: LookUpParts): DomainLookUp {
  const { clock, log = () => undefined, resolve, observeHop = () => undefined, connect, fetch } = parts;
  const { hostMap, userAgent } = settings;
  const guard = createAddressGuard(settings.allowedCidrs);
  const dial = connect
    ? createDialerThrough(connect, hostMap)
    : createDialer({ clock, guard, hostMap, resolve });
  const queryWhois = createWhoisClient(dial);
  const httpGet = fetch ? createFetchGet(fetch, userAgent, clock) : createHttpGet(dial, userAgent, clock);
  const gate = createRegistryGate(parts.gate ?? createGate(settings, clock, parts.sleep), clock);
  const { json, url } = settings.rdapBootstrap;
  const bootstrap = createBootstrapSource({
    clock,
    log,
    httpGet,
    initial: readBootstrap(json === undefined ? bundledBootstrap : json),
    initialSource: json === undefined ? 'bundled' : 'file',
    url,
    mustWait: url !== IANA_BOOTSTRAP_URL,
  });
  const servers = createRegistryClient({ clock, gate, queryWhois, fetchRdap: createRdapClient(httpGet) });
  const lookUp = createLookUp({
    clock,
    log,
    table: builtInTable,
    bootstrap,
    root: createRoot({ clock, gate, queryWhois, endpoint: settings.whoisRoot }),
    servers,
    verifyDenial: createDenialVerifier(clock, log, servers.queryAlone),
    timeoutMs: settings.timeoutMs,
    protocols: settings.protocols,
    observeHop,
    unknownTldHint: settings.unknownTldHint,
  });
  return {
    readName: (spelling) => readDomainName(spelling, builtInTable.hasOwnRegistry),
    lookUp: settings.withTexts ? lookUp : withoutTexts(lookUp),
    about: () => ({
      rdapBootstrap: bootstrap.about(),
      rootZone: { source: 'bundled', date: builtInTable.rootZoneDate },
    }),
    zones: () => listZones({ table: builtInTable, ...bootstrap.current() }),
    stop: bootstrap.stop,
  };
}
