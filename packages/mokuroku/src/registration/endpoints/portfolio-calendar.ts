import { z } from 'zod';
import { ServiceError, text } from '@mokuroku/kit';
import type { Language } from '@mokuroku/kit';
import { defineEndpoint } from '@mokuroku/kit/http';
import type { Endpoint } from '@mokuroku/kit/http';
import { mapUnordered } from '@mokuroku/kit/map-unordered';
import { nameOrSpelling } from 'mokuroku-whois/service';
import { calendarOf, expiryEvent, freeEvent } from './calendar-text.ts';
import type { CalendarEvent } from './calendar-text.ts';
import { LOOK_UPS, countName, findRegistration } from './look-up-domain.ts';
import type { RegistrationServices } from './look-up-domain.ts';
import { REGISTRATION_ERROR_DETAILS } from './look-up-error-schema.ts';
import { LANGUAGE, MAX_NAMES, NAMES } from './parameters.ts';
import type { RegistrationMethods } from './parameters.ts';
import { END_FIELDS, isUnknown } from 'mokuroku-whois/record';

type CalendarEntry = { event: CalendarEvent } | { missing: string };

/** GET /-/expiry.ics?names=a,b,c */
export function portfolioCalendar(services: RegistrationServices): Endpoint {
  return defineEndpoint({
    name: 'getPortfolioCalendar',
    path: '/-/expiry.ics',
    group: 'Registration',
    summary: text('Expiry of many names in one calendar', '複数の名前の有効期限を 1 つのカレンダーで'),
    description: text(
      'One calendar with the day on which each registration ends (UTC), and reminders 30 and 7 days before. A name that is not registered has an event today. `X-WR-CALDESC` lists names without a date, and why. Each name counts as one request.',
      '各登録の期限の日（UTC）と、30 日前・7 日前の通知を 1 つにまとめたカレンダー。未登録の名前は今日の予定になります。日付のない名前とその理由は `X-WR-CALDESC` にあります。名前 1 つを 1 リクエストと数えます。',
    ),
    client: { method: 'expiryCalendar', first: 'names' } satisfies RegistrationMethods,
    // prettier-ignore
    examples: [
      { name: 'portfolio', query: { names: 'example.com,example.jp' },
        title: text('Get the expiry of many names as one calendar', '多くの名前の有効期限を 1 つのカレンダーに入れる') },
    ],
    // More names than the limit would be refused however long the client waits.
    queryTable: { names: NAMES(Math.min(services.limiter?.limit ?? MAX_NAMES, MAX_NAMES)), lang: LANGUAGE },
    mediaType: 'text/calendar',
    answer: z.string().meta({ en: 'iCalendar (RFC 5545).', ja: 'iCalendar（RFC 5545）形式。' }),
    errors: ['invalid_parameter'],
    details: REGISTRATION_ERROR_DETAILS,
    handle: async ({ query }, { client }) => {
      // All or nothing: a partial calendar would delete the events of the missing names.
      const language = query.lang ?? 'en';
      const names = oneOfEach(services, query.names ?? []);
      for (const index of names.keys()) await countName(services, client, index);
      const entries: CalendarEntry[] = [];
      const lookUps = mapUnordered(names, LOOK_UPS, async (name, index) => ({
        index,
        entry: await calendarEntry(services, name, { client, language }),
      }));
      for await (const { index, entry } of lookUps) entries[index] = entry;
      const events = entries.flatMap((entry) => ('event' in entry ? [entry.event] : []));
      const missing = entries.flatMap((entry) => ('missing' in entry ? entry.missing : []));
      return {
        body: calendarOf(events, { missing, language }),
        cacheControl: missing.length > 0 ? 'no-store' : 'public, max-age=3600',
      };
    },
  });
}

/** One spelling of each name: two events of one name would have the same UID. */
function oneOfEach({ domainLookUp }: RegistrationServices, spellings: readonly string[]): string[] {
  const nameOf = (spelling: string) => nameOrSpelling(domainLookUp.readName, spelling).name;
  return [...new Map(spellings.map((spelling) => [nameOf(spelling), spelling])).values()];
}

/** The calendar entry of one name. */
async function calendarEntry(
  services: RegistrationServices,
  domain: string,
  { client, language }: { client: string; language: Language },
): Promise<CalendarEntry> {
  try {
    const name = services.domainLookUp.readName(domain);
    const { data, result } = await findRegistration(services, { name, client });
    const event = expiryEvent(name.name, data, result.entry.fetchedAt, language);
    if (event !== null) return { event };
    const why = isUnknown(data, ...END_FIELDS)
      ? 'unknown without a complete answer'
      : `${data.whoisServer} states no readable date`;
    return { missing: `${name.name}: ${why}.` };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (error.code === 'not_registered')
      return {
        event: freeEvent(services.domainLookUp.readName(domain).name, services.clock.now(), language),
      };
    return { missing: `${domain}: ${error.message}` };
  }
}
