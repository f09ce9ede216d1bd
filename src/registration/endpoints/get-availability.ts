import { z } from 'zod';
import { textSchema } from '../../http/documented-schemas.ts';
import { ServiceError } from '../../errors.ts';
import type { ErrorCode } from '../../errors.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import { NOT_CACHED, REGISTRATION, findRegistration, ignoredOf } from './cached-look-up.ts';
import type { RegistrationServices } from './cached-look-up.ts';
import { DOMAIN_PARAMETER } from './look-up-domain.ts';
import {
  Ending,
  Evidence,
  Ignored,
  REGISTRATION_ERRORS,
  REGISTRATION_ERROR_DETAILS,
} from './look-up-schema.ts';

const STATES = [
  'registered',
  'reserved',
  'not_registered',
  'invalid',
  'unknown_tld',
  'no_registry_service',
] as const;
type State = (typeof STATES)[number];

const Availability = z
  .object({
    domain: textSchema('The requested name as given.', 'www.example.com'),
    available: z.boolean().nullable().meta({
      description: 'Whether the name is available; null if the registry publishes no service.',
      example: false,
    }),
    state: z.enum(STATES).meta({
      description: '`reserved`: withheld by the registry. `invalid`: not accepted by this registry.',
      example: 'registered',
    }),
    reason: textSchema('For people.', 'whois.verisign-grs.com has a record of example.com.'),
    ending: Ending.optional(),
    evidence: Evidence,
    ignored: Ignored,
  })
  .meta({ title: 'Availability' });

/** Errors of a look-up that determine the availability. */
export const AVAILABILITY_OF_ERROR: Partial<Record<ErrorCode, { available: boolean | null; state: State }>> =
  {
    not_registered: { available: true, state: 'not_registered' },
    invalid_domain: { available: false, state: 'invalid' },
    unknown_tld: { available: false, state: 'unknown_tld' },
    no_registry_service: { available: null, state: 'no_registry_service' },
  };

/** The details of such an error: an object, or a list of one. */
function errorEvidence(details: unknown): unknown {
  const [only] = Array.isArray(details) ? (details as unknown[]) : [details];
  return (only as { evidence?: unknown } | undefined)?.evidence ?? null;
}

/** GET /:domain/availability */
export function getAvailability(services: RegistrationServices): Endpoint {
  return {
    name: 'getAvailability',
    path: '/:domain/availability',
    group: 'Registration',
    summary: 'Whether a name is available',
    description:
      'The same look-up as yes, no or unknown. 200 whenever the question was answered; a registry that throttles, refuses or is unavailable is an error.',
    parameters: [DOMAIN_PARAMETER],
    answer: Availability,
    errors: REGISTRATION_ERRORS.filter(
      (code) => code === 'invalid_domain' || AVAILABILITY_OF_ERROR[code] === undefined,
    ),
    details: REGISTRATION_ERROR_DETAILS,
    parse: ({ path, query, client }) => {
      const name = services.domainLookUp.readName(path['domain'] ?? '');
      return {
        key: `${name.name} availability`,
        policy: REGISTRATION,
        ignored: ignoredOf(query, []),
        ...(name.spelling !== name.name && { echo: name.spelling }),
        // Composed each time: only the cached look-up knows its lifetime.
        load: async () => {
          const policy = NOT_CACHED;
          const meta = { name: name.name };
          try {
            const { data } = await findRegistration(services, { name, client });
            const relation = data.state === 'reserved' ? 'holds back' : 'has a record of';
            const reason = `${data.whoisServer} ${relation} ${name.name}.`;
            const { state, ending, evidence } = data;
            const end = state === 'registered' ? { ending } : {};
            return { data: { available: false, state, ...end, reason, evidence }, meta, policy };
          } catch (error) {
            const said = error instanceof ServiceError ? AVAILABILITY_OF_ERROR[error.code] : undefined;
            if (said === undefined || !(error instanceof ServiceError)) throw error;
            const evidence = errorEvidence(error.details);
            return { data: { ...said, reason: error.message, evidence }, meta, policy };
          }
        },
      };
    },
  };
}
