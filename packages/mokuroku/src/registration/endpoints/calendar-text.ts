import type { LookUpResult } from 'mokuroku-whois/service';
import { endDate } from 'mokuroku-whois/record';
import type { Ending } from 'mokuroku-whois/record';

/** Days before the expiry with a reminder. */
const REMIND_DAYS = [30, 7] as const;

/** The lines of an event. */
export type CalendarEvent = readonly string[];

const URGENT: Partial<Record<Ending, string>> = {
  expired: 'has expired',
  redemption: 'is deleted unless it is restored (redemption period)',
  pending_delete: 'is about to be deleted',
};

/**
 * The event of a registration: on the earlier of the stated days of expiry and deletion. A name in redemption or about to
 * be deleted, without a day, has it on the day of the answer: its registry may have renewed it by a year. null if
 * nothing is known of its end. `fetchedAt`: time of the registry's answer, milliseconds since 1970.
 */
export function expiryEvent(
  domain: string,
  { parsed, ending }: Pick<LookUpResult, 'parsed' | 'ending'>,
  fetchedAt: number,
): CalendarEvent | null {
  const isDeleted = ending === 'redemption' || ending === 'pending_delete';
  const stated = isDeleted ? parsed.deletionDate : endDate(parsed);
  if (stated === null && !isDeleted) return null;
  const endsAt = stated ?? new Date(fetchedAt).toISOString();
  const by = parsed.registrar === null ? '' : `Registrar: ${parsed.registrar}. `;
  const alarms = REMIND_DAYS.flatMap((days) => [
    'BEGIN:VALARM',
    'ACTION:DISPLAY',
    `DESCRIPTION:${escapeText(`${domain} expires in ${days} days`)}`,
    `TRIGGER:-P${days}D`,
    'END:VALARM',
  ]);
  const description = `DESCRIPTION:${escapeText(`${by}The registration ends ${endsAt}.`)}`;
  const summary = `${domain} ${(ending && URGENT[ending]) ?? 'expires'}`;
  const more = [description, TRANSPARENT, ...alarms];
  return eventLines(`expiry.${domain}`, fetchedAt, endsAt, summary, more);
}

/** The event of a watched name that is not registered, at this time (milliseconds since 1970). */
export const freeEvent = (domain: string, at: number): CalendarEvent =>
  eventLines(`free.${domain}`, at, at, `${domain} is not registered`, [TRANSPARENT]);

const TRANSPARENT = 'TRANSP:TRANSPARENT';
const calendarDay = (at: number | string) => new Date(at).toISOString().slice(0, 10).replaceAll('-', '');
const calendarStamp = (at: number) => new Date(at).toISOString().replace(/[-:]|\.\d+/g, '');

/** An event of a whole day. */
const eventLines = (uid: string, at: number, day: number | string, summary: string, more: string[]) => [
  'BEGIN:VEVENT',
  `UID:${uid}`,
  `DTSTAMP:${calendarStamp(at)}`,
  `DTSTART;VALUE=DATE:${calendarDay(day)}`,
  `SUMMARY:${escapeText(summary)}`,
  ...more,
  'END:VEVENT',
];

/** An iCalendar text (RFC 5545). `missing` lists the names without an event, with the reasons. */
export function calendarOf(events: readonly CalendarEvent[], missing: readonly string[] = []): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//mokuroku//domain registration lookup//EN',
    'REFRESH-INTERVAL;VALUE=DURATION:P1D',
    ...(missing.length > 0
      ? [`X-WR-CALDESC:${escapeText(`Not in this calendar: ${missing.join(' ')}`)}`]
      : []),
    ...events.flat(),
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${fold(line)}\r\n`).join('');
}

/** RFC 5545, section 3.3.11; control characters are removed. */
function escapeText(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f]+/g, ' ').replace(/[\\;,]/g, '\\$&');
}

const MAX_LINE_BYTES = 75;

/** RFC 5545, section 3.1: long lines continue on the next one after a blank, never within a character. */
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
