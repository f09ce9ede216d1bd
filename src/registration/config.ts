import { z } from 'zod';
import { parseCidr } from '../kit/client-address.ts';
import { commaList, milliseconds, portNumber, wholeNumber } from '../kit/config.ts';
import { parseEndpoint, parseHostMapping } from './host-map.ts';

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

const cidrs = () =>
  commaList().refine((list) => list.every((text) => parseCidr(text) !== undefined), {
    message: 'must be address ranges separated by commas, such as 10.0.0.0/8,fd00::/8',
  });

const hostMap = () =>
  commaList().transform((list, context) => {
    const pairs = list.map(parseHostMapping);
    const bad = list.filter((_, index) => pairs[index] === undefined);
    if (bad.length === 0) return new Map(pairs.filter((pair) => pair !== undefined));
    context.addIssue({ code: 'custom', message: `must be name=address:port,...; not so: ${bad.join(', ')}` });
    return z.NEVER;
  });

/** The registration service's settings. The descriptions are what docs/configuration.md says. */
export const RegistrationConfig = z.object({
  HOST: z.string().default('127.0.0.1').meta({ description: 'Address to listen on.' }),
  REGISTRATION_PORT: portNumber()
    .default(3_001)
    .meta({ description: 'Port to listen on; 0 means any free one.' }),
  REGISTRATION_SOURCE: z
    .enum(['sample', 'live'], 'must be "sample" or "live"')
    .default('sample')
    .meta({
      description: '`sample`: invented registries on this machine. `live`: the real root and registries.',
    }),
  WHOIS_ROOT: endpoint()
    .default({ host: 'whois.iana.org', port: 43 })
    .meta({ description: 'The root WHOIS server (live only).' }),
  RDAP_BOOTSTRAP: z
    .string()
    .default('https://data.iana.org/rdap/dns.json')
    .meta({
      description:
        "Which RDAP server answers for which zone: a URL or a file in the form of IANA's (live only).",
    }),
  HOST_MAP: hostMap()
    .default(new Map())
    .meta({ description: 'Where server names are reached instead: `name=address:port,...` (live only).' }),
  ALLOWED_CIDRS: cidrs()
    .default([])
    .meta({ description: 'Private and special ranges that may be connected to all the same (live only).' }),
  LOOKUP_TIMEOUT_MS: milliseconds()
    .default(10_000)
    .meta({ description: 'Time for a whole look-up, all servers together.' }),
  REGISTRY_CONCURRENT: wholeNumber(1, 100)
    .default(2)
    .meta({ description: 'Queries under way at one registry server.' }),
  REGISTRY_PER_SECOND: wholeNumber(0, 10_000)
    .default(5)
    .meta({ description: 'Queries a second at one registry server in the long run; 0 means no limit.' }),
  REGISTRY_BURST: wholeNumber(1, 10_000)
    .default(10)
    .meta({ description: 'Queries at one registry server that may go at once after a quiet time.' }),
  REGISTRATION_USER_AGENT: z
    .string()
    .regex(/^[\x20-\x7e]{1,200}$/, 'must be 1 to 200 printable ASCII characters')
    .default('mokuroku-registration/0.1')
    .meta({
      description: 'How RDAP servers are told who asks; add a contact when you run the service for others.',
    }),
  REGISTRATION_CACHE_BYTES: wholeNumber(1_048_576, 17_179_869_184)
    .default(67_108_864)
    .meta({ description: 'Bound of the answers kept in memory.' }),
  TRUSTED_PROXIES: cidrs()
    .default([])
    .meta({ description: 'Proxies whose X-Forwarded-For is believed: addresses and ranges.' }),
  RATE_LIMIT: wholeNumber(0, 1_000_000)
    .default(60)
    .meta({ description: 'Requests per minute and client; 0 means no limit.' }),
  LOG_LEVEL: z
    .enum(['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'])
    .default('info')
    .meta({ description: 'What is written to the log; `debug` names every hop of a look-up.' }),
});

export type RegistrationConfig = z.output<typeof RegistrationConfig>;
