import { z } from 'zod';
import { ServiceError } from '../../errors.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import { calendarOf } from './calendar-text.ts';
import { findRegistration, ignoredOf } from './cached-look-up.ts';
import type { RegistrationServices } from './cached-look-up.ts';
import { DOMAIN_PARAMETER } from './look-up-domain.ts';
import { REGISTRATION_ERRORS, REGISTRATION_ERROR_DETAILS } from './look-up-schema.ts';

/** GET /:domain/expiry.ics */
export function expiryCalendar(services: RegistrationServices): Endpoint {
  return {
    name: 'getExpiryCalendar',
    path: '/:domain/expiry.ics',
    group: 'Registration',
    summary: 'Expiry of a name for calendars',
    description:
      'A calendar with the day on which the registration ends (UTC), and reminders 30 and 7 days before. Subscribe to it: it follows renewals. `not_found` if the registry publishes no date.',
    parameters: [DOMAIN_PARAMETER],
    mediaType: 'text/calendar',
    answer: z.string().meta({ description: 'iCalendar (RFC 5545).' }),
    errors: REGISTRATION_ERRORS.filter((code) => code !== 'invalid_parameter'),
    details: REGISTRATION_ERROR_DETAILS,
    ask: async ({ path, query, client }) => {
      const name = services.domainLookUp.readName(path['domain'] ?? '');
      const { data, result } = await findRegistration(services, { name, client });
      const { expirationDate, registrar } = data.parsed;
      if (expirationDate === null) {
        throw new ServiceError('not_found', {
          message: `${data.whoisServer} publishes no expiry date of ${name.name}.`,
        });
      }
      const { fetchedAt, freshUntil } = result.entry;
      const freshSeconds = Math.max(0, Math.floor((freshUntil - services.clock.now()) / 1_000));
      return {
        body: calendarOf([{ domain: name.name, expirationDate, registrar, fetchedAt }]),
        contentType: 'text/calendar; charset=utf-8',
        cacheControl: `public, max-age=${freshSeconds}`,
        ignored: ignoredOf(query, []),
      };
    },
  };
}
