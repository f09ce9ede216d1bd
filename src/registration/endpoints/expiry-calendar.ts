import { z } from 'zod';
import { ServiceError } from '../../errors.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import { findRegistration, ignoredOf } from './kept-look-up.ts';
import type { RegistrationServices } from './kept-look-up.ts';
import { DOMAIN_PARAMETER } from './look-up-domain.ts';
import { REGISTRATION_ERRORS, REGISTRATION_ERROR_DETAILS } from './look-up-schema.ts';

/** Days before the end at which a calendar reminds. */
const REMIND_DAYS = [30, 7] as const;

/** GET /:domain/expiry.ics */
export function expiryCalendar(services: RegistrationServices): Endpoint {
  return {
    name: 'getExpiryCalendar',
    path: '/:domain/expiry.ics',
    group: 'Registration',
    summary: 'Expiry of a name for calendars',
    description:
      'A calendar with the day on which the registration ends (UTC), and reminders 30 and 7 days before. Subscribe to it: it follows renewals. `not_found` where the registry does not say when.',
    parameters: [DOMAIN_PARAMETER],
    mediaType: 'text/calendar',
    answer: z.string().meta({ description: 'iCalendar (RFC 5545).' }),
    errors: REGISTRATION_ERRORS.filter((code) => code !== 'invalid_parameter'),
    details: REGISTRATION_ERROR_DETAILS,
    ask: async ({ path, query }) => {
      const name = services.domainLookUp.readName(path['domain'] ?? '');
      const { data, result } = await findRegistration(services, name);
      const { expirationDate, registrar } = data.parsed;
      if (expirationDate === null) {
        throw new ServiceError('not_found', {
          message: `${data.whoisServer} does not say when ${name.name} expires.`,
        });
      }
      const { storedAt, freshUntil } = result.answer;
      const freshSeconds = Math.max(0, Math.floor((freshUntil - services.clock.now()) / 1_000));
      return {
        body: calendarOf({ domain: name.name, expirationDate, registrar, storedAt }),
        contentType: 'text/calendar; charset=utf-8',
        cacheControl: `public, max-age=${freshSeconds}`,
        ignored: ignoredOf(query, []),
      };
    },
  };
}

interface Expiry {
  domain: string;
  /** ISO 8601. */
  expirationDate: string;
  registrar: string | null;
  /** When the registry said so: milliseconds since 1970. */
  storedAt: number;
}

export function calendarOf({ domain, expirationDate, registrar, storedAt }: Expiry): string {
  const day = expirationDate.slice(0, 10).replaceAll('-', '');
  const stamp = new Date(storedAt).toISOString().replace(/[-:]|\.\d+/g, '');
  const by = registrar === null ? '' : `Registrar: ${registrar}. `;
  const alarms = REMIND_DAYS.flatMap((days) => [
    'BEGIN:VALARM',
    'ACTION:DISPLAY',
    `DESCRIPTION:${toText(`${domain} expires in ${days} days`)}`,
    `TRIGGER:-P${days}D`,
    'END:VALARM',
  ]);
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//mokuroku//domain registration lookup//EN',
    'REFRESH-INTERVAL;VALUE=DURATION:P1D',
    'BEGIN:VEVENT',
    `UID:expiry.${domain}`,
    `DTSTAMP:${stamp}`,
    `DTSTART;VALUE=DATE:${day}`,
    `SUMMARY:${toText(`${domain} expires`)}`,
    `DESCRIPTION:${toText(`${by}The registration ends ${expirationDate}.`)}`,
    'TRANSP:TRANSPARENT',
    ...alarms,
    'END:VEVENT',
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${fold(line)}\r\n`).join('');
}

/** RFC 5545, section 3.3.11; control characters have no place in a text. */
function toText(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f]+/g, ' ').replace(/[\\;,]/g, '\\$&');
}

const MAX_LINE_BYTES = 75;

/** RFC 5545, section 3.1: longer lines go on in the next one, behind a blank; never within a character. */
function fold(line: string): string {
  let folded = '';
  let bytes = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (bytes + size > MAX_LINE_BYTES) {
      folded += '\r\n ';
      bytes = 1;
    }
    folded += character;
    bytes += size;
  }
  return folded;
}
