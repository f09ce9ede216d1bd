import { z } from 'zod';
import { ERRORS, ServiceError, text } from '@mokuroku/kit';
import { defineEndpoint } from '@mokuroku/kit/http';
import type { Endpoint } from '@mokuroku/kit/http';
import { calendarOf, expiryEvent } from './calendar-text.ts';
import { INCOMPLETE, findRegistration } from './look-up-domain.ts';
import type { RegistrationServices } from './look-up-domain.ts';
import { REGISTRATION_ERRORS, REGISTRATION_ERROR_DETAILS } from './look-up-error-schema.ts';
import { DOMAIN, LANGUAGE } from './parameters.ts';
import { END_FIELDS, isUnknown } from 'mokuroku-whois/record';
import { REGISTRY_ERRORS } from '../errors.ts';

/** GET /:domain/expiry.ics */
export function expiryCalendar(services: RegistrationServices): Endpoint {
  return defineEndpoint({
    name: 'getExpiryCalendar',
    path: '/:domain/expiry.ics',
    group: 'Registration',
    summary: text('Expiry of a name for calendars', '有効期限のカレンダー'),
    description: text(
      'A calendar with the day on which the registration ends or is deleted (UTC), and reminders 30 and 7 days before. Its entry says so if the name has expired or is about to be deleted. Subscribe to it: it follows renewals. `not_found` if the registry publishes no readable date.',
      '登録が切れる日または削除される日（UTC）と、30 日前と 7 日前の通知が入ったカレンダーです。期限切れや削除待ちの名前では、予定にその旨を示します。購読すれば更新にも追従します。レジストリが読み取れる期限を示さなければ `not_found` です。',
    ),
    // prettier-ignore
    examples: [
      { name: 'calendar', path: { domain: 'example.com' },
        title: text('Get the expiry as a calendar', '有効期限をカレンダーに入れる') },
    ],
    pathTable: { domain: DOMAIN },
    queryTable: { lang: LANGUAGE },
    mediaType: 'text/calendar',
    answer: z.string().meta({ en: 'iCalendar (RFC 5545).', ja: 'iCalendar（RFC 5545）形式。' }),
    errors: REGISTRATION_ERRORS,
    details: REGISTRATION_ERROR_DETAILS,
    handle: async ({ path, query }, { client }) => {
      const language = query.lang ?? 'en';
      const name = services.domainLookUp.readName(path.domain);
      const { data, result } = await findRegistration(services, { name, client });
      const { fetchedAt, freshUntil } = result.entry;
      const event = expiryEvent(name.name, data, fetchedAt, language);
      if (event === null && isUnknown(data, ...END_FIELDS)) {
        throw new ServiceError(REGISTRY_ERRORS.registry_unavailable, {
          message: `The expiry date of ${name.name} is unknown without a complete answer. Try again later.`,
          details: { hops: result.entry.meta['hops'] },
          retryAfterSeconds: INCOMPLETE.freshSeconds,
        });
      }
      if (event === null) {
        throw new ServiceError(ERRORS.not_found, {
          message: `${data.whoisServer} publishes no readable expiry date of ${name.name}.`,
        });
      }
      const freshSeconds = Math.max(0, Math.floor((freshUntil - services.clock.now()) / 1_000));
      return {
        body: calendarOf([event], { language }),
        cacheControl: `public, max-age=${freshSeconds}`,
      };
    },
  });
}
