import { readFileSync } from 'node:fs';
import { ConfigError, withoutPasswords, VERSION } from '@mokuroku/kit/process';
import type { RegistrationConfig } from './config.ts';
import { DEFAULT_SETTINGS, readBootstrap } from 'mokuroku-whois/service';
import type { LookUpSettings } from 'mokuroku-whois/service';

/** The User-Agent for RDAP servers; a contact that no header can have is left out. */
function userAgentFor(contact = ''): string {
  const suffix = /^[!-~]+$/.test(contact) ? `; contact: ${contact}` : '';
  return `mokuroku/${VERSION} (domain registration lookup${suffix})`;
}

/** Settings of look-ups from the environment; the sample replaces the servers. */
export function lookUpSettings(config: RegistrationConfig): LookUpSettings {
  const { OPERATOR_CONTACT: contact } = config;
  return {
    ...DEFAULT_SETTINGS,
    whoisRoot: config.WHOIS_ROOT,
    rdapBootstrap: config.REGISTRATION_SOURCE === 'live' ? bootstrapAt(config.RDAP_BOOTSTRAP) : {},
    hostMap: config.HOST_MAP,
    allowedCidrs: config.ALLOWED_CIDRS,
    userAgent: userAgentFor(contact?.replace(/^mailto:/, '')),
    withTexts: config.RAW_CONTACTS === 'whole',
  };
}

function bootstrapAt(urlOrFile: string): LookUpSettings['rdapBootstrap'] {
  const given = `RDAP_BOOTSTRAP=${JSON.stringify(withoutPasswords(urlOrFile))}`;
  if (/^https?:\/\//i.test(urlOrFile)) {
    if (URL.canParse(urlOrFile)) return { url: urlOrFile };
    throw new ConfigError([`${given}: is not a URL that can be read`]);
  }
  try {
    const json: unknown = JSON.parse(readFileSync(urlOrFile, 'utf8'));
    readBootstrap(json);
    return { json };
  } catch (cause) {
    const reason = cause instanceof Error ? withoutPasswords(cause.message) : 'unreadable';
    throw new ConfigError([`${given}: must be a URL or a file in the form of IANA's dns.json (${reason})`]);
  }
}
