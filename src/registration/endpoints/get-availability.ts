import { z } from 'zod';
import { textSchema } from '../../http/documented-schemas.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import { AVAILABILITY_OF_ERROR, AVAILABILITY_STATES, availabilityOf } from '../look-up/availability.ts';
import { NOT_CACHED, REGISTRATION, findRegistration, ignoredOf, DOMAIN_PARAMETER } from './look-up-domain.ts';
import type { RegistrationServices } from './look-up-domain.ts';
import {
  Ending,
  Evidence,
  Ignored,
  REGISTRATION_ERRORS,
  REGISTRATION_ERROR_DETAILS,
} from './look-up-schema.ts';

const Availability = z
  .object({
    domain: textSchema('The requested name as given.', 'www.example.com'),
    available: z.boolean().nullable().meta({
      description: 'Whether the name is available; null if the registry publishes no service.',
      example: false,
    }),
    state: z.enum(AVAILABILITY_STATES).meta({
      description: '`reserved`: withheld by the registry. `invalid`: not accepted by this registry.',
      example: 'registered',
    }),
    reason: textSchema('For people.', 'whois.verisign-grs.com has a record of example.com.'),
    ending: Ending.optional(),
    evidence: Evidence,
    ignored: Ignored,
  })
  .meta({ title: 'Availability' });

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
          const found = findRegistration(services, { name, client }).then(
            ({ data: registration }) => registration,
          );
          const data = await availabilityOf(name.name, found);
          return { data, meta: { name: name.name }, policy: NOT_CACHED };
        },
      };
    },
  };
}
