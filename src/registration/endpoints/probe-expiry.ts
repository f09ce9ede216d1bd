import { z } from 'zod';
import { ServiceError } from '../../errors.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import type { DomainName } from '../look-up/domain-name.ts';
import { findRegistration, ignoredOf, oneValue } from './kept-look-up.ts';
import type { RegistrationServices } from './kept-look-up.ts';
import { REGISTRATION_ERROR_DETAILS } from './look-up-schema.ts';

interface Gauge {
  name: string;
  help: string;
  /** undefined: not known, and then not told. */
  value: number | undefined;
}

const MEDIA_TYPE = 'text/plain; version=0.0.4';

/** GET /-/probe?target=example.com */
export function probeExpiry(services: RegistrationServices): Endpoint {
  const { clock } = services;
  return {
    name: 'probeExpiry',
    path: '/-/probe',
    group: 'Registration',
    summary: 'Expiry of a name for Prometheus',
    description:
      "For Prometheus' multi-target pattern: how long a name is still registered. 200 also when the look-up failed, which `domain_lookup_success` tells.",
    parameters: [
      {
        name: 'target',
        in: 'query',
        required: true,
        description: 'The domain name.',
        schema: { type: 'string' },
        example: 'example.com',
      },
    ],
    mediaType: MEDIA_TYPE,
    answer: z.string().meta({ description: "Prometheus' text format." }),
    errors: ['invalid_parameter', 'invalid_domain'],
    details: REGISTRATION_ERROR_DETAILS,
    ask: async ({ query }) => {
      const name = services.domainLookUp.readName(oneValue(query, 'target', 'a domain name'));
      const startedAt = clock.monotonic();
      const expiry = await findExpiry(services, name);
      const tookSeconds = (clock.monotonic() - startedAt) / 1_000;
      const gauges = gaugesOf(expiry, tookSeconds, clock.now() / 1_000);
      const body = gauges.map((gauge) => toText(gauge, name.name)).join('');
      return {
        body,
        contentType: `${MEDIA_TYPE}; charset=utf-8`,
        cacheControl: 'no-store',
        ignored: ignoredOf(query, ['target']),
      };
    },
  };
}

interface Expiry {
  /** undefined: nobody could say. */
  isRegistered: boolean | undefined;
  /** ISO 8601. */
  expirationDate: string | null;
}

function gaugesOf({ isRegistered, expirationDate }: Expiry, tookSeconds: number, now: number): Gauge[] {
  const expiresAt = expirationDate === null ? undefined : Date.parse(expirationDate) / 1_000;
  return [
    {
      name: 'domain_lookup_success',
      help: 'Whether the registry answered the question (1) or not (0).',
      value: isRegistered === undefined ? 0 : 1,
    },
    {
      name: 'domain_lookup_duration_seconds',
      help: 'How long the answer took; next to nothing where it was kept.',
      value: tookSeconds,
    },
    {
      name: 'domain_registered',
      help: 'Whether somebody holds the name.',
      value: isRegistered === undefined ? undefined : Number(isRegistered),
    },
    {
      name: 'domain_expiry_seconds',
      help: 'Seconds until the registration ends, less than 0 when it has; left out where the registry does not say.',
      value: expiresAt === undefined ? undefined : Math.round(expiresAt - now),
    },
    {
      name: 'domain_expiry_timestamp_seconds',
      help: 'When the registration ends, in seconds since 1970.',
      value: expiresAt,
    },
  ];
}

async function findExpiry(services: RegistrationServices, name: DomainName): Promise<Expiry> {
  try {
    const { data } = await findRegistration(services, name);
    return { isRegistered: data.state === 'registered', expirationDate: data.parsed.expirationDate };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const isAnswer = error.code === 'not_registered' || error.code === 'unknown_tld';
    return { isRegistered: isAnswer ? false : undefined, expirationDate: null };
  }
}

/** The name is of letters, digits, hyphens and dots: nothing to escape in a label. */
function toText({ name, help, value }: Gauge, domain: string): string {
  if (value === undefined) return '';
  return `# HELP ${name} ${help}\n# TYPE ${name} gauge\n${name}{domain="${domain}"} ${value}\n`;
}
