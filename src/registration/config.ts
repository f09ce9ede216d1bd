import { z } from 'zod';
import { addressRanges } from '../http/client-address.ts';
import { commaList, milliseconds, portNumber, wholeNumber } from '../process/config.ts';
import { SERVICE_SETTINGS } from '../service/settings.ts';
import { VERSION } from '../process/version.ts';
import { parseEndpoint, parseHostMapping } from './net/host-map.ts';

const endpoint = () =>
  z.string().transform((text, context) => {
    const parsed = parseEndpoint(text);
    if (parsed) return parsed;
    context.addIssue({
      code: 'custom',
      message: 'must be host:port, such as whois.iana.org:43 or [::1]:4343',
    });
    return z.NEVER;
  });

const hostMap = () =>
  commaList().transform((list, context) => {
    const pairs = list.map(parseHostMapping);
    const bad = list.filter((_, index) => pairs[index] === undefined);
    if (bad.length === 0) return new Map(pairs.filter((pair) => pair !== undefined));
    context.addIssue({ code: 'custom', message: `must be name=address:port,...; not so: ${bad.join(', ')}` });
    return z.NEVER;
  });

/** The settings of the registration service, as the environment gives them. Read in main.ts alone. */
export const REGISTRATION_CONFIG = z.object({
  REGISTRATION_PORT: portNumber().prefault('3001').describe('Port to listen on; 0 means any free one.'),
  REGISTRATION_SOURCE: z
    .enum(['sample', 'live'], 'must be sample or live')
    .default('sample')
    .describe('Whom to ask: invented registries on this machine, or the real root and registries.'),
  WHOIS_ROOT: endpoint()
    .prefault('whois.iana.org:43')
    .describe('The root WHOIS server, host:port; read when REGISTRATION_SOURCE is live.'),
  RDAP_BOOTSTRAP: z
    .string()
    .default('https://data.iana.org/rdap/dns.json')
    .describe(
      "Which RDAP server answers for which zone: URL or file in the form of IANA's; read when REGISTRATION_SOURCE is live.",
    ),
  HOST_MAP: hostMap()
    .prefault('')
    .describe(
      'Where servers are reached instead, for tests and closed networks: name=address:port,...; read when REGISTRATION_SOURCE is live.',
    ),
  ALLOWED_CIDRS: addressRanges()
    .prefault('')
    .describe(
      'Private and special ranges that may be connected to all the same; read when REGISTRATION_SOURCE is live.',
    ),
  SAMPLE_WHOIS_PORT: portNumber()
    .prefault('0')
    .describe(
      "Loopback port of the sample's root WHOIS server, for any WHOIS client; 0 means any free one, named in the log.",
    ),
  LOOKUP_TIMEOUT_MS: milliseconds()
    .prefault('10000')
    .describe('For a whole look-up: root, registry and registrar together.'),
  REGISTRY_CONCURRENT: wholeNumber(1, 100)
    .prefault('2')
    .describe('Queries under way at one registry server.'),
  REGISTRY_PER_SECOND: wholeNumber(0, 10_000)
    .prefault('5')
    .describe('Queries a second at one registry server in the long run; 0 means no limit.'),
  REGISTRY_BURST: wholeNumber(1, 10_000)
    .prefault('10')
    .describe('Queries at one registry server that may go at once after a quiet time.'),
  REGISTRY_WITNESSES: z
    .enum(['on', 'off'], 'must be on or off')
    .default('on')
    .describe(
      'Whether a short WHOIS text that nobody knows is tested: the server is asked for a registered and for a random name, once a day at most.',
    ),
  RDAP_USER_AGENT: z
    .string()
    .regex(/^[\x20-\x7e]{1,300}$/, 'must be up to 300 printable ASCII characters')
    .default(`mokuroku/${VERSION} (domain registration lookup)`)
    .describe('What RDAP servers are told of us; name a contact when you run the service for others.'),
  ...SERVICE_SETTINGS.shape,
});

export type RegistrationConfig = Readonly<z.output<typeof REGISTRATION_CONFIG>>;
