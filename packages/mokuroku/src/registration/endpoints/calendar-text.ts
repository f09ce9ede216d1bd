import type { LookUpResult } from 'mokuroku-whois/service';
import type { Language } from '@mokuroku/kit';
import { endDate } from 'mokuroku-whois/record';
import type { Ending } from 'mokuroku-whois/record';

/** Days before the expiry with a reminder. */
const REMIND_DAYS = [30, 7] as const;

/** The lines of an event. */
export type CalendarEvent = readonly string[];

/** What a calendar says. */
const WORDS = {
  en: {
    calendar: 'Domain expiries',
    expires: (name: string) => `${name} expires`,
    ends: {
      expired: (name: string) => `${name} has expired`,
      redemption: (name: string) => `${name} is deleted unless it is restored (redemption period)`,
      pending_delete: (name: string) => `${name} is about to be deleted`,
    } as Ends,
    inDays: (name: string, days: number) => `${name} expires in ${days} days`,
    registrar: (name: string) => `Registrar: ${name}. `,
    until: (end: string) => `The registration ends ${end}.`,
    free: (name: string) => `${name} is not registered`,
    missing: (names: string) => `Not in this calendar: ${names}`,
  },
  ja: {
    calendar: 'ドメインの有効期限',
    expires: (name: string) => `${name} の有効期限`,
    ends: {
      expired: (name: string) => `${name} は期限切れです`,
      redemption: (name: string) => `${name} は復旧しないと削除されます（猶予期間）`,
      pending_delete: (name: string) => `${name} はまもなく削除されます`,
    } as Ends,
    inDays: (name: string, days: number) => `${name} の有効期限まで ${days} 日`,
    registrar: (name: string) => `レジストラ: ${name}。`,
    until: (end: string) => `登録の期限は ${end} です。`,
    free: (name: string) => `${name} は登録されていません`,
    missing: (names: string) => `このカレンダーにない名前: ${names}`,
  },
};
type Ends = Partial<Record<Ending, (name: string) => string>>;

/**
 * The event of a registration: on the earlier of the stated days of expiry and deletion. A name in redemption or about to
 * be deleted, without a day, has it on the day of the answer: its registry may have renewed it by a year. null if
 * nothing is known of its end. `fetchedAt`: time of the registry's answer, milliseconds since 1970.
 */
export function expiryEvent(
  domain: string,
  { parsed, ending }: Pick<LookUpResult, 'parsed' | 'ending'>,
  fetchedAt: number,
  language: Language,
): CalendarEvent | null {
  const words = WORDS[language];
  const isDeleted = ending === 'redemption' || ending === 'pending_delete';
  const stated = isDeleted ? parsed.deletionDate : endDate(parsed);
  if (stated === null && !isDeleted) return null;
  const endsAt = stated ?? new Date(fetchedAt).toISOString();
  const by = parsed.registrar === null ? '' : words.registrar(parsed.registrar);
  const alarms = REMIND_DAYS.flatMap((days) => [
    'BEGIN:VALARM',
    'ACTION:DISPLAY',
    `DESCRIPTION:${escapeText(words.inDays(domain, days))}`,
    `TRIGGER:-P${days}D`,
    'END:VALARM',
  ]);
  const description = `DESCRIPTION:${escapeText(by + words.until(endsAt))}`;
  const summary = ((ending && words.ends[ending]) ?? words.expires)(domain);
  const more = [description, TRANSPARENT, ...alarms];
  return eventLines(`expiry.${domain}`, fetchedAt, endsAt, summary, more);
}

/** The event of a watched name that is not registered, at this time (milliseconds since 1970). */
export const freeEvent = (domain: string, at: number, language: Language): CalendarEvent =>
  eventLines(`free.${domain}`, at, at, WORDS[language].free(domain), [TRANSPARENT]);

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
export function calendarOf(
  events: readonly CalendarEvent[],
  { missing = [], language }: { missing?: readonly string[]; language: Language },
): string {
  const words = WORDS[language];
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:-//mokuroku//domain registration lookup//${language.toUpperCase()}`,
    // RFC 7986, and what programs read that are older.
    `NAME;LANGUAGE=${language}:${words.calendar}`,
    `X-WR-CALNAME:${words.calendar}`,
    'REFRESH-INTERVAL;VALUE=DURATION:P1D',
    ...(missing.length > 0 ? [`X-WR-CALDESC:${escapeText(words.missing(missing.join(' ')))}`] : []),
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
