import { z } from 'zod';
import { integerSchema, textSchema } from '../../http/documented-schemas.ts';
import type { ErrorCode } from '../../errors.ts';
import { ENDINGS } from '../record/ending.ts';
import { DATES, OTHER_DETAILS, REGISTRANT_DETAILS, REGISTRAR_DETAILS, mapRows } from '../record/fields.ts';
import type { FieldRow } from '../record/fields.ts';

const textOrNull = (description: string, example: string | null) =>
  z.string().nullable().meta({ description, example });

const dateSchema = (_name: unknown, { text, example }: FieldRow) =>
  textOrNull(
    `${text.en} \`YYYY-MM-DDTHH:MM:SSZ\` in UTC, or \`YYYY-MM-DD\` where the registry states only a day; null when it is not stated or cannot be read.`,
    example,
  );

const detailSchema = (_name: unknown, { text, example }: FieldRow) => textOrNull(text.en, example);

const RegistrarDetails = z.object(mapRows(REGISTRAR_DETAILS, detailSchema)).nullable().meta({
  title: 'RegistrarDetails',
  description: 'Further data of the registrar; null if the registry states none.',
});

const Registrant = z.object(mapRows(REGISTRANT_DETAILS, detailSchema)).nullable().meta({
  title: 'Registrant',
  description:
    "The holder, if public. Never a person's name, address, e-mail or telephone number; `raw` has what the registry publishes.",
});

const DelegationSigner = z
  .object({
    keyTag: integerSchema('Key tag.', 12345),
    algorithm: integerSchema('Algorithm of the key.', 13),
    digestType: integerSchema('Digest type.', 2),
    digest: textSchema('Digest, hexadecimal.', '00112233445566778899AABBCCDDEEFF'),
  })
  .meta({ title: 'DelegationSigner', description: 'A DS record (RFC 4034, section 5.1).' });

const Dnssec = z
  .object({
    signed: z.boolean().meta({ description: 'Whether the delegation is signed.', example: true }),
    ds: z.array(DelegationSigner).meta({ description: 'Its DS records, if stated.' }),
  })
  .nullable()
  .meta({ title: 'Dnssec', description: 'Null if the registry states nothing about DNSSEC.' });

const Parsed = z
  .object({
    domainName: textOrNull('The name as the registry states it, lower case.', 'example.com'),
    registrar: textOrNull('Name of the registrar.', 'Kamome Names (sample)'),
    ...mapRows(DATES, dateSchema),
    nameServers: z.array(z.string()).meta({
      description: 'Host names, lower case, without addresses, in the order of the registry.',
      example: ['ns1.hosting.example', 'ns2.hosting.example'],
    }),
    status: z.array(z.string()).meta({
      description: 'EPP status codes (https://icann.org/epp), or the words of the registry.',
      example: ['clientTransferProhibited'],
    }),
    registrarDetails: RegistrarDetails,
    registrant: Registrant,
    dnssec: Dnssec,
    ...mapRows(OTHER_DETAILS, detailSchema),
  })
  .meta({
    title: 'ParsedRegistration',
    description: 'Always all members; null or empty if the text does not state them.',
  });

const protocol = z.enum(['whois', 'rdap']).meta({ description: 'Protocol of the query.', example: 'whois' });

const EvidenceLine = z
  .object({
    kind: z.enum(['sentence', 'status', 'record', 'rdap', 'witness']).meta({
      description:
        'A known sentence, a status value, the record, an RDAP object or status code, or (`witness`) an unknown text that the server also sends for a random name but not for a registered one.',
      example: 'sentence',
    }),
    line: textSchema(
      'The line of `raw`, without blanks around it, 200 characters at most.',
      'No match for "FREE-NAME.COM".',
    ),
  })
  .meta({ title: 'Evidence', description: 'A line that indicates a state.' });

export const Evidence = EvidenceLine.nullable().meta({
  description:
    "The line of the registry's answer that decided the state (of `registry.raw` if present); null if no single line did.",
});

const Hop = z
  .object({
    server: textSchema('Host name.', 'whois.iana.org'),
    protocol,
    role: z
      .enum(['root', 'registry', 'registrar'])
      .meta({ description: 'Role of the server.', example: 'root' }),
    outcome: textSchema(
      'Its answer (`referral`, `registered` ...), or why there was none (`timeout` ...).',
      'referral',
    ),
    ms: integerSchema('Milliseconds; 0 if the answer was cached.', 41),
  })
  .meta({ title: 'Hop', description: 'One queried server.' });

const Hops = z.array(Hop).meta({ description: 'The queried servers in order, five at most.' });

export const Ignored = z
  .array(z.string())
  .optional()
  .meta({
    description: 'Query parameters without effect; omitted if there are none.',
    example: ['folow'],
  });

export const Ending = z.enum(ENDINGS).nullable().meta({
  description:
    'Whether and how the registration ends, from its status and dates: `expired`, `redemption` (deleted, its holder can restore it), `pending_delete`, `on_hold` (removed from the DNS). A registry may have renewed such a name by a year, so `daysLeft` alone does not show it. Null if neither a status nor a date is stated.',
  example: 'none',
});

