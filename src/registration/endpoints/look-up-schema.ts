import { z } from 'zod';
import type { ErrorCode } from '../../errors.ts';

const date = (what: string, example: string | null) =>
  z
    .string()
    .nullable()
    .meta({
      description: `${what} \`YYYY-MM-DDTHH:MM:SSZ\` in UTC, or \`YYYY-MM-DD\` where the registry states only a day; null when it is not stated or cannot be read.`,
      example,
    });

/** A text, published with what it means and what it may be. */
export const text = (description: string, example: string) => z.string().meta({ description, example });
const textOrNull = (description: string, example: string) =>
  z.string().nullable().meta({ description, example });
const integer = (description: string, example: number) =>
  z.number().meta({ type: 'integer', description, example });

const RegistrarDetails = z
  .object({
    ianaId: textOrNull("Number in IANA's list of registrars.", '9999'),
    url: textOrNull('Web address.', 'https://www.registrar.example'),
    abuseEmail: textOrNull('Where abuse is reported.', 'abuse@registrar.example'),
    abusePhone: textOrNull('Telephone for the same.', '+1.5555550100'),
  })
  .nullable()
  .meta({
    title: 'RegistrarDetails',
    description: 'What the registry says of the registrar beside its name; null where it says nothing.',
  });

const Registrant = z
  .object({
    organization: textOrNull('The organisation that holds the name.', 'Sample Organisation'),
    country: textOrNull('Its country as the registry writes it, mostly two letters.', 'JP'),
  })
  .nullable()
  .meta({
    title: 'Registrant',
    description:
      "Who holds the name, where public. Never a person's name, address, e-mail or telephone: `raw` has what the registry chose to publish.",
  });

const DelegationSigner = z
  .object({
    keyTag: integer('Key tag.', 12345),
    algorithm: integer('Algorithm of the key.', 13),
    digestType: integer('How the digest was made.', 2),
    digest: text('Digest, hexadecimal.', '00112233445566778899AABBCCDDEEFF'),
  })
  .meta({ title: 'DelegationSigner', description: 'A DS record (RFC 4034, section 5.1).' });

const Dnssec = z
  .object({
    signed: z.boolean().meta({ description: 'Whether the delegation is signed.', example: true }),
    ds: z.array(DelegationSigner).meta({ description: 'Its DS records, where the registry states them.' }),
  })
  .nullable()
  .meta({ title: 'Dnssec', description: 'Null where the registry says nothing of DNSSEC.' });

const Parsed = z
  .object({
    domainName: textOrNull('The name as the registry states it, lower case.', 'example.com'),
    registrar: textOrNull('Name of the registrar.', 'Kamome Names (sample)'),
    creationDate: date('When the name was registered.', '1999-04-09T01:30:00Z'),
    expirationDate: date('When the registration ends.', '2031-04-09T01:30:00Z'),
    updatedDate: date('When the registration was last changed.', '2026-03-02T08:15:42Z'),
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
    reseller: textOrNull(
      'Through whom the name was registered, where that is not the registrar.',
      'Sample Reseller',
    ),
  })
  .meta({
    title: 'ParsedRegistration',
    description: 'Always all members; null or empty where the text says nothing.',
  });

const protocol = z
  .enum(['whois', 'rdap'])
  .meta({ description: 'How the server was asked.', example: 'whois' });

const EvidenceLine = z
  .object({
    kind: z.enum(['sentence', 'status', 'record', 'rdap', 'witness']).meta({
      description:
        'A known sentence, a value of status, the record itself, an RDAP object or status code, or (`witness`) an unknown text that the server also says of a random name, and not of a registered one.',
      example: 'sentence',
    }),
    line: text(
      'The line of `raw`, without blanks around it, 200 characters at most.',
      'No match for "FREE-NAME.COM".',
    ),
  })
  .meta({ title: 'Evidence', description: 'A line that speaks for a state.' });

export const Evidence = EvidenceLine.nullable().meta({
  description:
    "What decided the state, in the registry's answer (`registry.raw` where that is there); null where no line alone did.",
});

const Hop = z
  .object({
    server: text('Host name.', 'whois.iana.org'),
    protocol,
    role: z
      .enum(['root', 'registry', 'registrar'])
      .meta({ description: 'What the server is.', example: 'root' }),
    outcome: text(
      'What it said (`referral`, `registered` ...), or why it did not answer (`timeout` ...).',
      'referral',
    ),
    ms: integer('Milliseconds; 0 when the answer was known already.', 41),
  })
  .meta({ title: 'Hop', description: 'One server asked on the way.' });

