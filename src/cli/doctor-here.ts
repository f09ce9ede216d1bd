import { z } from 'zod';
import { CATALOGUE_CONFIG } from '../catalogue/config.ts';
import { HARVEST_CONFIG } from '../catalogue/harvest/config.ts';
import { checksOf } from '../doctor/check.ts';
import type { Check, Need } from '../doctor/check.ts';
import { folderCheck, namesCheck, nodeCheck, portCheck, settingsCheck } from '../doctor/here/checks.ts';
import { storeCheck } from '../doctor/here/store.ts';
import type { Clock } from '../process/clock.ts';
import { readConfig } from '../process/config.ts';
import type { Environment } from '../process/config.ts';
import { REGISTRATION_CONFIG } from '../registration/config.ts';
import { lookUpSettings } from '../registration/look-up/settings.ts';
import type { ResolveHost } from '../registration/net/resolve.ts';
import { PROCESS_CONFIG } from '../service/settings.ts';
import { PREFIX, misspelledSettings, withoutForeignHost } from './settings-environment.ts';

/** Every setting of the services, their process and a harvest. */
const ALL_SETTINGS = z.object({
  ...HARVEST_CONFIG.shape,
  ...PROCESS_CONFIG.shape,
  ...CATALOGUE_CONFIG.shape,
  ...REGISTRATION_CONFIG.shape,
});

export type AllSettings = Readonly<z.output<typeof ALL_SETTINGS>>;

/** The settings, with defaults for the unreadable ones, and the names of these. */
function readSettings(environment: Environment): { settings: AllSettings; unreadable: string[] } {
  const given = Object.entries(environment).filter(([, value]) => value?.trim());
  const issues = ALL_SETTINGS.safeParse(Object.fromEntries(given)).error?.issues ?? [];
  const unreadable = new Set(issues.map(({ path: [name] }) => String(name)));
  const read = () =>
    readConfig(ALL_SETTINGS, Object.fromEntries(given.filter(([name]) => !unreadable.has(name))));
  try {
    lookUpSettings({ ...read(), REGISTRATION_SOURCE: 'live' });
  } catch {
    // The schema does not read a file of the bootstrap.
    unreadable.add('RDAP_BOOTSTRAP');
  }
  return { settings: read(), unreadable: [...unreadable] };
}

const isServed = ({ SERVE_ONLY }: AllSettings, service: AllSettings['SERVE_ONLY']): boolean =>
  SERVE_ONLY === undefined || SERVE_ONLY === service;

/** The hosts that `serve --live` connects to, after HOST_MAP. */
function hostsOf(settings: AllSettings): string[] {
  const { NAROU_BASE_URL, WHOIS_ROOT, RDAP_BOOTSTRAP, HOST_MAP } = settings;
  const hostOf = (url: string): string =>
    URL.canParse(url) ? new URL(url).hostname.replace(/^\[|\]$/g, '') : '';
  const hosts = [
    ...(isServed(settings, 'catalogue') ? [hostOf(NAROU_BASE_URL)] : []),
    ...(isServed(settings, 'registration') ? [WHOIS_ROOT.host, hostOf(RDAP_BOOTSTRAP)] : []),
  ].map((host) => HOST_MAP.get(host)?.host ?? host);
  return [...new Set(hosts)].filter((host) => host !== '');
}

/** Building the index of a whole catalogue takes some gigabytes. */
const CATALOGUE_BYTES = 8e9;

interface MachineParts {
  readonly isLive: boolean;
  readonly resolve: ResolveHost;
  readonly clock: Clock;
  /** Missing if no server has an address. */
  readonly network: Need;
}

/** Checks of this machine under its settings, without upstream requests. */
export async function machineChecks(
  given: Environment,
  parts: MachineParts,
): Promise<{ checks: Check[]; settings: AllSettings }> {
  let hasForeignHost = false;
  const environment = await withoutForeignHost(given, () => (hasForeignHost = true));
  const { settings, unreadable } = readSettings(environment);
  const { HOST: host, METRICS_HOST, METRICS_PORT, NAROU_CONTACT, NAROU_USER_AGENT } = settings;
  const [hasCatalogue, hasRegistration] = [
    isServed(settings, 'catalogue'),
    isServed(settings, 'registration'),
  ];
  const faults = {
    hasForeignHost,
    unreadable: unreadable.map((name) => (environment[PREFIX + name]?.trim() ? PREFIX + name : name)),
    misspelled: misspelledSettings(given, Object.keys(ALL_SETTINGS.shape)).map(({ name, meant }) =>
      meant === undefined ? name : `${name} (MOKUROKU_${meant}?)`,
    ),
    lacksContact: parts.isLive && hasCatalogue && !(NAROU_CONTACT ?? NAROU_USER_AGENT),
  };
  const [catalogue, cache] = [environment['CATALOGUE_DIR']?.trim(), environment['CACHE_DIR']?.trim()];
  const rows = [
    nodeCheck(process.versions.node),
    settingsCheck(faults),
    hasCatalogue && portCheck({ name: 'CATALOGUE_PORT', host, port: settings.CATALOGUE_PORT }),
    hasRegistration && portCheck({ name: 'REGISTRATION_PORT', host, port: settings.REGISTRATION_PORT }),
    METRICS_PORT !== undefined && portCheck({ name: 'METRICS_PORT', host: METRICS_HOST, port: METRICS_PORT }),
    catalogue && folderCheck('CATALOGUE_DIR', catalogue, false, CATALOGUE_BYTES),
    cache && folderCheck('CACHE_DIR', cache, true, settings.CACHE_DISK_MAX_BYTES),
    storeCheck(settings, parts.clock),
    namesCheck(hostsOf(settings), parts),
  ];
  return {
    checks: checksOf(
      'here',
      [],
      rows.filter((row) => typeof row === 'object'),
    ),
    settings,
  };
}
