import bundledBootstrap from './data/rdap-bootstrap.json' with { type: 'json' };
import type { Clock, Sleep } from '@mokuroku/kit/clock';
import type { Log } from '../net/log.ts';
import { createAddressGuard } from '../net/address-guard.ts';
import { createDialer, createDialerThrough } from '../net/dial.ts';
import type { Connect } from '../net/dial.ts';
import type { ResolveHost } from '../net/resolve.ts';
import { readBootstrap, createBootstrapSource } from '../rdap/bootstrap.ts';
import type { AboutBootstrap } from '../rdap/bootstrap.ts';
import { createRdapClient } from '../rdap/client.ts';
import { createFetchGet, createHttpGet } from '../rdap/http-get.ts';
import type { Fetch } from '../rdap/http-get.ts';
import { createWhoisClient } from '../whois/client.ts';
import { CLIENT_DEFAULTS, IANA_BOOTSTRAP_URL } from './client-settings.ts';
import type { ClientSettings } from './client-settings.ts';
import { createDenialVerifier } from './verify-denial.ts';
import { createRegistryClient } from './query-server.ts';
import { createNameReader } from './domain-name.ts';
import type { DomainName, ReadDomainName } from './domain-name.ts';
import { RegistryGate, createGate } from './gate.ts';
import type { Gate, ServerLimits } from './gate.ts';
import { Reach } from './hops.ts';
import type { Hop } from './hops.ts';
import { createRoot } from './root.ts';
import { BUILT_IN, createRegistryTable } from './services.ts';
import { createLookUp } from './look-up.ts';
import type { LookUpFromRoot } from './look-up.ts';
import { withoutTexts } from './without-texts.ts';
import { listZones, nameFacts } from './zones.ts';
import type { NameFacts, ZoneFacts } from './zones.ts';

/** Settings of look-ups: the options of a client that are no parts of a program, and what only services change. */
export interface LookUpSettings
  extends Omit<ClientSettings, 'connect' | 'fetch' | 'log' | 'gate'>, ServerLimits {
  /** Addition to the message for an unknown top-level domain: ` in the sample ...`. */
  unknownTldHint: string;
  /** Whether registries' texts are returned; `raw` is empty otherwise. */
  withTexts: boolean;
}

/** With the bundled bootstrap. */
export const DEFAULT_SETTINGS: LookUpSettings = {
  ...CLIENT_DEFAULTS,
  rdapBootstrap: {},
  burstPerRegistry: 10,
  unknownTldHint: '',
  withTexts: true,
};

export interface DomainLookUp {
  readName: ReadDomainName;
  lookUp: LookUpFromRoot;
  /** The data in use: the RDAP bootstrap, and the date of the bundled table, used if the root is unreachable. */
  about: () => { rdapBootstrap: AboutBootstrap; rootZone: { source: 'bundled'; date: string } };
  /** All zones with their services and what their registries publish. */
  zones: () => ZoneFacts[];
  zoneOf: (name: DomainName) => NameFacts;
  /** Why no server can be reached, by the last look-ups; undefined if one can. */
  offline: () => string | undefined;
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
  const gate = new RegistryGate(parts.gate ?? createGate(settings, clock, parts.sleep), clock);
  const table = createRegistryTable(BUILT_IN, settings.servers);
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
  const servers = createRegistryClient({ gate, queryWhois, fetchRdap: createRdapClient(httpGet) });
  const reach = new Reach(log);
  const lookUp = createLookUp({
    clock,
    log,
    table,
    bootstrap,
    root: createRoot({ clock, gate, queryWhois, endpoint: settings.whoisRoot }),
    servers,
    verifyDenial: createDenialVerifier(clock, log, servers.queryAlone),
    timeoutMs: settings.timeoutMs,
    protocols: settings.protocols,
    observeHop,
    reach,
    unknownTldHint: settings.unknownTldHint,
  });
  return {
    readName: createNameReader(table.hasOwnRegistry),
    lookUp: settings.withTexts ? lookUp : withoutTexts(lookUp),
    about: () => ({
      rdapBootstrap: bootstrap.about(),
      rootZone: { source: 'bundled', date: table.rootZoneDate },
    }),
    zones: () => listZones({ table, ...bootstrap.current() }),
    zoneOf: (name) => nameFacts(name, { table, ...bootstrap.current() }),
    offline: () => reach.offline,
    stop: bootstrap.stop,
  };
}
