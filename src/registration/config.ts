import { z } from 'zod';
import { addressRanges } from '../process/cidr.ts';
import { commaList, headerText, milliseconds, portNumber, wholeNumberSetting } from '../process/config.ts';
import { rejectValue } from '../process/reject-value.ts';
import { SERVICE_SETTINGS } from '../service/settings.ts';
import { VERSION } from '../process/version.ts';
import { parseEndpoint, parseHostMapping } from './net/host-map.ts';

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
  ALLOWED_CIDRS: addressRanges()
    .prefault('')
    .describe('Private and special address ranges that are allowed.'),
  SAMPLE_WHOIS_PORT: portNumber()
    .prefault('0')
    .describe("Loopback port of the sample's root WHOIS server; 0 means any free one, shown in the log."),
  LOOKUP_TIMEOUT_MS: milliseconds().prefault('10000').describe('Timeout for a whole look-up.'),
  REGISTRY_CONCURRENT: wholeNumberSetting(1, 100)
    .prefault('2')
    .describe('Simultaneous queries to one registry server.'),
  REGISTRY_PER_SECOND: wholeNumberSetting(0, 10_000)
    .prefault('5')
    .describe('Sustained queries a second to one registry server; 0 means no limit.'),
  REGISTRY_BURST: wholeNumberSetting(1, 10_000)
    .prefault('10')
    .describe('Queries to one registry server in a burst.'),
  RDAP_USER_AGENT: headerText()
    .default(`mokuroku/${VERSION} (domain registration lookup)`)
    .describe('User-Agent for RDAP servers; add a contact if you run the service for others.'),
  RAW_CONTACTS: z
    .enum(['whole', 'redact'], 'must be whole or redact')
    .default('whole')
    .describe(
      "Whether `raw` is a registry's whole text, or only the lines that stated a published field (docs/data-protection.md).",
    ),
  ...SERVICE_SETTINGS.shape,
});

export type RegistrationConfig = Readonly<z.output<typeof REGISTRATION_CONFIG>>;
