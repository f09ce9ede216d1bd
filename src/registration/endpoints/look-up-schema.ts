import { z } from 'zod';

const date = (what: string, example: string | null) =>
  z
    .string()
    .nullable()
    .meta({
      description: `${what} \`YYYY-MM-DDTHH:MM:SSZ\` in UTC, or \`YYYY-MM-DD\` where the registry states only a day; null when it is not stated or cannot be read.`,
      example,
    });

const Parsed = z
  .object({
    domainName: z
      .string()
      .nullable()
      .meta({ description: 'The name as the registry states it, lower case.', example: 'example.com' }),
    registrar: z
      .string()
      .nullable()
      .meta({ description: 'Name of the registrar.', example: 'Kamome Names (sample)' }),
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
  })
  .meta({
    title: 'ParsedRegistration',
    description: 'Always all seven; null or empty where the text says nothing.',
  });

const protocol = z
  .enum(['whois', 'rdap'])
  .meta({ description: 'How the server was asked.', example: 'whois' });

const Hop = z
  .object({
    server: z.string().meta({ description: 'Host name.', example: 'whois.iana.org' }),
    protocol,
    role: z
      .enum(['root', 'registry', 'registrar'])
      .meta({ description: 'What the server is.', example: 'root' }),
    outcome: z.string().meta({
      description: 'What it said (`referral`, `registered` ...), or why it did not answer (`timeout` ...).',
      example: 'referral',
    }),
    ms: z.number().meta({
      type: 'integer',
      description: 'Milliseconds; 0 when the answer was known already.',
      example: 41,
    }),
  })
  .meta({ title: 'Hop', description: 'One server asked on the way.' });

export const Hops = z.array(Hop).meta({ description: 'The servers asked, in order: five at most.' });

/** The answer, as published. */
export const LookUpAnswer = z
  .object({
    domain: z
      .string()
      .meta({ description: 'The name asked for, letter for letter.', example: 'www.example.com' }),
    whoisServer: z.string().meta({
      description: 'Host whose text is in `raw`: a WHOIS server, or an RDAP server when `protocol` says so.',
      example: 'whois.verisign-grs.com',
    }),
    raw: z.string().meta({
      description: 'The text as the server returned it, decoded; JSON text when `protocol` is `rdap`.',
      example: 'Domain Name: EXAMPLE.COM\r\n...',
    }),
    parsed: Parsed,
    protocol,
    state: z.enum(['registered', 'reserved']).meta({
      description: '`reserved`: kept by the registry, held by nobody and not free.',
      example: 'registered',
    }),
    hops: Hops,
    registry: z
      .object({
        whoisServer: z
          .string()
          .meta({ description: 'Host of the registry.', example: 'whois.verisign-grs.com' }),
        raw: z.string().meta({ description: 'Its text.', example: 'Domain Name: EXAMPLE.COM\r\n...' }),
        protocol,
      })
      .optional()
      .meta({
        description: "With `follow=registrar`, when `raw` is the registrar's: the registry's own answer.",
      }),
    truncated: z.literal(true).optional().meta({
      description: 'The server broke off in the middle of its answer: fields may be missing.',
      example: true,
    }),
  })
  .meta({ title: 'LookUp' });

export const NotRegisteredDetails = z.object({
  whoisServer: z.string().meta({ description: 'Host that said so.', example: 'whois.verisign-grs.com' }),
  raw: z.string().meta({ description: 'Its text.', example: 'No match for "FREE-NAME.COM".' }),
  protocol,
  hops: Hops,
});

export const InvalidDomainDetails = z.array(
  z.object({
    parameter: z.enum(['domain', 'path']).meta({
      description: '`path`: not even its percent-encoding can be read.',
      example: 'domain',
    }),
    reason: z.string().meta({
      description: 'What is wrong.',
      example: 'its label "-a" starts or ends with a hyphen',
    }),
    given: z
      .string()
      .optional()
      .meta({ description: 'As given, 100 characters at most.', example: '-a.com' }),
    allowed: z
      .string()
      .optional()
      .meta({ description: 'What would be right.', example: 'percent-encoded UTF-8' }),
  }),
);
