import { z } from 'zod';
import { addressRanges, commaList, portNumber, rejectValue } from '@mokuroku/kit/process';
import { SERVICE_SETTINGS } from '@mokuroku/kit/service';
import { parseEndpoint, parseHostMapping } from 'mokuroku-whois/service';

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
  RAW_CONTACTS: z
    .enum(['whole', 'redact'], 'must be whole or redact')
    .default('whole')
    .describe("Whether `raw` is a registry's whole text, or empty (docs/data-protection.md)."),
  ...SERVICE_SETTINGS.shape,
});

export type RegistrationConfig = Readonly<z.output<typeof REGISTRATION_CONFIG>>;
