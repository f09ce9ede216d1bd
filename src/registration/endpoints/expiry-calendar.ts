import { z } from 'zod';
import { ServiceError } from '../../errors.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import { calendarExpiry, calendarOf } from './calendar-text.ts';
import { findRegistration, ignoredOf, DOMAIN_PARAMETER } from './look-up-domain.ts';
import type { RegistrationServices } from './look-up-domain.ts';
import { REGISTRATION_ERRORS, REGISTRATION_ERROR_DETAILS } from './look-up-schema.ts';

/** GET /:domain/expiry.ics */
export function expiryCalendar(services: RegistrationServices): Endpoint {
  return {
    name: 'getExpiryCalendar',
    path: '/:domain/expiry.ics',
    group: 'Registration',
    summary: 'Expiry of a name for calendars',
    description:
      'A calendar with the day on which the registration ends or is deleted (UTC), and reminders 30 and 7 days before. Its entry says so if the name has expired or is about to be deleted. Subscribe to it: it follows renewals. `not_found` if the registry publishes no date.',
    parameters: [DOMAIN_PARAMETER],
    mediaType: 'text/calendar',
    answer: z.string().meta({ description: 'iCalendar (RFC 5545).' }),
    errors: REGISTRATION_ERRORS.filter((code) => code !== 'invalid_parameter'),
    details: REGISTRATION_ERROR_DETAILS,
    parse: async ({ path, query, client }) => {
      const name = services.domainLookUp.readName(path['domain'] ?? '');
      const { data, result } = await findRegistration(services, { name, client });
      const { fetchedAt, freshUntil } = result.entry;
      const expiry = calendarExpiry(name.name, data, fetchedAt);
      if (expiry === null) {
        throw new ServiceError('not_found', {
          message: `${data.whoisServer} publishes no expiry date of ${name.name}.`,
        });
      }
      const freshSeconds = Math.max(0, Math.floor((freshUntil - services.clock.now()) / 1_000));
      return {
        body: calendarOf([expiry]),
        contentType: 'text/calendar; charset=utf-8',
        cacheControl: `public, max-age=${freshSeconds}`,
        ignored: ignoredOf(query, []),
      };
    },
  };
}
