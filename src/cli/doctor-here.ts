import { z } from 'zod';
import { CATALOGUE_CONFIG } from '../catalogue/config.ts';
import { HARVEST_CONFIG } from '../catalogue/harvest/config.ts';
import type { MachineFacts } from '../doctor/here/checks.ts';
import { readConfig } from '../process/config.ts';
import type { Environment } from '../process/config.ts';
import { REGISTRATION_CONFIG } from '../registration/config.ts';
import { lookUpSettings } from '../registration/look-up/settings.ts';
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

function portsOf(settings: AllSettings): MachineFacts['ports'] {
  const { HOST: host, METRICS_HOST, METRICS_PORT, CATALOGUE_PORT, REGISTRATION_PORT } = settings;
  const ports = [
    isServed(settings, 'catalogue') && { name: 'CATALOGUE_PORT', host, port: CATALOGUE_PORT },
    isServed(settings, 'registration') && { name: 'REGISTRATION_PORT', host, port: REGISTRATION_PORT },
    METRICS_PORT !== undefined && { name: 'METRICS_PORT', host: METRICS_HOST, port: METRICS_PORT },
  ];
  return ports.filter((port) => port !== false);
}

/** Building the index of a whole catalogue takes some gigabytes. */
const CATALOGUE_BYTES = 8e9;

function foldersOf({ CACHE_DISK_MAX_BYTES }: AllSettings, environment: Environment): MachineFacts['folders'] {
  const folders = [
    { name: 'CATALOGUE_DIR', isWritten: false, requiredFreeBytes: CATALOGUE_BYTES },
    { name: 'CACHE_DIR', isWritten: true, requiredFreeBytes: CACHE_DISK_MAX_BYTES },
  ].map((each) => ({ ...each, folder: environment[each.name]?.trim() ?? '' }));
  return folders.filter(({ folder }) => folder !== '');
}

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

/** Facts about this machine and its settings, for the checks. */
export async function readMachineFacts(
  given: Environment,
  isLive: boolean,
): Promise<{ machine: MachineFacts; settings: AllSettings }> {
  let hasForeignHost = false;
  const environment = await withoutForeignHost(given, () => (hasForeignHost = true));
  const { settings, unreadable } = readSettings(environment);
  const { NAROU_CONTACT, NAROU_USER_AGENT } = settings;
  const machine: MachineFacts = {
    isLive,
    hasForeignHost,
    unreadableSettings: unreadable.map((name) => (environment[PREFIX + name]?.trim() ? PREFIX + name : name)),
    misspelled: misspelledSettings(given, Object.keys(ALL_SETTINGS.shape)).map(({ name, meant }) =>
      meant === undefined ? name : `${name} (MOKUROKU_${meant}?)`,
    ),
    lacksContact: isLive && isServed(settings, 'catalogue') && !(NAROU_CONTACT ?? NAROU_USER_AGENT),
    ports: portsOf(settings),
    folders: foldersOf(settings, environment),
    store: settings,
    hosts: hostsOf(settings),
  };
  return { machine, settings };
}