/** The published response. */
export const LookUpAnswer = z
  .object({
    domain: textSchema('The requested name as given.', 'www.example.com'),
    whoisServer: textSchema(
      'Host that sent `raw`: a WHOIS server, or an RDAP server if `protocol` is `rdap`.',
      'whois.verisign-grs.com',
    ),
    raw: textSchema(
      "The server's text, decoded; JSON text if `protocol` is `rdap`.",
      'Domain Name: EXAMPLE.COM\r\n...',
    ),
    parsed: Parsed,
    protocol,
    state: z.enum(['registered', 'reserved']).meta({
      description: '`reserved`: withheld by the registry, neither registered nor available.',
      example: 'registered',
    }),
    evidence: Evidence,
    daysLeft: integerSchema(
      'Days until `parsed.expirationDate`, rounded; negative after it, null if it is not stated. Computed at the look-up: see `Age`.',
      1598,
    ).nullable(),
    ending: Ending,
    hops: Hops,
    registry: z
      .object({
        whoisServer: textSchema('Host of the registry.', 'whois.verisign-grs.com'),
        raw: textSchema('Its text.', 'Domain Name: EXAMPLE.COM\r\n...'),
        protocol,
      })
      .optional()
      .meta({
        description: "With `follow=registrar`, if `raw` is the registrar's: the registry's answer.",
      }),
    ignored: Ignored,
    truncated: z.literal(true).optional().meta({
      description: 'The connection broke during the answer: fields may be missing.',
      example: true,
    }),
  })
  .meta({ title: 'LookUp' });
export type LookUpAnswer = z.infer<typeof LookUpAnswer>;

/** Details of an unusable answer. */
const shown = {
  whoisServer: textSchema('Host of the unusable answer.', 'whois.registry.example').optional(),
  protocol: protocol.optional(),
  raw: textSchema(
    'Its text, for people to read: the first 65,536 characters.',
    '<html>Maintenance</html>',
  ).optional(),
};

const registryWebsite = textOrNull("The registry's web page, if known.", 'https://nic.example/');

export const NotRegisteredDetails = z.object({
  whoisServer: textSchema('Host of that answer.', 'whois.verisign-grs.com'),
  raw: textSchema('Its text.', 'No match for "FREE-NAME.COM".'),
  protocol,
  evidence: Evidence,
  hops: Hops,
});

export const InvalidDomainDetails = z.array(
  z.object({
    parameter: z.enum(['domain', 'path', 'target']).meta({
      description: '`path`: its percent-encoding is invalid.',
      example: 'domain',
    }),
    reason: textSchema('What is wrong.', 'its label "-a" starts or ends with a hyphen'),
    given: textSchema('The given value, 100 characters at most.', '-a.com').optional(),
    allowed: textSchema('The allowed values.', 'percent-encoded UTF-8').optional(),
    ...shown,
    evidence: Evidence.optional(),
  }),
);

const InvalidParameterDetails = z.array(
  z.object({
    parameter: textSchema('Name of the parameter.', 'follow'),
    given: textSchema('The given value, 100 characters at most.', 'both'),
    allowed: z.union([z.string(), z.array(z.string())]).meta({
      description: 'The allowed values.',
      example: ['registry', 'registrar'],
    }),
  }),
);

const UnknownTldDetails = z.object({
  tld: textSchema('The requested top-level domain.', 'nowhere'),
  hops: Hops,
});

const NoServiceDetails = z.object({
  zone: textSchema('The zone of registrations.', 'va'),
  registryWebsite,
  hops: Hops,
});

const RateLimitedDetails = z.object({
  whoisServer: textSchema('Host of that answer.', 'whois.denic.de').optional(),
  limitedBy: z.enum(['registry', 'service']).meta({
    description: '`registry`: it throttles. `service`: our own limit for this registry is reached.',
    example: 'registry',
  }),
  hops: Hops,
});

const UnavailableDetails = z.object({
  hops: Hops,
  ...shown,
  evidence: Evidence.optional(),
  contradictions: z
    .array(EvidenceLine)
    .optional()
    .meta({ description: 'The lines that contradict each other or are unknown, four at most.' }),
  registryWebsite: registryWebsite.optional(),
});

/** Errors of a look-up, described in docs/registration.md. */
export const REGISTRATION_ERRORS = [
  'invalid_parameter',
  'invalid_domain',
  'not_found',
  'unknown_tld',
  'not_registered',
  'no_registry_service',
  'registry_rate_limited',
  'registry_unavailable',
  'registry_timeout',
] as const satisfies ErrorCode[];

export const REGISTRATION_ERROR_DETAILS: Partial<Record<ErrorCode, z.ZodType>> = {
  invalid_parameter: InvalidParameterDetails,
  invalid_domain: InvalidDomainDetails,
  unknown_tld: UnknownTldDetails,
  not_registered: NotRegisteredDetails,
  no_registry_service: NoServiceDetails,
  registry_rate_limited: RateLimitedDetails,
  registry_unavailable: UnavailableDetails,
  registry_timeout: UnavailableDetails,
};