const Hops = z.array(Hop).meta({ description: 'The servers asked, in order: five at most.' });

export const Ignored = z
  .array(z.string())
  .optional()
  .meta({
    description: 'Query parameters that have no effect; left out when there are none.',
    example: ['folow'],
  });

/** The answer, as published. */
export const LookUpAnswer = z
  .object({
    domain: text('The name asked for, letter for letter.', 'www.example.com'),
    whoisServer: text(
      'Host whose text is in `raw`: a WHOIS server, or an RDAP server when `protocol` says so.',
      'whois.verisign-grs.com',
    ),
    raw: text(
      'The text as the server returned it, decoded; JSON text when `protocol` is `rdap`.',
      'Domain Name: EXAMPLE.COM\r\n...',
    ),
    parsed: Parsed,
    protocol,
    state: z.enum(['registered', 'reserved']).meta({
      description: '`reserved`: kept by the registry, held by nobody and not free.',
      example: 'registered',
    }),
    evidence: Evidence,
    daysLeft: integer(
      'Days until `parsed.expirationDate`, rounded; negative when it has passed, null where it is not stated. Counted when the name was looked up: `Age` says how long ago.',
      1598,
    ).nullable(),
    hops: Hops,
    registry: z
      .object({
        whoisServer: text('Host of the registry.', 'whois.verisign-grs.com'),
        raw: text('Its text.', 'Domain Name: EXAMPLE.COM\r\n...'),
        protocol,
      })
      .optional()
      .meta({
        description: "With `follow=registrar`, when `raw` is the registrar's: the registry's own answer.",
      }),
    ignored: Ignored,
    truncated: z.literal(true).optional().meta({
      description: 'The server broke off in the middle of its answer: fields may be missing.',
      example: true,
    }),
  })
  .meta({ title: 'LookUp' });
export type LookUpAnswer = z.infer<typeof LookUpAnswer>;

/** What the server said, where that is not the answer. */
const shown = {
  whoisServer: text('Host whose answer cannot be used.', 'whois.registry.example').optional(),
  protocol: protocol.optional(),
  raw: text(
    'What it said, so that a person can read what we cannot: its first 65,536 characters.',
    '<html>Maintenance</html>',
  ).optional(),
};

const registryWebsite = textOrNull(
  'Where the registry answers on the web, as far as we know.',
  'https://nic.example/',
);

export const NotRegisteredDetails = z.object({
  whoisServer: text('Host that said so.', 'whois.verisign-grs.com'),
  raw: text('Its text.', 'No match for "FREE-NAME.COM".'),
  protocol,
  evidence: Evidence,
  hops: Hops,
});

export const InvalidDomainDetails = z.array(
  z.object({
    parameter: z.enum(['domain', 'path', 'target']).meta({
      description: '`path`: not even its percent-encoding can be read.',
      example: 'domain',
    }),
    reason: text('What is wrong.', 'its label "-a" starts or ends with a hyphen'),
    given: text('As given, 100 characters at most.', '-a.com').optional(),
    allowed: text('What would be right.', 'percent-encoded UTF-8').optional(),
    ...shown,
    evidence: Evidence.optional(),
  }),
);

const InvalidParameterDetails = z.array(
  z.object({
    parameter: text('Name of the parameter.', 'follow'),
    given: text('As given, 100 characters at most.', 'both'),
    allowed: z.union([z.string(), z.array(z.string())]).meta({
      description: 'What would be right.',
      example: ['registry', 'registrar'],
    }),
  }),
);

const UnknownTldDetails = z.object({
  tld: text('The top-level domain asked for.', 'nowhere'),
  hops: Hops,
});

const NoServiceDetails = z.object({
  zone: text('The zone that names are registered in.', 'va'),
  registryWebsite,
  hops: Hops,
});

const RateLimitedDetails = z.object({
  whoisServer: text('Host that said so.', 'whois.denic.de').optional(),
  limitedBy: z.enum(['registry', 'service']).meta({
    description: '`registry`: it asked us to wait. `service`: our own limit for this registry is reached.',
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
    .meta({ description: 'The lines that speak against each other or that nobody knows, four at most.' }),
  registryWebsite: registryWebsite.optional(),
});

/** What a look-up may end in beside an answer; docs/registration.md tells each. */
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
