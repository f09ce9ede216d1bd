import { readFileSync } from 'node:fs';
import { z } from 'zod';
import {
  ConfigError,
  VERSION,
  addressRanges,
  commaList,
  portNumber,
  rejectValue,
} from '@mokuroku/kit/process';
import { withoutPasswords } from '@mokuroku/kit/requests';
import { SERVICE_SETTINGS } from '@mokuroku/kit/service';
import {
  DEFAULT_SETTINGS,
  parseAddressRange,
  parseEndpoint,
  parseHostMapping,
  readBootstrap,
} from 'mokuroku-whois/service';
import type { LookUpSettings } from 'mokuroku-whois/service';

const endpoint = () =>
  z.string().transform((text, context) => {
    const reason = 'must be host:port, such as whois.iana.org:43 or [::1]:4343';
    return parseEndpoint(text) ?? rejectValue(context, reason);
  });

const hostMap = () =>
  commaList().transform((list, context) => {
    const pairs = list.map(parseHostMapping);
    const bad = list.filter((_, index) => pairs[index] === undefined);
    if (bad.length === 0) return new Map(pairs.filter((pair) => pair !== undefined));
    return rejectValue(context, `must be name=address:port,...; not so: ${bad.join(', ')}`);
  });

/** Settings of the registration service, from the environment. Only main.ts reads them. */
export const REGISTRATION_CONFIG = z.object({
  REGISTRATION_PORT: portNumber().prefault('3001').describe('Port to listen on; 0 means any free one.'),
  REGISTRATION_SOURCE: z
    .enum(['sample', 'live'], 'must be sample or live')
    .default('sample')
    .describe(
      'Registries to query: invented ones on this machine, or the real ones. WHOIS_ROOT, RDAP_BOOTSTRAP, HOST_MAP and ALLOWED_CIDRS apply to live.',
    ),
  WHOIS_ROOT: endpoint().prefault('whois.iana.org:43').describe('The root WHOIS server.'),
  RDAP_BOOTSTRAP: z
    .string()
    .default('https://data.iana.org/rdap/dns.json')
    .describe("RDAP servers by zone: a URL or a file in IANA's format."),
  HOST_MAP: hostMap().prefault('').describe('Replaces addresses of servers, for tests and closed networks.'),
  ALLOWED_CIDRS: addressRanges(parseAddressRange)
    .prefault('')
    .describe('Private and special address ranges that are allowed.'),
  RAW_CONTACTS: z
    .enum(['whole', 'redact'], 'must be whole or redact')
    .default('whole')
    .describe("Whether `raw` is a registry's whole text, or empty (docs/data-protection.md)."),
  ...SERVICE_SETTINGS.shape,
});

export type RegistrationConfig = Readonly<z.output<typeof REGISTRATION_CONFIG>>;

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
